"""Statements on people's own providers and on answers that were paid for; all by primary key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.language.providers.model import OwnProvider


@dataclass(frozen=True, slots=True)
class StoredProvider:
    provider: str
    model: str
    base_url: str | None
    sealed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenProvider:
    user_id: UUID
    provider: str
    model: str
    base_url: str | None
    sealed: str | None


@dataclass(frozen=True, slots=True)
class Known:
    answer: str | None


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    answer: str
    at: datetime


SHOW = Query(
    OwnProvider,
    """
select provider, model, base_url, sealed is not null as has_key, tested_at, updated_at
  from provider_keys where user_id = $1""",
)
STORED = Query(
    StoredProvider,
    "select provider, model, base_url, sealed from provider_keys where user_id = $1",
)
# What was tested is what is stored: a change makes it untested again.
CHOOSE = Write(
    Nothing,
    """
insert into provider_keys (user_id, provider, model, base_url, sealed)
values ($user_id, $provider, $model, $base_url, $sealed)
on conflict (user_id) do update
   set provider = excluded.provider, model = excluded.model, base_url = excluded.base_url,
       sealed = excluded.sealed, tested_at = null, updated_at = clock_timestamp()""",
    params=ChosenProvider,
)
# If it is still the one of $2 that was tested.
TESTED = Write(
    Nothing, "update provider_keys set tested_at = now() where user_id = $1 and updated_at = $2"
)
DROP = Write(UUID, "delete from provider_keys where user_id = $1 returning user_id")

# Null while it is being asked.
FIND_ANSWER = Query(
    Known,
    "select answer from model_answers where key = $1 and user_id is not distinct from $2",
)
# Write down that $1 is being asked for $3 seconds: a row, unless it is answered or somebody else asks.
# For a person who left it is not written down, and there is no row either.
BEGIN_ASKING = Write(
    datetime,
    """
insert into model_answers (key, user_id, asked_until)
select $1, $2::uuid, clock_timestamp() + make_interval(secs => $3)
 where $2::uuid is null or exists (select from users where id = $2)
on conflict (key) do update
   set asked_until = excluded.asked_until
 where model_answers.asked_until < clock_timestamp()
   and model_answers.user_id is not distinct from $2
returning asked_until""",
    across_users="the key is a hash of what is asked and for whom",
)
# Who began at $3 gave up; the next may ask at once.
STOP_ASKING = Write(
    Nothing,
    """
delete from model_answers
 where key = $1 and user_id is not distinct from $2 and asked_until = $3""",
)
# Not for a person who left while the model was answering.
KEEP_ANSWER = Write(
    Nothing,
    """
insert into model_answers (key, user_id, answer)
select $1, $2::uuid, $3
 where $2::uuid is null or exists (select from users where id = $2)
on conflict (key) do update
   set answer = excluded.answer, asked_until = null
 where model_answers.answer is null and model_answers.user_id is not distinct from $2""",
)
ANSWERS_OF_USER = Query(
    KeptAnswer,
    """
select answer, at from model_answers
 where user_id = $1 and answer is not null order by at, key""",
)
ERASE_ANSWERS = Write(Nothing, "delete from model_answers where user_id = $1")
# Old ones (model_answers_old).
PRUNE_ANSWERS = Write(
    Nothing,
    "delete from model_answers where at < now() - make_interval(days => $1)",
    across_users="age is the same for everyone",
)
