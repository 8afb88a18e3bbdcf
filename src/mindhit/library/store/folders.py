"""Folders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.library.shapes import Folder


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderWrite:
    id: UUID
    user_id: UUID
    parent_id: UUID | None
    name: str
    position: float
    seq: int


# All of a person's, each with its pages that are not archived.
ALL = Query(
    Folder,
    """
select f.id, coalesce(f.sync_id, f.id::text) as sync_id, f.parent_id, f.name, f.position,
       coalesce(p.pages, 0) as page_count, f.created_at, f.updated_at
  from folders f
  left join (select folder_id, count(*) as pages from pages
              where user_id = $1 and archived_at is null and kind <> 'separator'
              group by folder_id) p on p.folder_id = f.id
 where f.user_id = $1
 order by f.parent_id nulls first, f.position, f.id""",
)
ONE = Query(
    Folder,
    """
select f.id, coalesce(f.sync_id, f.id::text) as sync_id, f.parent_id, f.name, f.position,
       (select count(*) from pages p
         where p.user_id = $1 and p.folder_id = f.id and p.archived_at is null
           and p.kind <> 'separator') as page_count,
       f.created_at, f.updated_at
  from folders f where f.user_id = $1 and f.id = $2""",
)
EXISTS = Query(bool, "select exists (select from folders where user_id = $1 and id = $2) as found")
# Behind what is in the folder. Rides folders_in_order and pages_in_order.
NEXT_POSITION = Query(
    float,
    """
select floor(greatest(
         (select max(position) from folders where user_id = $1 and parent_id is not distinct from $2),
         (select max(position) from pages where user_id = $1 and folder_id is not distinct from $2),
         0)) + 1 as position""",
)
ADD = Write(
    Nothing,
    """
insert into folders (id, user_id, parent_id, name, position, created_seq, seq)
values ($id, $user_id, $parent_id, $name, $position, $seq, $seq)""",
    params=FolderWrite,
)
CHANGE = Write(
    Nothing,
    """
update folders
   set parent_id = $parent_id, name = $name, position = $position, seq = $seq, updated_at = now()
 where user_id = $user_id and id = $id""",
    params=FolderWrite,
)
# The folders $2 and all below them.
BELOW = Query(
    UUID,
    """
with recursive below as (
  select id from folders where user_id = $1 and id = any ($2::uuid[])
  union
  select f.id from folders f join below b on f.user_id = $1 and f.parent_id = b.id)
select id from below""",
)
# The pages in the folders $2 (pages_in_order).
PAGES_IN = Query(UUID, "select id from pages where user_id = $1 and folder_id = any ($2::uuid[])")
# Deletes the folders $2 with their pages; all of it gets tombstones with the number $3. Returns the URLs
# of the pages.
DELETE = Write(
    UUID,
    """
with
gone_pages as (
  delete from pages where user_id = $1 and folder_id = any ($2::uuid[])
  returning id, sync_id, url_id),
gone_folders as (
  delete from folders where user_id = $1 and id = any ($2::uuid[]) returning id, sync_id),
buried as (
  insert into sync_tombstones (user_id, table_name, sync_id, seq)
  select $1::uuid, 'pages', coalesce(sync_id, id::text), $3::bigint from gone_pages
  union all
  select $1::uuid, 'folders', coalesce(sync_id, id::text), $3::bigint from gone_folders
  on conflict (user_id, table_name, sync_id) do update set seq = excluded.seq, deleted_at = now())
select distinct url_id from gone_pages where url_id is not null""",
)


@dataclass(frozen=True, slots=True)
class Named:
    id: UUID
    parent_id: UUID | None
    name: str


# For matching those of a file: in the order in which the n-th is told from the next.
NAMES = Query(
    Named,
    """
select id, parent_id, name from folders where user_id = $1
 order by parent_id nulls first, name, position, id""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFolders:
    user_id: UUID
    seq: int
    ids: list[UUID]
    parent_ids: list[UUID | None]
    names: list[str]
    positions: list[float]
    extras: list[bytes]
    created: list[datetime | None]


ADD_MANY = Write(
    Nothing,
    """
insert into folders (id, user_id, parent_id, name, position, extra, created_at, created_seq, seq)
select n.id, $user_id::uuid, n.parent_id, n.name, n.position, n.extra,
       coalesce(n.created_at, now()), $seq::bigint, $seq::bigint
  from unnest($ids::uuid[], $parent_ids::uuid[], $names::text[], $positions::float8[],
              $extras::jsonb[], $created::timestamptz[])
         as n (id, parent_id, name, position, extra, created_at)""",
    params=NewFolders,
)
