"""What a person gets in the export of their account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from mindhit.db import Query
from mindhit.library.shapes import Import, SavedSearch


@dataclass(frozen=True, slots=True)
class Bookmark:
    id: UUID
    sync_id: str | None
    kind: str
    address: str
    title: str | None
    note: str | None
    tags: list[str]
    archived_at: datetime | None
    folder_id: UUID | None
    position: float
    extra: Any
    created_at: datetime
    updated_at: datetime
    link_title: str | None
    description: str | None
    site_name: str | None
    summary: str | None
    keywords: list[str] | None


@dataclass(frozen=True, slots=True)
class BookmarkFolder:
    id: UUID
    sync_id: str | None
    parent_id: UUID | None
    name: str
    position: float
    extra: Any
    created_at: datetime
    updated_at: datetime


BOOKMARKS = Query(
    Bookmark,
    """
select p.id, p.sync_id, p.kind, p.address, p.title, p.note, p.tags, p.archived_at, p.folder_id,
       p.position, p.extra, p.created_at, p.updated_at, m.title as link_title, m.description,
       m.site_name, m.summary, m.keywords
  from pages p left join link_metadata m on m.url_id = p.url_id
 where p.user_id = $1 order by p.folder_id nulls first, p.position, p.id""",
)
FOLDERS = Query(
    BookmarkFolder,
    """
select id, sync_id, parent_id, name, position, extra, created_at, updated_at
  from folders where user_id = $1 order by parent_id nulls first, position, id""",
)
IMPORTS = Query(
    Import,
    """
select id, source_type, status, file_name, folder_id, total_items, processed_items, failed_items,
       added_items, last_error, created_at, started_at, finished_at
  from import_jobs where user_id = $1 order by created_at, id""",
)
SEARCHES = Query(
    SavedSearch,
    "select id, name, query, created_at from saved_searches where user_id = $1 order by created_at, id",
)


@dataclass(frozen=True, slots=True)
class TreePage:
    id: UUID
    kind: str
    address: str
    title: str | None
    note: str | None
    tags: list[str]
    archived_at: datetime | None
    position: float
    extra: Any
    created_at: datetime


# A folder's pages from a position on. Rides pages_in_order.
IN_FOLDER = Query(
    TreePage,
    """
select id, kind, address, title, note, tags, archived_at, position, extra, created_at
  from pages
 where user_id = $1 and folder_id is not distinct from $2::uuid
   and ($3::float8 is null or (position, id) > ($3, $4::uuid))
 order by position, id limit $5""",
)
