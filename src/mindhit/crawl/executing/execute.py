"""Executing one task. What is written in which transaction is drawn here; a crash may come anywhere.

    A  take a user agent            nothing has changed yet
    B  RUNNING, an execution        one transaction
    C  fetch                        none open
    D  the agent's health           one transaction
    E  SUCCESS, raws, further       one transaction, with the job itself
       tasks with their messages
       or FAILED → RETRY

Killed before E, the job runs again after its lease, closes the execution that was lost, and goes on; after
E there is no job any more. Frozen for longer than its lease, a worker finds at B and E that the job is
another's, and writes nothing. A message of another attempt, or of a task that is done, does nothing.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import perf_counter
from typing import Final
from uuid import UUID

from mindhit import fetching
from mindhit.clock import utc_now
from mindhit.crawl import failure_path, metrics, store
from mindhit.crawl.executing import breakers, failing
from mindhit.crawl.executing.agent_health import Reception
from mindhit.crawl.executing.agents import Agents
from mindhit.crawl.executing.results import keep_listing, keep_page, packed
from mindhit.crawl.job_types import Execute
from mindhit.crawl.model import Stage, TargetKind, TaskStatus
from mindhit.crawl.products.gone import miss_one
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.sites import registry
from mindhit.crawl.sites.api import Block, Page
from mindhit.crawl.sites.reading import Examined, Reader
from mindhit.crawl.store.agents import Taken
from mindhit.crawl.store.tasks import Claimed
from mindhit.fetching import CaptchaPage, Fetcher, FetchFailed, Permanent, Throttled
from mindhit.work import Cancelled, Outcome, Snooze, Work

NO_AGENT_S: Final = 60.0
PERMANENT_STATUSES: Final = frozenset({401, 404, 410, 451})
_DONE = Cancelled("it is done, or of another attempt")


class SiteBlocked(FetchFailed):
    """The site answered with something else than the page."""

    def __init__(self, block: Block) -> None:
        super().__init__(f"The site shows a page of another kind: {block}.")
        self.block = block


class Unreadable(FetchFailed):
    """The site's plug-in can't read this page."""


@dataclass(frozen=True, slots=True)
class Try:
    """One execution: the task, the agent, and since when."""

    task: Claimed
    agent: Taken
    execution_id: UUID
    began: float

    @property
    def ms(self) -> int:
        return round((perf_counter() - self.began) * 1000)


@dataclass(slots=True)
class Executor:
    """What lasts between tasks; `close` it."""

    settings: CrawlSettings
    fetcher: Fetcher
    reader: Reader
    agents: Agents

    async def __call__(self, work: Work[Execute]) -> Outcome | None:  # noqa: PLR0911  each step may end it
        task = await self._claim(work)
        if task is None:
            return _DONE
        wait_s = await breakers.deferral_s(work.db, task.domain, task.id)
        if wait_s is not None:
            return Snooze(wait_s, f"{task.domain} is left alone for a while")
        agent = await self.agents.take(work.db, task.domain)  # A
        if agent is None:
            return Snooze(NO_AGENT_S, f"no user agent for {task.domain}")
        trying = await self._start(work, task, agent)  # B
        if trying is None:
            return _DONE
        try:
            page, examined = await self._fetch(work, trying)  # C
        except _Later as later:
            await self._put_back(work, trying)
            return later.snooze
        except FetchFailed as error:
            await self._report(work, trying, _reception_of(error))
            await self._fail(work, trying, error)
            return None
        await self._report(work, trying, Reception.WELCOME)  # D
        await self._succeed(work, trying, page, examined)  # E
        return None

    async def close(self) -> None:
        await self.fetcher.close()
        await self.reader.close()
        await self.agents.close()

    async def _claim(self, work: Work[Execute]) -> Claimed | None:
        found = await work.db.alone(store.tasks.CLAIMED, work.args.user_id, work.args.task_id)
        task = found[0] if found else None
        if task is None or task.key != work.args.key:
            return None
        return None if task.status in {TaskStatus.SUCCESS, TaskStatus.FAILED} else task

    async def _start(self, work: Work[Execute], task: Claimed, agent: Taken) -> Try | None:
        user_id = work.args.user_id
        async with work.db.transaction() as tx:
            await work.keep_lease(tx)
            if task.status in {TaskStatus.WAITING, TaskStatus.RETRY}:
                # The message was faster than the relay that is still to write that it was sent.
                await tx.run(store.outbox.ARRIVED, user_id, task.id, work.args.key)
            if await tx.maybe(store.tasks.START, user_id, task.id) is None:
                return None
            if task.status == TaskStatus.RUNNING:
                metrics.RECOVERED.labels("execution").inc()
            await tx.run(store.tasks.CLOSE_LOST, user_id, task.id)
            execution_id = await tx.one(
                store.tasks.ADD_EXECUTION, user_id, task.id, task.retry_count + 1, agent.id
            )
        return Try(task, agent, execution_id, perf_counter())

    async def _fetch(self, work: Work[Execute], trying: Try) -> tuple[Page, Examined]:
        task = trying.task
        fetched = await fetching.fetch_in_slot(
            work, self.fetcher, task.url, user_agent=trying.agent.user_agent
        )
        metrics.FETCH_MS.observe(trying.ms)
        if isinstance(fetched, Snooze):
            raise _Later(fetched)
        if not isinstance(fetched, fetching.Page):
            raise Permanent(reason="nothing was sent")
        # As it was decoded: a raw is always UTF-8.
        body = fetched.text.encode("utf-8", "replace")
        page = Page(fetched.url, body, fetched.content_type)
        examined = await self.reader.examine(task.site, Stage(task.type), page)
        if examined.block is not None:
            raise SiteBlocked(examined.block)
        if examined.problem is not None:
            raise Unreadable(reason=examined.problem)
        return page, examined

    async def _put_back(self, work: Work[Execute], trying: Try) -> None:
        """It was not tried after all, so no attempt is counted."""
        async with work.db.transaction() as tx:
            await work.keep_lease(tx)
            await tx.run(store.tasks.PUT_BACK, work.args.user_id, trying.task.id)
            await tx.run(store.tasks.DROP_EXECUTION, work.args.user_id, trying.execution_id)

    async def _report(self, work: Work[Execute], trying: Try, reception: Reception) -> None:
        await self.agents.report(work.db, trying.task.domain, trying.agent, reception, utc_now())

    async def _succeed(
        self, work: Work[Execute], trying: Try, page: Page, examined: Examined
    ) -> None:
        task, user_id = trying.task, work.args.user_id
        body = b"" if examined.found else await asyncio.to_thread(packed, page.body)
        async with work.settling() as tx:
            if await tx.maybe(store.tasks.SUCCEED, user_id, task.id) is None:
                return
            await tx.run(store.tasks.END_EXECUTION, _ended(user_id, trying, "SUCCESS", 200, None))
            if examined.found is not None:
                await keep_listing(
                    tx, user_id, task, examined.found, examined.version, self.settings.crawl_pages
                )
            else:
                await keep_page(tx, user_id, task, page, body, examined.version)
        metrics.TASKS.labels(TaskStatus.SUCCESS).inc()

    async def _fail(self, work: Work[Execute], trying: Try, error: FetchFailed) -> None:
        """If even this fails the job fails with it, and runs again: the task is never left alone."""
        task, user_id = trying.task, work.args.user_id
        status = error.facts.get("status")
        http_status = status if isinstance(status, int) else None
        with failure_path.counted("execute", task_id=task.id):
            async with work.settling() as tx:
                ended = _ended(user_id, trying, "FAILED", http_status, error.reason)
                await tx.run(store.tasks.END_EXECUTION, ended)
                if _is_missing(error, http_status) and _speaks_for_product(task):
                    await miss_one(tx, user_id, task.site, task.item_key, utc_now())
                await failing.fail(
                    tx,
                    user_id,
                    task.id,
                    failures=task.retry_count,
                    error=error.reason,
                    retries=self.settings.crawl_task_retries,
                    after_s=error.retry_after_s if isinstance(error, Throttled) else None,
                    is_permanent=_is_permanent(error, http_status),
                )


class _Later(Exception):
    """Not tried: the slot of another site is needed, or the site asked for time."""

    def __init__(self, snooze: Snooze) -> None:
        super().__init__(snooze.reason)
        self.snooze = snooze


def _ended(
    user_id: UUID, trying: Try, status: str, http_status: int | None, error: str | None
) -> store.tasks.Ended:
    return store.tasks.Ended(
        user_id=user_id,
        execution_id=trying.execution_id,
        status=status,
        http_status=http_status,
        duration_ms=trying.ms,
        error=None if error is None else error[: failing.LONGEST_ERROR],
    )


def _reception_of(error: FetchFailed) -> Reception:
    """403, 429 and captchas are meant for us; an error of the site's own says nothing of the agent."""
    if isinstance(error, SiteBlocked):
        return Reception.UNWELCOME if error.block == Block.CAPTCHA else Reception.NEITHER
    if isinstance(error, (Throttled, CaptchaPage)) or error.facts.get("status") == 403:
        return Reception.UNWELCOME
    return Reception.NEITHER


def _is_permanent(error: FetchFailed, http_status: int | None) -> bool:
    if isinstance(error, SiteBlocked):
        return error.block != Block.CAPTCHA
    if isinstance(error, Unreadable):
        return False
    if isinstance(
        error, (fetching.RobotsDisallow, fetching.AddressForbidden, fetching.FetchingOff)
    ):
        return True
    return isinstance(error, Permanent) or http_status in PERMANENT_STATUSES


def _speaks_for_product(task: Claimed) -> bool:
    """Whether a product without this page is gone. One page of each is counted, once a run."""
    if task.type != Stage.MINI_SHOP:
        return task.type == Stage.DETAIL
    site, kind = registry.site_named(task.site), TargetKind(task.target)
    return Stage.DETAIL not in registry.stages_of(site, task.schedule_url, kind).stages


def _is_missing(error: FetchFailed, http_status: int | None) -> bool:
    if isinstance(error, SiteBlocked):
        return error.block == Block.NOT_FOUND
    return http_status in {404, 410}
