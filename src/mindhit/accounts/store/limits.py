"""How much of each limit an address or account has used."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Nothing, Write


@dataclass(frozen=True, slots=True)
class Spent:
    is_allowed: bool
    wait_s: float


# One call more by the key $1, where $2 seconds give back one call and $3 seconds of calls may be
# saved up. A row holds the time at which the allowance is full again (GCRA), so that one
# statement on one row decides, over all processes.
SPEND = Write(
    Spent,
    """
with spent as (
  insert into rate_limits as r (key, whole_at) values ($1, now() + make_interval(secs => $2))
  on conflict (key) do update
    set whole_at = greatest(r.whole_at, now()) + make_interval(secs => $2)
    where greatest(r.whole_at, now()) + make_interval(secs => $2)
          <= now() + make_interval(secs => $3)
  returning true as is_allowed
)
select exists (select from spent) as is_allowed,
       coalesce((select extract(epoch from r.whole_at + make_interval(secs => $2)
                                           - make_interval(secs => $3) - now())::float8
                   from rate_limits r where r.key = $1), 0)::float8 as wait_s""",
)
RESET = Write(Nothing, "delete from rate_limits where key = $1")
