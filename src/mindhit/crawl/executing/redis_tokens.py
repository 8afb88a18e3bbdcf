"""The pool of user agents in Redis: who may be used at a site, and since when.

`mindhit:ua:{domain}` is a sorted set of agents by the time from which each may be used again;
`mindhit:ua:{domain}:health` has their scores, for whoever looks. One script takes the agent that has
rested for the longest time. Redis that fails or is slow is left alone for half a minute.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from datetime import datetime
from time import monotonic, time
from typing import Any, Final, TypeVar
from uuid import UUID

from mindhit import log
from mindhit.errors import MindHitError

SLOW_S: Final = 0.2
AWAY_S: Final = 30.0
EXPIRE_S: Final = 86_400
_log = log.get(__name__)
_Answer = TypeVar("_Answer")

# Of those whose time has come, the one whose time came first; it goes to the end.
_TAKE: Final = """
local free = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1)
if free[1] then redis.call('ZADD', KEYS[1], ARGV[1], free[1]) end
return free[1]
"""


class RedisDown(MindHitError):
    """Redis does not answer."""


class RedisTokens:
    def __init__(self, url: str, slow_s: float = SLOW_S) -> None:
        self._url = url
        self.slow_s = slow_s
        self._client: Any = None
        self._away_until = 0.0

    async def take(self, domain: str) -> UUID | None:
        taken = await self._do("eval", _TAKE, 1, _key(domain), time())
        return None if taken is None else UUID(taken.decode())

    async def knows(self, domain: str) -> bool:
        return bool(await self._do("exists", _key(domain)))

    async def learn(self, domain: str, agents: Mapping[UUID, datetime | None]) -> None:
        """All agents of the site, and when each may be used again; None: now. Forgotten after a day, so
        that those which were added since are learnt too."""
        if agents:
            times = {str(agent): _free_from(until) for agent, until in agents.items()}
            await self._do("zadd", _key(domain), times)
            await self._do("expire", _key(domain), EXPIRE_S)

    async def put(self, domain: str, agent: UUID, until: datetime | None, score: int) -> None:
        """When one of them may be used again. Where nothing is known of the site it stays so: this one
        would be taken for all there are."""
        await self._do("zadd", _key(domain), {str(agent): _free_from(until)}, xx=True)
        await self._do("hset", _health(domain), str(agent), score)
        await self._do("expire", _health(domain), EXPIRE_S)

    async def forget(self, domain: str) -> None:
        await self._do("delete", _key(domain))

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _do(self, what: str, *arguments: Any, **named: Any) -> Any:
        if monotonic() < self._away_until:
            raise RedisDown(reason="it failed a moment ago")
        try:
            return await self._in_time(getattr(self._open(), what)(*arguments, **named))
        except Exception as error:
            self._away_until = monotonic() + AWAY_S
            _log.warning("redis left alone", reason=f"{type(error).__name__}: {error}")
            raise RedisDown(reason=type(error).__name__) from error

    async def _in_time(self, answer: Awaitable[_Answer]) -> _Answer:
        async with asyncio.timeout(self.slow_s):
            return await answer

    def _open(self) -> Any:
        if self._client is None:
            from redis.asyncio import Redis  # noqa: PLC0415

            self._client = Redis.from_url(
                self._url,
                socket_timeout=self.slow_s,
                socket_connect_timeout=self.slow_s,
                max_connections=50,
            )
        return self._client


def _free_from(until: datetime | None) -> float:
    return until.timestamp() if until else time()


def _key(domain: str) -> str:
    return f"mindhit:ua:{domain}"


def _health(domain: str) -> str:
    return f"{_key(domain)}:health"
