"""Mind maps and the reader's edits, by session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class StoredMap:
    id: UUID
    session_id: UUID
    nodes: Any
    edges: Any
    metadata: Any
    made_of: str
    timeline_version: int
    created_at: datetime
    title: str | None
    title_by: str | None


@dataclass(frozen=True, slots=True)
class StoredEdit:
    number: int
    op: Any
    was: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMap:
    session_id: UUID
    user_id: UUID
    nodes: Any
    edges: Any
    metadata: Any
    made_of: str
    timeline_version: int
    thumbnail: Any


_MAP = """
select g.id, g.session_id, g.nodes, g.edges, g.metadata, g.made_of,
       g.timeline_version, g.created_at, s.title, s.title_by
  from mindmap_graphs g join sessions s on s.id = g.session_id
 where g.session_id = $1 and g.user_id = $2"""
MAP = Query(StoredMap, _MAP)
# Two edits of one map come one after the other.
LOCK_MAP = Write(StoredMap, f"{_MAP} for update of g")
PUT_MAP = Write(
    Nothing,
    """
insert into mindmap_graphs
  (session_id, user_id, nodes, edges, metadata, made_of, timeline_version, thumbnail)
select s.id, s.user_id, $nodes, $edges, $metadata, $made_of, $timeline_version, $thumbnail
  from sessions s where s.id = $session_id and s.user_id = $user_id
on conflict (session_id) do update
   set nodes = excluded.nodes, edges = excluded.edges, metadata = excluded.metadata,
       made_of = excluded.made_of, timeline_version = excluded.timeline_version,
       thumbnail = excluded.thumbnail, created_at = now()""",
    params=NewMap,
)
# The map is of the present timeline too.
STILL_TRUE = Write(
    Nothing,
    """
update mindmap_graphs set timeline_version = $3 where session_id = $1 and user_id = $2""",
)
PUT_THUMBNAIL = Write(
    Nothing, "update mindmap_graphs set thumbnail = $3 where session_id = $1 and user_id = $2"
)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    session_id: UUID
    thumbnail: Any


# For a page of a list.
THUMBNAILS = Query(
    Thumbnail,
    """
select session_id, thumbnail from mindmap_graphs
 where user_id = $1 and session_id = any ($2::uuid[])""",
)
EDITS = Query(
    StoredEdit,
    """
select e.number, e.op, e.was
  from sessions s join mindmap_edits e on e.session_id = s.id
 where s.id = $1 and s.user_id = $2
 order by e.number""",
)
ADD_EDIT = Write(
    Nothing,
    """
insert into mindmap_edits (session_id, number, op, was)
select s.id, $3::int, $4::jsonb, $5::jsonb from sessions s where s.id = $1 and s.user_id = $2""",
)
# Nodes whose pages are all gone leave no label behind: they may have been forgotten.
PUT_WAS = Write(
    Nothing,
    """
update mindmap_edits e set was = $4
  from sessions s
 where s.id = $1 and s.user_id = $2 and e.session_id = s.id and e.number = $3""",
)
DROP_EDITS = Write(
    Nothing,
    """
delete from mindmap_edits e using sessions s
 where s.id = $1 and s.user_id = $2 and e.session_id = s.id""",
)
