"""The report of a session by mail: once, if it is wanted and there is a mail server."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from mindhit import log, tracking
from mindhit.db import Database, ReadTx
from mindhit.insight import showing, store
from mindhit.insight.mindmap import drawing, png
from mindhit.insight.model import Graph
from mindhit.insight.report import unsubscribing
from mindhit.insight.report.composing import Links, Report, ReportPage, compose, title_of
from mindhit.mail import MailRefused, Message, SmtpClient
from mindhit.process_pool import CallFailed, ProcessDied, ProcessPool, TookTooLong
from mindhit.sealing import KeyUnusable
from mindhit.settings import Settings
from mindhit.tracking import SessionId, SessionNotFound, shapes

PICTURE_WIDTH: Final = 1_200  # pixels; a mail shows it at half of that
_log = log.get(__name__)


async def show_report(tx: ReadTx, user_id: UUID, session_id: SessionId) -> Report:
    """Raises `SessionNotFound`."""
    facts = await tx.maybe(store.reports.FACTS, session_id, user_id)
    if facts is None:
        raise SessionNotFound
    longest = await tx.all(store.reports.LONGEST, session_id, user_id)
    zone = await tracking.zone_of(tx, user_id)
    return Report(
        title_of(facts, zone),
        shapes.iso(facts.started_at),
        None if facts.ended_at is None else shapes.iso(facts.ended_at),
        facts.total_duration_ms,
        facts.page_count,
        facts.highlight_count,
        facts.top_keywords,
        [ReportPage(each.title or "", each.duration_ms) for each in longest],
        facts.state,
        None if facts.sent_at is None else shapes.iso(facts.sent_at),
    )


async def send_report(
    db: Database,
    settings: Settings,
    smtp: SmtpClient,
    pool: ProcessPool,
    user_id: UUID,
    session_id: SessionId,
) -> None:
    """Raises `MailFailed` where a retry may help. A mail that the server was handed before a crash is
    sent again under the same id, and reads as one."""
    async with db.read() as tx:
        facts = await tx.maybe(store.reports.FACTS, session_id, user_id)
        if facts is None or facts.state != "due":
            return
    if not facts.is_wanted or not smtp.is_configured:
        await settle(db, user_id, session_id, "off" if not facts.is_wanted else "no_server")
        return
    try:
        message = await _message(db, settings, pool, user_id, session_id)
        await smtp.send(message)
    except (MailRefused, KeyUnusable) as refused:
        await settle(db, user_id, session_id, "failed", str(refused))
        return
    await settle(db, user_id, session_id, "sent")


async def settle(
    db: Database, user_id: UUID, session_id: SessionId, state: str, error: str | None = None
) -> None:
    if error is not None:
        _log.warning("the report of a session was not sent", session_id=str(session_id), why=error)
    async with db.transaction() as tx:
        await tx.run(store.reports.SETTLE, session_id, user_id, state, error)


async def _message(
    db: Database, settings: Settings, pool: ProcessPool, user_id: UUID, session_id: SessionId
) -> Message:
    async with db.read() as tx:
        facts = await tx.one(store.reports.FACTS, session_id, user_id)
        longest = await tx.all(store.reports.LONGEST, session_id, user_id)
        zone = await tracking.zone_of(tx, user_id)
        shown = await showing.show_map(tx, user_id, session_id)
    token = unsubscribing.make_token(unsubscribing.sealer(settings), user_id)
    links = Links(
        f"{settings.public_url}/sessions/{session_id}",
        f"{settings.public_url}/v1/unsubscribe/{token}",
    )
    picture = None
    if shown is not None and len(shown.nodes) > 1:
        picture = await _picture(pool, Graph(tuple(shown.nodes), tuple(shown.edges)))
    host = urlsplit(settings.public_url).hostname or "mindhit"
    return compose(facts, longest, session_id, zone, links, picture, host)


async def _picture(pool: ProcessPool, graph: Graph) -> bytes | None:
    """A report without its picture is better than none."""
    try:
        svg = drawing.svg(graph)
        return await pool.run(png.render, svg, PICTURE_WIDTH, timeout_s=png.RENDER_S)
    except (CallFailed, ProcessDied, TookTooLong) as error:
        _log.warning("a map could not be drawn for a report", why=str(error))
        return None
