"""What a person gets in the export of their account, and what erasing deletes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class ExportedMap:
    id: UUID
    session_id: UUID
    nodes: Any
    edges: Any
    metadata: Any
    created_at: datetime


MAPS = Query(
    ExportedMap,
    """
select id, session_id, nodes, edges, metadata, created_at
  from mindmap_graphs where user_id = $1 order by created_at, id""",
)


@dataclass(frozen=True, slots=True)
class ExportedEdit:
    session_id: UUID
    number: int
    op: Any
    was: Any
    made_at: datetime


EDITS = Query(
    ExportedEdit,
    """
select e.session_id, e.number, e.op, e.was, e.made_at
  from mindmap_edits e join sessions s on s.id = e.session_id
 where s.user_id = $1 order by e.session_id, e.number""",
)


@dataclass(frozen=True, slots=True)
class ExportedTopic:
    session_id: UUID
    place: int
    label: str
    url_ids: list[UUID]


TOPICS = Query(
    ExportedTopic,
    """
select t.session_id, t.place, t.label, t.url_ids
  from session_topics t join sessions s on s.id = t.session_id
 where s.user_id = $1 order by t.session_id, t.place""",
)


@dataclass(frozen=True, slots=True)
class ExportedReport:
    session_id: UUID
    state: str
    error: str | None
    created_at: datetime
    sent_at: datetime | None


REPORTS = Query(
    ExportedReport,
    """
select session_id, state, error, created_at, sent_at
  from session_reports where user_id = $1 order by created_at, session_id""",
)


@dataclass(frozen=True, slots=True)
class ExportedRequest:
    session_id: UUID
    again: list[str]
    asked_at: datetime


REQUESTS = Query(
    ExportedRequest,
    """
select session_id, again, asked_at
  from processing_requests where user_id = $1 order by asked_at, session_id""",
)
# Erasing. The edits and topics go with their sessions.
DELETE_MAPS = Write(Nothing, "delete from mindmap_graphs where user_id = $1")
DELETE_REPORTS = Write(Nothing, "delete from session_reports where user_id = $1")
DELETE_REQUESTS = Write(Nothing, "delete from processing_requests where user_id = $1")
DELETE_EDITS = Write(
    Nothing,
    """
delete from mindmap_edits e using sessions s where s.id = e.session_id and s.user_id = $1""",
)
DELETE_TOPICS = Write(
    Nothing,
    """
delete from session_topics t using sessions s where s.id = t.session_id and s.user_id = $1""",
)
