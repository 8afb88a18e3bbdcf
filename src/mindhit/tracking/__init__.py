"""Tracking: batches of browser events in, an exact timeline out.

    protocol.py   event types, fields and limits that browsers and the server share
    ingest/       a batch: decode, validate, store
    timeline/     fold.py has the rules of the timeline, holes.py those of missing events
    queries/      lists of sessions, one session, totals
    maintenance/  sweeping, silence, retention, cleanup
    store/        SQL

Promises: what is acknowledged is stored, whatever is killed; events may arrive late, twice, in any
order and over several connections, and the timeline is the same; folding the log again gives the
stored timeline; nothing that one person saw is visible to another. Owns `sessions`,
`deleted_sessions`, `urls`, `page_contents`, `reader_urls`, `page_visits`, `session_pauses`,
`highlights`, `raw_events`, and the jobs `tracking:*`. Publishes `SessionStopped`, `TimelineChanged`,
`TextMissing`.
"""

from mindhit.slices import Slice
from mindhit.tracking import store as _store
from mindhit.tracking.capture_health import Capture, captures, count_sessions
from mindhit.tracking.erasing import erase
from mindhit.tracking.ingest.batch import Receipt, ingest_batch
from mindhit.tracking.ingest.decoding import UnreadableEvent, decode, decompress
from mindhit.tracking.ingest.mixed_sessions import ingest_mixed_batch
from mindhit.tracking.jobs import jobs, schedules
from mindhit.tracking.model import (
    BadBatch,
    BadSession,
    BatchTooLarge,
    IconNotFound,
    LogGone,
    Session,
    SessionDeleted,
    SessionId,
    SessionNotFound,
    SessionOver,
    SessionTaken,
    Status,
    StillRecording,
    TitleChanged,
)
from mindhit.tracking.protocol import EventBatch, SentEvent
from mindhit.tracking.published import SessionStopped, TextMissing, TimelineChanged
from mindhit.tracking.queries.session_detail import (
    find_icon,
    owner_of,
    show,
    show_progress,
    summarise,
    version_of,
)
from mindhit.tracking.queries.session_list import (
    SessionFilter,
    SessionKey,
    every_session,
    list_sessions,
)
from mindhit.tracking.queries.totals import total, total_by_period
from mindhit.tracking.session_files import File, export, zone_of
from mindhit.tracking.sessions import (
    delete,
    deleted_sessions,
    existing_sessions,
    missing_events,
    rename,
    rename_from,
    reprocess,
    start,
    stop,
)
from mindhit.tracking.settings import TrackingSettings
from mindhit.tracking.timeline.refolding import refold

SLICE = Slice(
    "tracking",
    settings=TrackingSettings,
    jobs=jobs,
    schedules=schedules,
    exports={
        "sessions": _store.exporting.SESSIONS,
        "deleted_sessions": _store.exporting.DELETED,
        "page_visits": _store.exporting.VISITS,
        "session_pauses": _store.exporting.PAUSES,
        "highlights": _store.exporting.HIGHLIGHTS,
        "pages": _store.exporting.PAGES,
        "page_contents": _store.exporting.TEXTS,
        "raw_events": _store.exporting.EVENTS,
    },
    erase=erase,
    events=(SessionStopped, TimelineChanged, TextMissing),
)

__all__ = [
    "SLICE",
    "BadBatch",
    "BadSession",
    "BatchTooLarge",
    "Capture",
    "EventBatch",
    "File",
    "IconNotFound",
    "LogGone",
    "Receipt",
    "SentEvent",
    "Session",
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
    "TrackingSettings",
    "UnreadableEvent",
    "captures",
    "count_sessions",
    "decode",
    "decompress",
    "delete",
    "deleted_sessions",
    "erase",
    "every_session",
    "existing_sessions",
    "export",
    "find_icon",
    "ingest_batch",
    "ingest_mixed_batch",
    "list_sessions",
    "missing_events",
    "owner_of",
    "refold",
    "rename",
    "rename_from",
    "reprocess",
    "show",
    "show_progress",
    "start",
    "stop",
    "summarise",
    "total",
    "total_by_period",
    "version_of",
    "zone_of",
]
