"""Jobs of the crawler: what each does, and when it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from mindhit.clock import utc_now
from mindhit.crawl import store
from mindhit.crawl.job_types import Apply, Execute, Listed, Receive, Relay, Sweep, Tick
from mindhit.crawl.model import SchedulerId, TaskId
from mindhit.crawl.recovery import sweeping
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.transport.port import Queue, Transport
from mindhit.db import Tx
from mindhit.fetching import FetchSettings
from mindhit.settings import Settings
from mindhit.slices import Jobs, Product
from mindhit.work import Outcome, Schedule, Work

if TYPE_CHECKING:
    from mindhit.crawl.executing.execute import Executor
    from mindhit.crawl.sites.reading import Reader
    from mindhit.crawl.transport.sqs import SqsQueue

TICK_EVERY_S = 30
RELAY_EVERY_S = 5
RECEIVE_EVERY_S = 5


class _Lasting:
    """What lasts between jobs of a worker. Loaded by the first of them: most commands run none."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings[CrawlSettings]
        self._all = settings
        self._executor: Executor | None = None
        self._reader: Reader | None = None
        self._transport: Transport | None = None
        self._triggers: SqsQueue | None = None

    @property
    def reader(self) -> Reader:
        from mindhit.crawl.sites.reading import make_reader  # noqa: PLC0415

        self._reader = self._reader or make_reader()
        return self._reader

    def executor(self, work: Work[Any]) -> Executor:
        if self._executor is None:
            from mindhit.crawl.executing.agents import Agents  # noqa: PLC0415
            from mindhit.crawl.executing.execute import Executor  # noqa: PLC0415
            from mindhit.fetching import Fetcher  # noqa: PLC0415

            fetching = self._all[FetchSettings]
            self._executor = Executor(
                self.settings,
                Fetcher(work.db, fetching),
                self.reader,
                Agents(self.settings, fetching),
            )
        return self._executor

    @property
    def transport(self) -> Transport:
        if self._transport is None:
            self._transport = make_transport(self.settings)
        return self._transport

    def queue(self, name: str) -> Queue | None:
        """Of tasks or of triggers, where there is one."""
        from mindhit.crawl.transport.sqs import SqsQueue, SqsTransport  # noqa: PLC0415

        if name == "task":
            transport = self.transport
            return transport.queue if isinstance(transport, SqsTransport) else None
        if self._triggers is None and self.settings.sqs_trigger_queue is not None:
            self._triggers = SqsQueue(self.settings.sqs_trigger_queue, self.settings)
        return self._triggers

    async def close(self) -> None:
        """Connections and processes; called when the worker ends."""
        for each in (self._executor, self._reader, self._transport, self._triggers):
            if each is not None:
                await each.close()
        self._executor = self._reader = self._transport = self._triggers = None


def make_transport(settings: CrawlSettings) -> Transport:
    if settings.crawl_transport == "sqs":
        from mindhit.crawl.transport.sqs import SqsTransport  # noqa: PLC0415

        return SqsTransport(settings)
    from mindhit.crawl.transport.postgres import PostgresTransport  # noqa: PLC0415

    return PostgresTransport()


class _Handlers:
    """One handler per kind, over what lasts."""

    def __init__(self, lasting: _Lasting) -> None:
        self._lasting = lasting

    async def tick(self, work: Work[Tick]) -> None:
        from mindhit.crawl.scheduling.triggering import tick  # noqa: PLC0415

        if self._lasting.settings.crawl_trigger == "tick":
            await tick(work.db, utc_now())

    async def relay(self, work: Work[Relay]) -> None:
        from mindhit.crawl.transport.relay import relay  # noqa: PLC0415

        await relay(work.db, self._lasting.transport, self._lasting.settings)

    async def execute(self, work: Work[Execute]) -> Outcome | None:
        return await self._lasting.executor(work)(work)

    async def apply(self, work: Work[Apply]) -> Outcome | None:
        from mindhit.crawl.products.apply import apply  # noqa: PLC0415

        return await apply(self._lasting.settings, self._lasting.reader, work)

    async def listed(self, work: Work[Listed]) -> None:
        from mindhit.crawl.products.gone import miss_unlisted  # noqa: PLC0415

        args = work.args
        async with work.settling() as tx:
            run = SchedulerId(args.scheduler_id), TaskId(args.task_id)
            await miss_unlisted(tx, args.user_id, *run, utc_now())

    async def sweep(self, work: Work[Sweep]) -> None:
        queue = self._lasting.queue("task")
        await sweeping.sweep(
            work.db, self._lasting.settings, None if queue is None else queue.is_empty
        )

    async def receive(self, work: Work[Receive]) -> None:
        from mindhit.crawl.transport.receiving import (  # noqa: PLC0415
            receive_tasks,
            receive_triggers,
        )

        queue = self._lasting.queue(work.args.queue)
        if queue is not None:
            receive = receive_tasks if work.args.queue == "task" else receive_triggers
            await receive(work.db, queue)


class _Closing:
    """The handler that the worker closes the rest by."""

    def __init__(self, handlers: _Handlers, lasting: _Lasting) -> None:
        self._execute = handlers.execute
        self._lasting = lasting

    async def __call__(self, work: Work[Execute]) -> Outcome | None:
        return await self._execute(work)

    async def close(self) -> None:
        await self._lasting.close()


async def erase(tx: Tx, user_id: UUID, _email: str) -> None:
    await tx.run(store.schedulers.ERASE, user_id)
    await tx.run(store.alerts.ERASE, user_id)


def jobs(product: Product) -> Jobs:
    lasting = _Lasting(product.settings)
    handlers = _Handlers(lasting)
    return {
        Tick: handlers.tick,
        Relay: handlers.relay,
        Execute: _Closing(handlers, lasting),
        Apply: handlers.apply,
        Listed: handlers.listed,
        Sweep: handlers.sweep,
        Receive: handlers.receive,
    }


def schedules(product: Product) -> tuple[Schedule, ...]:
    settings = product.settings[CrawlSettings]
    found = [
        Schedule("crawl:tick", Tick(), every_s=TICK_EVERY_S),
        Schedule("crawl:relay", Relay(), every_s=RELAY_EVERY_S),
        Schedule("crawl:sweep", Sweep(), every_s=sweeping.SWEEP_EVERY_S),
    ]
    if settings.crawl_transport == "sqs":
        found.append(Schedule("crawl:receive tasks", Receive("task"), every_s=RECEIVE_EVERY_S))
    if settings.sqs_trigger_queue is not None:
        found.append(
            Schedule("crawl:receive triggers", Receive("trigger"), every_s=RECEIVE_EVERY_S)
        )
    return tuple(found)
