"""Tracking: batches of browser events in, an exact timeline out.

    protocol.py   event types, fields and limits that browsers and the server share
    ingest/       a batch: decode, validate, store
    timeline/     fold.py has the rules of the timeline, holes.py those of missing events
    queries/      lists of sessions, one session, one page, highlights, totals
    forgetting/   a part of what was recorded is forgotten: time, a site, a page, a visit
    maintenance/  sweeping, silence, retention, cleanup
    store/        SQL

Promises: what is acknowledged is stored, whatever is killed; events may arrive late, twice, in any
order and over several connections, and the timeline is the same; folding the log again gives the
stored timeline; nothing that one person saw is visible to another. Owns `sessions`,
`deleted_sessions`, `urls`, `page_contents`, `reader_urls`, `page_visits`, `session_pauses`,
`highlights`, `highlight_notes`, `raw_events`, `forgotten_ranges`, `recording_use`, and the jobs `tracking:*`. Publishes
`TimelineClosed`, `TextMissing`, `SessionDescribed`, `TextDescribed`, `HighlightNoted`; `results.py` and
`holding.py` are the verbs for those who subscribe.
"""

from mindhit.slices import Slice
from mindhit.tracking import store as _store
from mindhit.tracking.capture_health import Capture, captures, count_sessions
from mindhit.tracking.erasing import erase
from mindhit.tracking.forgetting.forget import Forgetting, forget, show_forgetting
from mindhit.tracking.forgetting.model import (
    BadForgetting,
    ForgettingNotFound,
    VisitNotFound,
    What,
    of_day,
    of_last,
    of_page,
    of_site,
    of_stretch,
    of_url,
)
from mindhit.tracking.forgetting.preview import Preview, find_visit, moment, preview
from mindhit.tracking.highlight_notes import write_note
from mindhit.tracking.holding import hold, hold_pages, release
from mindhit.tracking.icons import is_icon
from mindhit.tracking.ingest.batch import Receipt, ingest_batch
from mindhit.tracking.ingest.contents import Meta
from mindhit.tracking.ingest.decoding import UnreadableEvent, decode, decompress
from mindhit.tracking.ingest.mixed_sessions import ingest_mixed_batch
from mindhit.tracking.jobs import jobs, schedules
from mindhit.tracking.missing_texts import may_fetch
from mindhit.tracking.model import (
    BadBatch,
    BadSession,
    BatchTooLarge,
    HighlightNotFound,
    IconNotFound,
    LogGone,
    PageNotVisited,
    Session,
    SessionDeleted,
    SessionId,
    SessionLimit,
    SessionNotFound,
    SessionOver,
    SessionTaken,
    Status,
    StillRecording,
    TitleChanged,
)
from mindhit.tracking.protocol import EventBatch, SentEvent
from mindhit.tracking.published import (
    HighlightNoted,
    SessionDescribed,
    TextDescribed,
    TextMissing,
    TimelineClosed,
)
from mindhit.tracking.queries.highlights import (
    HighlightKey,
    list_highlights,
    show_highlight,
    texts_highlighted,
)
from mindhit.tracking.queries.seen import Seen, seen
from mindhit.tracking.queries.session_detail import (
    find_icon,
    show,
    show_progress,
    stored_timeline,
    summarise,
    version_of,
)
from mindhit.tracking.queries.session_list import (
    SessionFilter,
    SessionKey,
    every_session,
    list_sessions,
    sessions_between,
)
from mindhit.tracking.queries.totals import total, total_by_period, total_of_periods
from mindhit.tracking.queries.visited import show_visited
from mindhit.tracking.quotas import DailyLimit, HourlyLimit, Quotas, StorageLimit
from mindhit.tracking.results import (
    CrawledPage,
    complete,
    fail,
    note_progress,
    put_crawl_failed,
    put_crawled,
    put_keywords,
    put_summary,
    suggest_title,
)
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
from mindhit.tracking.store.session_list import Owned as OwnedSession
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
        "highlight_notes": _store.exporting.HIGHLIGHT_NOTES,
        "pages": _store.exporting.PAGES,
        "page_contents": _store.exporting.TEXTS,
        "raw_events": _store.exporting.EVENTS,
        "forgotten_ranges": _store.exporting.FORGOTTEN,
        "recording_use": _store.exporting.USE,
    },
    erase=erase,
    events=(TimelineClosed, TextMissing, SessionDescribed, TextDescribed, HighlightNoted),
)

__all__ = [
    "SLICE",
    "BadBatch",
    "BadForgetting",
    "BadSession",
    "BatchTooLarge",
    "Capture",
    "CrawledPage",
    "DailyLimit",
    "EventBatch",
    "File",
    "Forgetting",
    "ForgettingNotFound",
    "HighlightKey",
    "HighlightNotFound",
    "HighlightNoted",
    "HourlyLimit",
    "IconNotFound",
    "LogGone",
    "Meta",
    "OwnedSession",
    "PageNotVisited",
    "Preview",
    "Quotas",
    "Receipt",
    "Seen",
    "SentEvent",
    "Session",
    "SessionDeleted",
    "SessionDescribed",
    "SessionFilter",
    "SessionId",
    "SessionKey",
    "SessionLimit",
    "SessionNotFound",
    "SessionOver",
    "SessionTaken",
    "Status",
    "StillRecording",
    "StorageLimit",
    "TextDescribed",
    "TextMissing",
    "TimelineClosed",
    "TitleChanged",
    "TrackingSettings",
    "UnreadableEvent",
    "VisitNotFound",
    "What",
    "captures",
    "complete",
    "count_sessions",
    "decode",
    "decompress",
    "delete",
    "deleted_sessions",
    "erase",
    "every_session",
    "existing_sessions",
    "export",
    "fail",
    "find_icon",
    "find_visit",
    "forget",
    "hold",
    "hold_pages",
    "ingest_batch",
    "ingest_mixed_batch",
    "is_icon",
    "list_highlights",
    "list_sessions",
    "may_fetch",
    "missing_events",
    "moment",
    "note_progress",
    "of_day",
    "of_last",
    "of_page",
    "of_site",
    "of_stretch",
    "of_url",
    "preview",
    "put_crawl_failed",
    "put_crawled",
    "put_keywords",
    "put_summary",
    "refold",
    "release",
    "rename",
    "rename_from",
    "reprocess",
    "seen",
    "sessions_between",
    "show",
    "show_forgetting",
    "show_highlight",
    "show_progress",
    "show_visited",
    "start",
    "stop",
    "stored_timeline",
    "suggest_title",
    "summarise",
    "texts_highlighted",
    "total",
    "total_by_period",
    "total_of_periods",
    "version_of",
    "write_note",
    "zone_of",
]
