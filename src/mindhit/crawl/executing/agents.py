"""Who we say we are: user agents from the database, or from Redis while that is there.

The database has every score. Redis has the same agents by when they may be used again, and hands them
out without a lock; it may be empty, slow or gone at any time.
"""

from __future__ import annotations

from datetime import datetime

from mindhit.crawl import metrics, store
from mindhit.crawl.executing import breakers
from mindhit.crawl.executing.agent_health import Health, Reception, after, breaks
from mindhit.crawl.executing.redis_tokens import RedisDown, RedisTokens
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.store.agents import Taken
from mindhit.db import Database, Tx
from mindhit.fetching import FetchSettings


class Agents:
    """The pool; `close` it."""

    def __init__(self, settings: CrawlSettings, fetching: FetchSettings) -> None:
        self._named = list(settings.crawl_user_agents) or [fetching.fetch_user_agent]
        url = settings.redis_url
        self.tokens = None if url is None else RedisTokens(url.get_secret_value())
        self._is_known = False

    async def take(self, db: Database, domain: str) -> Taken | None:
        """One that the site has not turned away lately; None where there is none."""
        await self._make_known(db)
        if self.tokens is not None:
            try:
                taken = await self._from_redis(db, self.tokens, domain)
            except RedisDown:
                metrics.REDIS_FALLBACKS.inc()
            else:
                if taken is not None:
                    return taken
        # Redis may not have heard of one that is new, or that may be used again.
        return next(iter(await db.alone(store.agents.TAKE, domain)), None)

    async def report(
        self, db: Database, domain: str, agent: Taken, reception: Reception, now: datetime
    ) -> None:
        """What a request says of its agent, and of its site."""
        if reception == Reception.NEITHER:
            return
        async with db.transaction() as tx:
            known = await tx.one(store.agents.LOCK_SCORE, domain, agent.id)
            health = after(Health(known.health_score, known.suspended_until), reception, now)
            await tx.run(
                store.agents.SET_SCORE, domain, agent.id, health.score, health.suspended_until
            )
            is_back = False
            if reception == Reception.WELCOME:
                is_back = await breakers.close_breaker(tx, domain)
            else:
                await _leave_alone(tx, domain, now)
        if self.tokens is not None:
            try:
                if is_back:
                    await self.tokens.forget(domain)  # the others may be used again too
                    return
                await self.tokens.put(domain, agent.id, health.suspended_until, health.score)
            except RedisDown:
                metrics.REDIS_FALLBACKS.inc()

    async def close(self) -> None:
        if self.tokens is not None:
            await self.tokens.close()

    async def _from_redis(self, db: Database, tokens: RedisTokens, domain: str) -> Taken | None:
        """Redis may have lost everything, or missed something while it was away: then it learns the agents
        again."""
        for _ in range(2):
            taken = await tokens.take(domain)
            if taken is not None:
                found = await db.alone(store.agents.FREE, domain, taken)
                if found:
                    return found[0]
                await tokens.forget(domain)
            elif await tokens.knows(domain):
                return None
            known = await db.alone(store.agents.ALL_AT, domain)
            await tokens.learn(domain, {each.id: each.suspended_until for each in known})
        return None

    async def _make_known(self, db: Database) -> None:
        """Those of the settings, once per process."""
        if not self._is_known:
            async with db.transaction() as tx:
                await tx.run(store.agents.ADD, self._named)
                await tx.run(store.agents.BLOCK_OTHERS, self._named)
            self._is_known = True


async def _leave_alone(tx: Tx, domain: str, now: datetime) -> None:
    """Where few agents are left, or the one that asked for all of them was turned away too."""
    if await breakers.is_half_open(tx, domain):
        await breakers.open_breaker(tx, domain, "it still turns us away")
        return
    known = await tx.all(store.agents.ALL_AT, domain)
    available = sum(each.suspended_until is None or each.suspended_until <= now for each in known)
    if breaks(available, len(known)):
        reason = f"{available} of {len(known)} user agents are left"
        await breakers.open_breaker(tx, domain, reason)
