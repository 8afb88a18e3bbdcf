"""Statements on the ledger of tokens. One row of `usage_totals` is locked by every reservation of its
person and period; statements on `token_usage` go by its primary key or by `token_usage_of_user`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.billing.model import ReservationId, Totals, UsageDay, UsageLine
from mindhit.db import Nothing, Query, Write

_EXPIRED = "calls of everybody whose answer can't arrive any more"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRow:
    user_id: UUID | None
    session_id: UUID | None
    operation: str
    provider: str
    ai_model: str
    payer: str
    at_most: int
    period_start: datetime
    lasts_s: float


@dataclass(frozen=True, slots=True)
class Held:
    """A call whose tokens are not recorded yet, locked."""

    user_id: UUID | None
    provider: str
    payer: str
    state: str
    tokens_used: int
    period_start: datetime


@dataclass(frozen=True, slots=True)
class Lost:
    id: ReservationId
    user_id: UUID | None
    period_start: datetime
    payer: str


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One call, as it is exported."""

    id: ReservationId
    session_id: UUID | None
    operation: str
    provider: str
    ai_model: str
    payer: str
    state: str
    tokens_used: int
    input_tokens: int | None
    output_tokens: int | None
    request_id: str | None
    period_start: datetime
    created_at: datetime
    held_until: datetime | None


@dataclass(frozen=True, slots=True)
class TotalRow:
    period_start: datetime
    used: int
    reserved: int


# The row of a period, made if there is none, and locked until the transaction ends.
LOCK_TOTALS = Write(
    Totals,
    """
insert into usage_totals (user_id, period_start) values ($1, $2)
on conflict (user_id, period_start) do update set used = usage_totals.used
returning used, reserved""",
)
# Adds to both; $3 and $4 may be negative.
MOVE_TOTALS = Write(
    Nothing,
    """
update usage_totals set used = used + $3, reserved = reserved + $4
 where user_id = $1 and period_start = $2""",
)
RESERVE = Write(
    ReservationId,
    """
insert into token_usage (user_id, session_id, operation, provider, ai_model, payer, tokens_used,
                         period_start, held_until)
values ($user_id, $session_id, $operation, $provider, $ai_model, $payer, $at_most, $period_start,
        now() + make_interval(secs => $lasts_s))
returning id""",
    params=NewRow,
)
# A call that is not settled, or that was given up too early; by the primary key.
LOCK = Write(
    Held,
    """
select user_id, provider, payer, state, tokens_used, period_start from token_usage
 where id = $1 and user_id is not distinct from $2 and state <> 'used' for update""",
)
# Whether an answer is recorded already (token_usage_requests).
IS_RECORDED = Query(
    bool,
    """
select exists (select from token_usage where provider = $1 and request_id = $2) as is_recorded""",
    across_users="a provider's request id is unique whoever asked",
)
RECORD = Write(
    Nothing,
    """
update token_usage
   set state = 'used', tokens_used = $3::int + $4::int, input_tokens = $3, output_tokens = $4,
       request_id = $5, held_until = null
 where id = $1 and user_id is not distinct from $2""",
)
LOSE = Write(
    Nothing,
    """
update token_usage set state = 'unknown', held_until = null
 where id = $1 and user_id is not distinct from $2 and state = 'reserved'""",
)
RELEASE = Write(
    Nothing, "delete from token_usage where id = $1 and user_id is not distinct from $2"
)
# Reservations whose process died: unknown from now on, and counted as used (token_usage_held).
EXPIRE = Write(
    Lost,
    """
with dead as (
  select id from token_usage where held_until < now() and state = 'reserved'
  order by user_id, id limit 1000 for update skip locked
), lost as (
  update token_usage t set state = 'unknown', held_until = null from dead where t.id = dead.id
  returning t.id, t.user_id, t.period_start, t.tokens_used, t.payer
), sums as (
  select user_id, period_start, sum(tokens_used)::bigint as tokens from lost
   where payer = 'plan' group by user_id, period_start
), moved as (
  update usage_totals t set used = t.used + s.tokens, reserved = t.reserved - s.tokens
    from sums s where t.user_id = s.user_id and t.period_start = s.period_start
)
select id, user_id, period_start, payer from lost""",
    across_users=_EXPIRED,
)
TOTALS = Query(
    Totals, "select used, reserved from usage_totals where user_id = $1 and period_start = $2"
)
# What a person's calls of a period took, by kind (token_usage_of_user).
LINES = Query(
    UsageLine,
    """
select operation, provider, ai_model, payer, count(*)::int as calls,
       coalesce(sum(tokens_used) filter (where state <> 'reserved'), 0)::bigint as tokens,
       count(*) filter (where state = 'unknown')::int as unknown
  from token_usage where user_id = $1 and period_start = $2
 group by operation, provider, ai_model, payer order by 6 desc, 1, 2, 3, 4""",
)
# Days in the zone $4, from the first moment $2 to just before $3 (token_usage_by_day).
BY_DAY = Query(
    UsageDay,
    """
select (created_at at time zone $4)::date as date, operation, provider as engine, ai_model as model,
       coalesce(sum(tokens_used) filter (where state <> 'reserved'), 0)::bigint as tokens,
       count(*)::int as calls
  from token_usage where user_id = $1 and created_at >= $2 and created_at < $3
 group by 1, 2, 3, 4 order by 1, 2, 3, 4""",
)
FORGET_SESSION = Write(
    Nothing, "update token_usage set session_id = null where user_id = $1 and session_id = $2"
)
OF_USER = Query(
    UsageRow,
    """
select id, session_id, operation, provider, ai_model, payer, state, tokens_used, input_tokens,
       output_tokens, request_id, period_start, created_at, held_until
  from token_usage where user_id = $1 order by id""",
)
TOTALS_OF_USER = Query(
    TotalRow,
    """
select period_start, used, reserved from usage_totals where user_id = $1 order by period_start""",
)
ERASE_USAGE = Write(Nothing, "delete from token_usage where user_id = $1")
ERASE_TOTALS = Write(Nothing, "delete from usage_totals where user_id = $1")
