"""What a person gets in the export of their account: one query for each file.

`url` is the address as it was seen, `page` the page's identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from mindhit.db import Query


@dataclass(frozen=True, slots=True)
class Session:
    id: UUID
    device_id: UUID | None
    title: str | None
    title_by: str | None
    status: str
    error: str | None
    started_at: datetime
    ended_at: datetime | None
    is_end_guessed: bool
    stopped_at: datetime | None
    closed_at: datetime | None
    last_event_at: datetime | None
    heard_at: datetime
    page_count: int
    total_duration_ms: int
    highlight_count: int
    event_count: int
    rejected_count: int
    top_keywords: list[str]
    top_domains: list[str]
    holes: Any
    progress: Any
    is_over_limit: bool
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Visit:
    session_id: UUID
    opened_by_seq: int
    visit_order: int
    url: str
    page: str
    title: str | None
    tab_id: int
    entered_at: datetime
    left_at: datetime
    duration_ms: int
    is_focused: bool
    transition: str | None
    came_from: str | None
    content_id: UUID | None


@dataclass(frozen=True, slots=True)
class Pause:
    session_id: UUID
    kind: str
    entered_at: datetime
    left_at: datetime


@dataclass(frozen=True, slots=True)
class Highlight:
    id: UUID
    session_id: UUID
    seq: int
    visit_seq: int | None
    url: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class HighlightNote:
    session_id: UUID
    seq: int
    note: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Text:
    id: UUID
    title: str | None
    content: str
    meta: Any
    favicon: str | None
    status: str
    summary: str | None
    keywords: list[str] | None
    summarised_at: datetime | None
    summarised_by: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Page:
    url: str
    page: str
    domain: str
    content_id: UUID | None
    content_status: str | None
    session_id: UUID | None
    read_at: datetime | None
    content_error: str | None
    no_fetch: bool
    holders: list[str]
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Deleted:
    session_id: UUID
    deleted_at: datetime


@dataclass(frozen=True, slots=True)
class Use:
    hour: datetime
    sessions: int
    day: date
    events: int
    icons: int
    bytes: int
    measured_at: datetime | None


@dataclass(frozen=True, slots=True)
class ForgottenRange:
    """When, not what: that is known only by a hash."""

    id: UUID
    from_at: datetime | None
    to_at: datetime
    created_at: datetime
    done_at: datetime | None


@dataclass(frozen=True, slots=True)
class RawEvent:
    session_id: UUID
    seq: int
    t: int
    type: str
    tab_id: int | None
    window_id: int | None
    url: str | None
    payload: Any
    received_at: datetime | None


SESSIONS = Query(
    Session,
    """
select id, device_id, title, title_by, status, error, started_at, ended_at, is_end_guessed, stopped_at,
       closed_at, last_event_at, heard_at, page_count, total_duration_ms, highlight_count,
       event_count, rejected_count, top_keywords, top_domains, holes, progress,
       is_over_limit, expires_at, created_at, updated_at
  from sessions where user_id = $1 order by started_at, id""",
)
VISITS = Query(
    Visit,
    """
select v.session_id, v.opened_by_seq, v.visit_order, coalesce(v.address, u.url) as url,
       u.url as page, v.title, v.tab_id, v.entered_at, v.left_at, v.duration_ms, v.is_focused,
       v.transition, coalesce(fr.address, f.url) as came_from, v.content_id
  from sessions s
  join page_visits v on v.session_id = s.id
  join urls u on u.id = v.url_id
  left join urls f on f.id = v.from_url_id
  left join reader_urls fr on fr.user_id = $1 and fr.url_id = v.from_url_id
 where s.user_id = $1 order by s.started_at, s.id, v.visit_order""",
)
PAUSES = Query(
    Pause,
    """
select p.session_id, p.kind, p.entered_at, p.left_at
  from sessions s join session_pauses p on p.session_id = s.id
 where s.user_id = $1 order by s.started_at, s.id, p.entered_at""",
)
HIGHLIGHTS = Query(
    Highlight,
    """
select h.id, h.session_id, h.seq, h.visit_seq, coalesce(r.address, u.url) as url, h.text,
       h.created_at
  from sessions s
  join highlights h on h.session_id = s.id
  join urls u on u.id = h.url_id
  left join reader_urls r on r.user_id = $1 and r.url_id = h.url_id
 where s.user_id = $1 order by h.created_at, h.id""",
)
HIGHLIGHT_NOTES = Query(
    HighlightNote,
    """
select o.session_id, o.seq, o.note, o.updated_at
  from sessions s join highlight_notes o on o.session_id = s.id
 where s.user_id = $1 order by s.started_at, s.id, o.seq""",
)
TEXTS = Query(
    Text,
    """
select id, title, content, meta, favicon, status, summary, keywords, summarised_at,
       summarised_by, created_at
  from page_contents where user_id = $1 order by created_at, id""",
)
PAGES = Query(
    Page,
    """
select coalesce(r.address, u.url) as url, u.url as page, u.domain, r.content_id, r.content_status, r.session_id,
       r.read_at, r.content_error, r.no_fetch, r.holders, r.updated_at
  from reader_urls r join urls u on u.id = r.url_id
 where r.user_id = $1 order by u.url""",
)

USE = Query(
    Use,
    "select hour, sessions, day, events, icons, bytes, measured_at from recording_use where user_id = $1",
)
DELETED = Query(
    Deleted,
    "select session_id, deleted_at from deleted_sessions where user_id = $1 order by deleted_at",
)
FORGOTTEN = Query(
    ForgottenRange,
    """
select id, from_at, to_at, created_at, done_at
  from forgotten_ranges where user_id = $1 order by created_at, id""",
)
EVENTS = Query(
    RawEvent,
    """
select e.session_id, e.seq, e.t, e.type, e.tab_id, e.window_id,
       coalesce(e.payload ->> 'address', u.url) as url, e.payload, e.received_at
  from sessions s
  join raw_events e on e.month = s.month and e.session_id = s.id
  left join urls u on u.id = e.url_id
 where s.user_id = $1 order by s.started_at, s.id, e.seq""",
)
