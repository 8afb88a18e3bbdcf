"""Tracking: batches of browser events in, an exact timeline out.

Promises: what is acknowledged is stored, whatever is killed; events may come late, twice, in any
order and over several connections, and the timeline is the same; folding the log again gives what
is stored; what one reader saw tells no other reader anything. `fold.py` has the rules of the
timeline, `sequence.py` those of the log. Owns `sessions`, `deleted_sessions`, `urls`,
`page_contents`, `reader_urls`, `page_visits`, `session_pauses`, `highlights`, `raw_events`, and the
jobs `tracking:*`. Publishes `SessionStopped`, `TimelineChanged`, `TextMissing`.
"""

from mindhit.accounts import Exports
from mindhit.tracking import store as _store
from mindhit.tracking.closing import refold
from mindhit.tracking.erasing import erase
from mindhit.tracking.exporting import File, export, zone_of
from mindhit.tracking.ingest import Receipt, ingest
from mindhit.tracking.jobs import SCHEDULES, jobs
from mindhit.tracking.mixed import ingest_named
from mindhit.tracking.model import (
    BadBatch,
    BadSession,
    BatchTooLarge,
    Begun,
    IconNotFound,
    LogGone,
    SessionDeleted,
    SessionId,
    SessionNotFound,
    SessionOver,
    SessionTaken,
    Status,
    StillRecording,
    TitleChanged,
)
from mindhit.tracking.news import SessionStopped, TextMissing, TimelineChanged
from mindhit.tracking.operating import Capture, captures, count_sessions
from mindhit.tracking.reading import (
    SessionFilter,
    SessionKey,
    every_session,
    find_icon,
    list_sessions,
    look,
    owner_of,
    show,
    summarise,
    total,
    total_by_stretch,
    version_of,
)
from mindhit.tracking.sessions import (
    delete,
    gone_of,
    missing_of,
    rename,
    rename_from,
    reprocess,
    start,
    stop,
    there_of,
)

EXPORT: Exports = {
    "sessions": _store.exporting.SESSIONS,
    "deleted_sessions": _store.exporting.DELETED,
    "page_visits": _store.exporting.VISITS,
    "session_pauses": _store.exporting.PAUSES,
    "highlights": _store.exporting.HIGHLIGHTS,
    "pages": _store.exporting.PAGES,
    "page_contents": _store.exporting.TEXTS,
    "raw_events": _store.exporting.EVENTS,
}

__all__ = [
    "EXPORT",
    "SCHEDULES",
    "BadBatch",
    "BadSession",
    "BatchTooLarge",
    "Begun",
    "Capture",
    "File",
    "IconNotFound",
    "LogGone",
    "Receipt",
    "SessionDeleted",
    "SessionFilter",
    "SessionId",
    "SessionKey",
    "SessionNotFound",
    "SessionOver",
    "SessionStopped",
    "SessionTaken",
    "Status",
    "StillRecording",
    "TextMissing",
    "TimelineChanged",
    "TitleChanged",
    "captures",
    "count_sessions",
    "delete",
    "erase",
    "every_session",
    "export",
    "find_icon",
    "gone_of",
    "ingest",
    "ingest_named",
    "jobs",
    "list_sessions",
    "look",
    "missing_of",
    "owner_of",
    "refold",
    "rename",
    "rename_from",
    "reprocess",
    "show",
    "start",
    "stop",
    "summarise",
    "there_of",
    "total",
    "total_by_stretch",
    "version_of",
    "zone_of",
]
