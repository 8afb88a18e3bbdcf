"""The sync counter, and what pull and push read and write."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec

from mindhit.db import Nothing, Query, Write

# 1 is the counter of a library that nobody has written.
RAISE = Write(
    int,
    """
insert into user_sync_state as s (user_id, seq) values ($1, 2)
on conflict (user_id) do update set seq = s.seq + 1
returning seq""",
)


@dataclass(frozen=True, slots=True)
class Counter:
    seq: int
    floor: int


COUNTER = Query(Counter, "select seq, floor from user_sync_state where user_id = $1")
# People with tombstones that are older than $1 days.
WITH_OLD_TOMBSTONES = Query(
    UUID,
    """
select distinct user_id from sync_tombstones
 where deleted_at < now() - make_interval(days => $1) order by user_id limit 1000""",
    across_users="the sweep looks at everybody's tombstones",
)
# Whoever pulled last before the newest of them has to start over.
DELETE_OLD_TOMBSTONES = Write(
    Nothing,
    """
with state as (select user_id from user_sync_state where user_id = $1 for update),
gone as (
  delete from sync_tombstones t using state
   where t.user_id = state.user_id and t.user_id = $1
     and t.deleted_at < now() - make_interval(days => $2) returning t.seq)
update user_sync_state s set floor = greatest(s.floor, (select max(seq) from gone))
 where s.user_id = $1""",
)


class FolderRecord(msgspec.Struct, frozen=True, gc=False):
    """A folder as clients have it."""

    id: str
    parent_id: str | None
    name: str
    position: float
    created_at: int
    updated_at: int


class PageRecord(msgspec.Struct, frozen=True, gc=False):
    """A page as clients have it, with what is known of its link."""

    id: str
    folder_id: str | None
    kind: str
    address: str
    title: str | None
    note: str | None
    tags: str
    archived_at: int | None
    position: float
    description: str | None
    site_name: str | None
    summary: str | None
    keywords: str
    state: str | None
    created_at: int
    updated_at: int


# Rows that changed after the counter $2: those that the server created since ($3), or the others. What a
# client created is an update for everybody: its creator has it. Besides, of older rows, those with a
# value in one of the columns $4. Rides folders_changed.
FOLDERS = Query(
    FolderRecord,
    """
select coalesce(f.sync_id, f.id::text) as id, coalesce(p.sync_id, p.id::text) as parent_id, f.name,
       f.position, (extract(epoch from f.created_at) * 1000)::bigint as created_at,
       (extract(epoch from f.updated_at) * 1000)::bigint as updated_at
  from folders f left join folders p on p.user_id = $1 and p.id = f.parent_id
 where f.user_id = $1
   and case when f.seq > $2 then (f.created_seq > $2 and f.sync_id is null) = $3
            else not $3 and (($4::text[] && array['name', 'position', 'created_at', 'updated_at'])
                             or ('parent_id' = any ($4) and f.parent_id is not null)) end
 order by f.seq, f.id""",
)
PAGES = Query(
    PageRecord,
    """
select coalesce(p.sync_id, p.id::text) as id, coalesce(f.sync_id, f.id::text) as folder_id, p.kind,
       p.address, p.title, p.note, to_json(p.tags)::text as tags,
       (extract(epoch from p.archived_at) * 1000)::bigint as archived_at, p.position, m.description,
       m.site_name, m.summary, coalesce(to_json(m.keywords)::text, '[]') as keywords, m.state,
       (extract(epoch from p.created_at) * 1000)::bigint as created_at,
       (extract(epoch from p.updated_at) * 1000)::bigint as updated_at
  from pages p
  left join folders f on f.user_id = $1 and f.id = p.folder_id
  left join link_metadata m on m.url_id = p.url_id
 where p.user_id = $1
   and case when p.seq > $2 then (p.created_seq > $2 and p.sync_id is null) = $3
            else not $3 and (
              ($4::text[] && array['kind', 'address', 'position', 'created_at', 'updated_at'])
              or ('folder_id' = any ($4) and p.folder_id is not null)
              or ('title' = any ($4) and p.title is not null)
              or ('note' = any ($4) and p.note is not null)
              or ('tags' = any ($4) and p.tags <> '{}')
              or ('archived_at' = any ($4) and p.archived_at is not null)
              or ('description' = any ($4) and m.description is not null)
              or ('site_name' = any ($4) and m.site_name is not null)
              or ('summary' = any ($4) and m.summary is not null)
              or ('keywords' = any ($4) and m.keywords <> '{}')
              or ('state' = any ($4) and m.state is not null)) end
 order by p.seq, p.id""",
)
DELETED = Query(
    str,
    """
select sync_id from sync_tombstones
 where user_id = $1 and table_name = $2 and seq > $3 order by seq, sync_id""",
)


@dataclass(frozen=True, slots=True)
class KnownFolder:
    sync_id: str
    id: UUID
    parent_id: UUID | None
    name: str
    position: float
    created_seq: int
    seq: int


# Those with the ids $2, as clients have them; $3 are those of them that can be ids of ours.
KNOWN_FOLDERS = Query(
    KnownFolder,
    """
select coalesce(sync_id, id::text) as sync_id, id, parent_id, name, position, created_seq, seq
  from folders where user_id = $1 and sync_id = any ($2::text[])
union all
select id::text as sync_id, id, parent_id, name, position, created_seq, seq
  from folders where user_id = $1 and id = any ($3::uuid[]) and sync_id is null""",
)


@dataclass(frozen=True, slots=True)
class KnownPage:
    sync_id: str
    id: UUID
    kind: str
    url_id: UUID | None
    address: str
    title: str | None
    note: str | None
    tags: list[str]
    archived_at: datetime | None
    folder_id: UUID | None
    position: float
    created_seq: int
    seq: int


KNOWN_PAGES = Query(
    KnownPage,
    """
select coalesce(sync_id, id::text) as sync_id, id, kind, url_id, address, title, note, tags,
       archived_at, folder_id, position, created_seq, seq
  from pages where user_id = $1 and sync_id = any ($2::text[])
union all
select id::text as sync_id, id, kind, url_id, address, title, note, tags, archived_at, folder_id,
       position, created_seq, seq
  from pages where user_id = $1 and id = any ($3::uuid[]) and sync_id is null""",
)
BURIED = Query(
    str,
    """
select sync_id from sync_tombstones
 where user_id = $1 and table_name = $2 and sync_id = any ($3::text[])""",
)
UNBURY = Write(
    Nothing,
    """
delete from sync_tombstones where user_id = $1 and table_name = $2 and sync_id = any ($3::text[])""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderPuts:
    user_id: UUID
    seq: int
    ids: list[UUID]
    sync_ids: list[str | None]
    parent_ids: list[UUID | None]
    names: list[str]
    positions: list[float]
    created: list[datetime | None]


# One statement: a folder and its parent may both be new.
PUT_FOLDERS = Write(
    Nothing,
    """
insert into folders as f (id, user_id, sync_id, parent_id, name, position, created_at, created_seq, seq)
select n.id, $user_id::uuid, n.sync_id, n.parent_id, n.name, n.position,
       coalesce(n.created_at, now()), $seq::bigint, $seq::bigint
  from unnest($ids::uuid[], $sync_ids::text[], $parent_ids::uuid[], $names::text[],
              $positions::float8[], $created::timestamptz[])
         as n (id, sync_id, parent_id, name, position, created_at)
on conflict (user_id, id) do update
   set parent_id = excluded.parent_id, name = excluded.name, position = excluded.position,
       seq = excluded.seq, updated_at = now()""",
    params=FolderPuts,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePuts:
    user_id: UUID
    seq: int
    ids: list[UUID]
    sync_ids: list[str | None]
    kinds: list[str]
    url_ids: list[UUID | None]
    addresses: list[str]
    titles: list[str | None]
    notes: list[str | None]
    tags: list[bytes]
    archived: list[datetime | None]
    folder_ids: list[UUID | None]
    positions: list[float]
    created: list[datetime | None]


PUT_PAGES = Write(
    Nothing,
    """
insert into pages as p (id, user_id, sync_id, kind, url_id, address, title, note, tags, archived_at,
                        folder_id, position, created_at, created_seq, seq)
select n.id, $user_id::uuid, n.sync_id, n.kind, n.url_id, n.address, n.title, n.note,
       array(select jsonb_array_elements_text(n.tags)), n.archived_at, n.folder_id, n.position,
       coalesce(n.created_at, now()), $seq::bigint, $seq::bigint
  from unnest($ids::uuid[], $sync_ids::text[], $kinds::text[], $url_ids::uuid[], $addresses::text[],
              $titles::text[], $notes::text[], $tags::jsonb[], $archived::timestamptz[],
              $folder_ids::uuid[], $positions::float8[], $created::timestamptz[])
         as n (id, sync_id, kind, url_id, address, title, note, tags, archived_at, folder_id, position,
               created_at)
on conflict (user_id, id) do update
   set kind = excluded.kind, url_id = excluded.url_id, address = excluded.address,
       title = excluded.title, note = excluded.note, tags = excluded.tags,
       archived_at = excluded.archived_at, folder_id = excluded.folder_id,
       position = excluded.position, seq = excluded.seq, updated_at = now()""",
    params=PagePuts,
)
