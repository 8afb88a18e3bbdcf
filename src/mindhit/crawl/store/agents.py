"""User agents, and how sites receive them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.crawl.model import Agent, AgentId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Taken:
    id: AgentId
    user_agent: str


@dataclass(frozen=True, slots=True)
class Health:
    """One agent at one site."""

    id: AgentId
    user_agent: str
    health_score: int
    suspended_until: datetime | None


@dataclass(frozen=True, slots=True)
class Score:
    health_score: int
    suspended_until: datetime | None


# Those of the settings; others are blocked, so that executions keep naming them.
ADD = Write(
    Nothing,
    """
insert into user_agents (user_agent) select unnest($1::text[])
on conflict (user_agent) do update set status = 'AVAILABLE', updated_at = now()
 where user_agents.status <> 'AVAILABLE'""",
)
BLOCK_OTHERS = Write(
    Nothing,
    """
update user_agents set status = 'BLOCKED', updated_at = now()
 where user_agent <> all($1::text[]) and status = 'AVAILABLE'""",
)
# The one that this site has not seen for the longest time.
TAKE = Write(
    Taken,
    """
with chosen as (
  select a.id, a.user_agent from user_agents a
    left join user_agent_health h on h.user_agent_id = a.id and h.domain = $1
   where a.status = 'AVAILABLE' and (h.suspended_until is null or h.suspended_until <= now())
   order by h.last_used_at nulls first, a.id limit 1
), used as (
  insert into user_agent_health (domain, user_agent_id, last_used_at)
  select $1, id, now() from chosen
  on conflict (domain, user_agent_id) do update set last_used_at = now()
)
select id, user_agent from chosen""",
)
# One that this site has not turned away lately; $2 which.
FREE = Query(
    Taken,
    """
select a.id, a.user_agent from user_agents a
  left join user_agent_health h on h.user_agent_id = a.id and h.domain = $1
 where a.id = $2 and a.status = 'AVAILABLE'
   and (h.suspended_until is null or h.suspended_until <= now())""",
)
ALL_AT = Query(
    Health,
    """
select a.id, a.user_agent, coalesce(h.health_score, 100) as health_score, h.suspended_until
  from user_agents a left join user_agent_health h on h.user_agent_id = a.id and h.domain = $1
 where a.status = 'AVAILABLE' order by a.id""",
)
LOCK_SCORE = Write(
    Score,
    """
insert into user_agent_health (domain, user_agent_id, last_used_at) values ($1, $2, now())
on conflict (domain, user_agent_id) do update set last_used_at = now()
returning health_score, suspended_until""",
)
SET_SCORE = Write(
    Nothing,
    """
update user_agent_health set health_score = $3, suspended_until = $4, updated_at = now()
 where domain = $1 and user_agent_id = $2""",
)
# After a site has recovered, all agents may try again.
RECOVER = Write(
    Nothing,
    """
update user_agent_health set suspended_until = null, health_score = greatest(health_score, $2),
       updated_at = now()
 where domain = $1""",
)
LIST = Query(
    Agent,
    """
select a.id, a.user_agent, a.status, count(h.domain)::int as domains,
       (count(*) filter (where h.suspended_until > now()))::int as suspended,
       min(h.health_score) as lowest_score
  from user_agents a left join user_agent_health h on h.user_agent_id = a.id
 group by a.id order by a.user_agent limit 500""",
)
