"""The fetcher: from an address to a page, politely and safely.

    address ─guard─▶ robots.txt ─▶ request ─▶ redirect? ─▶ what the answer means ─▶ charset ─▶ Page
       ▲                                        │ same domain
       └────────────────────────────────────────┘ another one: `Moved`, back to the queue

Holds what lasts between calls: connections, and what it knows of sites' robots.txt. How many requests
a site gets at once is not decided here but by the slots of the engine: call `fetch` in a job of the
page's domain, through `fetch_in_slot` (in_slot.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Final, TypeAlias

import aiohttp
from aiohttp.abc import AbstractResolver

from mindhit import log
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.fetching import charset, metrics, reading
from mindhit.fetching.addresses import domain_of, path_of, target_of
from mindhit.fetching.answer import Answer
from mindhit.fetching.classify import failure_of, throttling_of, type_of
from mindhit.fetching.guard import Guard
from mindhit.fetching.lookups import Lookups
from mindhit.fetching.model import (
    Fetched,
    FetchFailed,
    FetchingOff,
    Moved,
    Page,
    Permanent,
    RobotsDisallow,
    Step,
    Throttled,
    Transient,
    Unchanged,
    Validators,
)
from mindhit.fetching.robots.cache import Robots, RulesElsewhere
from mindhit.fetching.sessions import guarded_session
from mindhit.fetching.settings import FetchSettings
from mindhit.fetching.waits import leave_alone

_log = log.get(__name__)
Watch: TypeAlias = Callable[[Step], None]
KEPT_HEADERS: Final = (
    "etag",
    "last-modified",
    "content-language",
    "content-location",
    "link",
    "x-robots-tag",
)
NOTHING_KNOWN: Final = Validators()
_DECODED_HERE: Final = 64 * 1024  # larger bodies are decoded in a thread: 5 MB of EUC-KR take 60 ms


class Fetcher:
    """Opened by its first fetch; closed by `close`, or with its event loop."""

    def __init__(
        self,
        db: Database | None,
        settings: FetchSettings | None = None,
        *,
        guard: Guard | None = None,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self.settings = settings or FetchSettings()
        self.guard = guard or Guard(self.settings.allowed_networks)
        self._db = db
        self.robots = Robots(db, self._ask_for_start)
        self.lookups = Lookups()
        self._resolver = resolver
        self._session: aiohttp.ClientSession | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def fetch(
        self,
        url: str,
        *,
        known: Validators = NOTHING_KNOWN,
        within: str | None = None,
        hops: int = 0,
        user_agent: str | None = None,
        watch: Watch = lambda _: None,
    ) -> Fetched:
        """The page at `url`, after redirects. Raises `FetchFailed`.

        `within` is the domain whose slot the caller has: what is elsewhere is `Moved`. Without it
        redirects lead anywhere. `hops` is how many redirects it took so far.
        """
        went = _Way(url, watch, known, within, hops, user_agent or self.settings.fetch_user_agent)
        outcome = "canceled"
        try:
            async with asyncio.timeout(self.settings.fetch_timeout):
                fetched = await self._go(went)
            outcome = type(fetched).__name__.lower()
            return fetched
        except TimeoutError:
            outcome = Transient.outcome
            limit = f"{self.settings.fetch_timeout:g} s"
            raise Transient(reason=f"it took longer than {limit}") from None
        except FetchFailed as error:
            outcome = error.outcome
            _log.info("page not fetched", domain=_domain(went.url), outcome=outcome, **error.facts)
            raise
        finally:
            metrics.ended_as(outcome).inc()
            metrics.DURATION.observe(went.ms)

    async def fetch_bytes(self, url: str, *, within: str, most_bytes: int) -> bytes | None:
        """A small file that belongs to a page, an icon say: of the same domain, without redirects. None
        where it can't be had, or is larger; a site that asks for time instead is left alone."""
        if not self.settings.fetching:
            return None
        try:
            async with asyncio.timeout(self.settings.fetch_timeout):
                answer = await self._ask_for_file(url, within, most_bytes)
        except Throttled as throttled:
            if self._db is not None:
                await leave_alone(self._db, within, throttled)
            return None
        except (FetchFailed, RulesElsewhere, TimeoutError, ValueError):
            return None
        is_whole = answer.status == 200 and len(answer.body) <= most_bytes
        return answer.body if is_whole else None

    async def close(self) -> None:
        keeper, self._keeper, self._session = self._keeper, None, None
        if keeper is not None:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)

    async def _go(self, way: _Way) -> Fetched:
        if not self.settings.fetching:
            raise FetchingOff
        while True:
            way.url = self.guard.check_url(way.url)
            if way.within is not None and domain_of(way.url) != way.within:
                return Moved(way.url, domain_of(way.url), way.hops)
            try:
                await self._obey(way)
            except RulesElsewhere as elsewhere:
                return Moved(way.url, elsewhere.domain, way.hops)
            answer = await self._ask(way)
            way.say("status", f"{answer.status} {answer.content_type}".rstrip())
            if answer.is_redirect:
                self._turn(way, answer)
            elif answer.status == 304 and way.known != NOTHING_KNOWN:
                return Unchanged(way.url, way.known)
            elif failure := failure_of(answer, utc_now()):
                raise failure
            else:
                return await _page(way, answer)

    async def _obey(self, way: _Way) -> None:
        rules = await self.robots.rules_for(way.url, way.within)
        if not rules.allow(path_of(way.url)):
            way.say("robots", "disallowed")
            raise RobotsDisallow
        way.say("robots", "allowed")

    async def _ask(self, way: _Way) -> Answer:
        headers = {"User-Agent": way.user_agent}
        if way.known.etag:
            headers["If-None-Match"] = way.known.etag
        if way.known.last_modified:
            headers["If-Modified-Since"] = way.known.last_modified
        return await reading.ask(
            self._open(),
            way.url,
            headers=headers,
            most_bytes=self.settings.fetch_body_limit,
            first_byte_s=self.settings.fetch_first_byte_timeout,
        )

    async def _ask_for_start(self, url: str, most_bytes: int) -> Answer:
        """Whatever it is, up to so many bytes."""
        return await reading.ask(
            self._open(),
            self.guard.check_url(url),
            headers={"User-Agent": self.settings.fetch_user_agent},
            most_bytes=most_bytes,
            first_byte_s=self.settings.fetch_first_byte_timeout,
            is_cut=True,
        )

    async def _ask_for_file(self, url: str, within: str, most_bytes: int) -> Answer:
        url = self.guard.check_url(url)
        if domain_of(url) != within:
            raise Permanent(reason="it is on another domain")
        rules = await self.robots.rules_for(url, within)
        if not rules.allow(path_of(url)):
            raise RobotsDisallow
        answer = await self._ask_for_start(url, most_bytes + 1)
        if throttled := throttling_of(answer, utc_now()):
            raise throttled
        return answer

    def _turn(self, way: _Way, answer: Answer) -> None:
        """Where a redirect leads. From https to http too: no cookie or password goes along."""
        target = target_of(way.url, answer.location)
        if target is None:
            raise Permanent(reason="it redirects to what is no page", status=answer.status)
        way.hops += 1
        if way.hops > self.settings.fetch_redirect_limit:
            raise Permanent(reason=f"more than {self.settings.fetch_redirect_limit} redirects")
        way.say("redirect", f"to {target}")
        way.url = target

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            self._session = guarded_session(
                self.guard,
                resolver=self._resolver,
                connect_s=self.settings.fetch_connect_timeout,
                total_s=None,
                silence_s=self.settings.fetch_first_byte_timeout,
                auto_decompress=False,
            )
            self._keeper = asyncio.create_task(_keep(self._session), name="fetcher's connections")
        return self._session


class _Way:
    """One fetch: where it is, and what it has to keep to."""

    __slots__ = ("_began", "_watch", "hops", "known", "url", "user_agent", "within")

    def __init__(
        self,
        url: str,
        watch: Watch,
        known: Validators,
        within: str | None,
        hops: int,
        user_agent: str,
    ) -> None:
        self.url = url
        self.known = known
        self.within = within
        self.hops = hops
        self.user_agent = user_agent
        self._watch = watch
        self._began = perf_counter()

    @property
    def ms(self) -> float:
        return (perf_counter() - self._began) * 1000

    def say(self, what: str, detail: str) -> None:
        self._watch(Step(what, self.url, detail, round(self.ms, 1)))


async def _page(way: _Way, answer: Answer) -> Page:
    content_type = type_of(answer.body, answer.content_type)
    arguments = answer.body, answer.headers.get("Content-Type", "")
    is_markup = not content_type.endswith(("json", "/plain"))
    if len(answer.body) <= _DECODED_HERE:
        text, name = charset.decode(*arguments, is_markup=is_markup)
    else:
        text, name = await asyncio.to_thread(charset.decode, *arguments, is_markup=is_markup)
    headers = {each: answer.headers[each] for each in KEPT_HEADERS if each in answer.headers}
    way.say("body", f"{len(answer.body)} bytes ({answer.wire_bytes} sent), {name}")
    return Page(
        way.url,
        answer.status,
        content_type,
        name,
        answer.body,
        text,
        headers,
        way.hops,
        answer.wire_bytes,
        way.ms,
    )


async def _keep(session: aiohttp.ClientSession) -> None:
    """Closes the connections when it is cancelled: by `close`, or by the end of the event loop."""
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        await session.close()


def _domain(url: str) -> str | None:
    try:
        return domain_of(url)
    except ValueError:
        return None
