"""The rules of a site: known here, known in the database, or asked for.

A robots.txt is good for a day (RFC 9309, 2.4). 4xx means that there are no rules. 5xx and silence
mean that nothing may be read for now, so the page is tried again later: when the site says, if it does
(429, or 503 with Retry-After). It is fetched in the slot of
the job that needs it: where it is redirected to another domain, the job has to go there first, and the
cache keeps how far it got (`RulesElsewhere`).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final, NamedTuple, TypeAlias
from weakref import WeakValueDictionary

from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.fetching import store
from mindhit.fetching.addresses import domain_of, origin_of, target_of
from mindhit.fetching.answer import Answer
from mindhit.fetching.classify import throttling_of
from mindhit.fetching.model import Blocked, Permanent, Throttled, Transient
from mindhit.fetching.robots.rules import EVERYTHING, MOST_BYTES, Rules, parse

FRESH_S: Final = 86_400.0
UNREACHABLE_S: Final = 300.0  # before a site that did not answer is asked again
HOPS: Final = 5  # RFC 9309, 2.3.1.2; after more there are no rules
_MOST_KNOWN = 500  # of at most some 300 kB each; the database has them all
_NO_ANSWER = 0
Ask: TypeAlias = Callable[[str, int], Awaitable[Answer]]


class RulesElsewhere(Exception):
    """The rules are on another domain, where the caller has no slot."""

    def __init__(self, domain: str) -> None:
        super().__init__(domain)
        self.domain = domain


class NoRules(NamedTuple):
    """The site's rules can't be had, so that nothing may be read."""

    reason: str


class Robots:
    """What this process knows of sites' rules. Without a database it knows them alone."""

    def __init__(self, db: Database | None, ask: Ask) -> None:
        self._db = db
        self._ask = ask
        # origin → its rules, or why we are without; until when
        self._known: OrderedDict[str, tuple[Rules | NoRules, float]] = OrderedDict()
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def rules_for(self, url: str, within: str | None) -> Rules:
        """Raises `Transient` or `Throttled` where they can't be had, and `RulesElsewhere`."""
        origin = origin_of(url)
        known = self._look_up(origin)
        if known is None:
            lock = self._asking.setdefault(origin, asyncio.Lock())
            async with lock:  # of several that need it, one asks
                known = self._look_up(origin)
                if known is None:
                    known = await self._find_out(origin, within)
        if isinstance(known, NoRules):
            raise Transient(reason=known.reason)
        return known

    async def continue_for(self, url: str, within: str) -> None:
        """Ask for the rest of a redirected robots.txt if `within` is where it is; for `RulesElsewhere`."""
        try:
            await self.rules_for(url, within)
        except (RulesElsewhere, Transient):
            return

    def _look_up(self, origin: str) -> Rules | NoRules | None:
        known, until = self._known.get(origin, (None, 0.0))
        return known if monotonic() < until else None

    def _remember(self, origin: str, known: Rules | NoRules, for_s: float) -> None:
        self._known[origin] = known, monotonic() + for_s
        self._known.move_to_end(origin)
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)

    async def _find_out(self, origin: str, within: str | None) -> Rules | NoRules:
        at, hops = f"{origin}/robots.txt", 0
        stored = await self._stored(origin)
        if stored is not None:
            if not _is_redirect(stored.status):
                known = _meaning(stored.status, stored.body)
                self._remember(origin, known, stored.fresh_s)
                return known
            said, _, at = stored.body.partition(" ")
            hops = int(said)
        return await self._follow(origin, at, hops, within)

    async def _follow(self, origin: str, at: str, hops: int, within: str | None) -> Rules | NoRules:
        while True:
            if within is not None and domain_of(at) != within:
                if hops:  # for as long as a job may wait in the other domain's queue
                    await self._store(origin, 302, f"{hops} {at}", FRESH_S)
                raise RulesElsewhere(domain_of(at))
            try:
                answer = await self._ask(at, MOST_BYTES)
            except Blocked:
                if not hops:
                    raise  # the site itself is one we don't connect to
                return await self._conclude(
                    origin, _NO_ANSWER, "it is redirected to a private network"
                )
            except (Transient, Permanent) as error:
                return await self._conclude(origin, _NO_ANSWER, str(error.facts["reason"]))
            if throttled := throttling_of(answer, utc_now()):
                # Not kept here: it holds for the whole domain, and whoever has the slot keeps it.
                said = f"robots.txt answered {answer.status}"
                raise Throttled(throttled.retry_after_s, status=answer.status, reason=said)
            if not _is_redirect(answer.status):
                body = answer.body.decode("utf-8", "replace") if answer.status < 300 else ""
                return await self._conclude(origin, answer.status, body)
            hops += 1
            target = target_of(at, answer.location)
            if hops > HOPS or target is None:
                return await self._conclude(origin, 404, "")
            at = target

    async def _conclude(self, origin: str, status: int, body: str) -> Rules | NoRules:
        known = _meaning(status, body)
        for_s = UNREACHABLE_S if isinstance(known, NoRules) else FRESH_S
        self._remember(origin, known, for_s)
        await self._store(origin, status, body, for_s)
        return known

    async def _stored(self, origin: str) -> store.StoredRobots | None:
        if self._db is None:
            return None
        async with self._db.read() as tx:
            return await tx.maybe(store.ROBOTS, origin)

    async def _store(self, origin: str, status: int, body: str, for_s: float) -> None:
        if self._db is not None:
            async with self._db.transaction() as tx:
                # PostgreSQL rejects NUL.
                await tx.run(store.KEEP_ROBOTS, origin, status, body.replace("\0", " "), for_s)


def _is_redirect(status: int) -> bool:
    return status in {301, 302, 303, 307, 308}


def _meaning(status: int, body: str) -> Rules | NoRules:
    if 200 <= status < 300:
        return parse(body)
    if 300 <= status < 500:
        return EVERYTHING
    cause = f"answered {status}" if status else f"could not be read: {body}".rstrip(": ")
    return NoRules(f"robots.txt {cause}")
