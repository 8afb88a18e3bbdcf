"""What the jobs of this slice do. Their arguments are in `job_types.py`."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from mindhit.db import Database
from mindhit.errors import NotFound
from mindhit.fetching import FetchSettings
from mindhit.insight import backfill
from mindhit.insight.job_types import BackFill, CrawlPage, MailReport, ProcessSession, TagText
from mindhit.insight.processing import flow
from mindhit.insight.processing.summarising import summarise
from mindhit.insight.report import sending
from mindhit.language import Language, Reader
from mindhit.mail import MailFailed, MailSettings, SmtpClient
from mindhit.process_pool import ProcessPool
from mindhit.settings import Settings
from mindhit.slices import Jobs, Product
from mindhit.tracking import SessionId
from mindhit.work import Cancelled, Outcome, Schedule, Snooze, Work

if TYPE_CHECKING:
    from mindhit.fetching.fetcher import Fetcher
    from mindhit.fetching.page_reader import PageReader


class Tools:
    """What handlers keep between jobs: made when it is first needed, released with the worker."""

    def __init__(self, settings: Settings, allowed: Collection[str] = ()) -> None:
        self.settings = settings
        self.allowed = allowed
        self.smtp = SmtpClient(settings[MailSettings])
        self._language: Language | None = None
        self._fetcher: Fetcher | None = None
        self._reader: PageReader | None = None
        self._pool: ProcessPool | None = None

    def language(self, db: Database) -> Language:
        self._language = self._language or Language(db, self.settings)
        return self._language

    def fetcher(self, db: Database) -> Fetcher:
        if self._fetcher is None:
            from mindhit.fetching.fetcher import Fetcher  # noqa: PLC0415  loads an HTTP library

            self._fetcher = Fetcher(db, self.settings[FetchSettings])
        return self._fetcher

    def reader(self) -> PageReader:
        if self._reader is None:
            from mindhit.fetching.page_reader import make_reader  # noqa: PLC0415  as above

            self._reader = make_reader(self.settings[FetchSettings])
        return self._reader

    def pool(self) -> ProcessPool:
        self._pool = self._pool or ProcessPool(1)
        return self._pool

    async def close(self) -> None:
        """They are made again if somebody needs them after all."""
        tools: list[Any] = [self._language, self._fetcher, self._reader, self._pool]
        self._language = self._fetcher = self._reader = self._pool = None
        for tool in tools:
            if tool is not None:
                await tool.close()


class _Handler:
    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    async def close(self) -> None:
        await self.tools.close()


class _Process(_Handler):
    async def __call__(self, work: Work[ProcessSession]) -> Snooze | Cancelled | None:
        try:
            return await flow.process(work, self.tools.language(work.db))
        except NotFound:
            return Cancelled("the session was deleted")
        except Exception as error:
            if work.is_last_attempt:
                await flow.fail(work, error)
            raise


class _Tag(_Handler):
    async def __call__(self, work: Work[TagText]) -> None:
        args = work.args
        language = self.tools.language(work.db)
        await summarise(work.db, language, Reader(args.user_id), args.content_id)


class _Crawl(_Handler):
    async def __call__(self, work: Work[CrawlPage]) -> Outcome | None:
        from mindhit.insight.crawling import crawl  # noqa: PLC0415  loads an HTTP library

        tools = self.tools
        return await crawl(work, tools.fetcher(work.db), tools.reader(), tools.allowed)


class _Mail(_Handler):
    async def __call__(self, work: Work[MailReport]) -> None:
        tools, args = self.tools, work.args
        session_id = SessionId(args.session_id)
        try:
            await sending.send_report(
                work.db, tools.settings, tools.smtp, tools.pool(), args.user_id, session_id
            )
        except MailFailed as failed:
            if not work.is_last_attempt:
                raise
            await sending.settle(work.db, args.user_id, session_id, "failed", str(failed))
        except Exception as error:
            if work.is_last_attempt:
                why = f"{type(error).__name__}: {error}"
                await sending.settle(work.db, args.user_id, session_id, "failed", why)
            raise


async def fill(work: Work[BackFill]) -> None:
    await backfill.fill(work.db)


def jobs_with(tools: Tools) -> Jobs:
    return {
        ProcessSession: _Process(tools),
        TagText: _Tag(tools),
        CrawlPage: _Crawl(tools),
        MailReport: _Mail(tools),
        BackFill: fill,
    }


def jobs(product: Product) -> Jobs:
    return jobs_with(Tools(product.settings))


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (Schedule("insight:backfill", BackFill(), every_s=backfill.EVERY_S),)
