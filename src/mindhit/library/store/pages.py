"""Saved pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.library.shapes import TagCount


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page, with its link and the link's job."""

    id: UUID
    sync_id: str
    kind: str
    url_id: UUID | None
    address: str
    domain: str | None
    title: str | None
    note: str | None
    tags: list[str]
    archived_at: datetime | None
    folder_id: UUID | None
    position: float
    created_at: datetime
    updated_at: datetime
    state: str | None
    reason: str | None
    link_title: str | None
    description: str | None
    image: str | None
    site_name: str | None
    favicon: str | None
    language: str | None
    canonical: str | None
    summary: str | None
    keywords: list[str] | None
    engine: str | None
    enriched_at: datetime | None
    attempts: int | None
    run_after: datetime | None
    last_error: str | None


_COLUMNS: Final = """
select p.id, coalesce(p.sync_id, p.id::text) as sync_id, p.kind, p.url_id, p.address, u.domain,
       p.title, p.note, p.tags, p.archived_at, p.folder_id, p.position, p.created_at, p.updated_at,
       m.state, m.reason, m.title as link_title, m.description, m.image, m.site_name, m.favicon,
       m.language, m.canonical, m.summary, m.keywords, m.engine, m.enriched_at,
       case when m.state = 'waiting' then j.attempts else m.attempts end as attempts,
       case when m.state = 'waiting' and j.status = 'queued' then j.run_after end as run_after,
       case when m.state = 'waiting' and j.status = 'queued' then j.last_error end as last_error
  from pages p
  left join urls u on u.id = p.url_id
  left join link_metadata m on m.url_id = p.url_id
  left join jobs j on j.id = m.job_id"""

ONE = Query(PageRow, f"{_COLUMNS}\n where p.user_id = $1 and p.id = $2")
# All places of one page. Rides pages_of_url.
OF_URL = Query(
    PageRow, f"{_COLUMNS}\n where p.user_id = $1 and p.url_id = $2 order by p.id limit 100"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Newest:
    user_id: UUID
    before: UUID | None
    state: str | None
    domain: str | None
    tag: str | None
    archived: bool
    row_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InFolder:
    user_id: UUID
    folder_id: UUID | None
    position: float | None
    id: UUID | None
    state: str | None
    domain: str | None
    tag: str | None
    archived: bool
    row_limit: int


# `domain` includes its subdomains; `skipped` are links of which nothing is kept.
_FITS: Final = """
   and (p.archived_at is not null) = $archived::bool
   and ($state::text is null or case when $state = 'skipped' then p.kind = 'link' and m.state is null
                                     else m.state = $state end)
   and ($domain::text is null or u.domain = $domain
        or right(u.domain, length($domain) + 1) = '.' || $domain)
   and ($tag::text is null or $tag = any (p.tags))"""
# Newest first: ids grow with time. Rides pages_user_id_id_key.
NEWEST = Query(
    PageRow,
    f"""{_COLUMNS}
 where p.user_id = $user_id and ($before::uuid is null or p.id < $before) {_FITS}
 order by p.id desc limit $row_limit""",
    params=Newest,
)
# What lies in one folder, in its order. Rides pages_in_order.
IN_FOLDER = Query(
    PageRow,
    f"""{_COLUMNS}
 where p.user_id = $user_id and p.folder_id is not distinct from $folder_id::uuid
   and ($id::uuid is null or (p.position, p.id) > ($position::float8, $id)) {_FITS}
 order by p.position, p.id limit $row_limit""",
    params=InFolder,
)
TAGS = Query(
    TagCount,
    """
select tag, count(*) as pages
  from pages p cross join lateral unnest(p.tags) as t (tag)
 where p.user_id = $1 group by tag order by tag""",
)
# A link that is in the folder already.
SAME = Query(
    UUID,
    """
select id from pages
 where user_id = $1 and folder_id is not distinct from $2::uuid and url_id = $3
 order by position, id limit 1""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPage:
    id: UUID
    user_id: UUID
    kind: str
    url_id: UUID | None
    address: str
    title: str | None
    note: str | None
    tags: list[str]
    archived_at: datetime | None
    folder_id: UUID | None
    position: float
    seq: int


ADD = Write(
    Nothing,
    """
insert into pages (id, user_id, kind, url_id, address, title, note, tags, archived_at, folder_id,
                   position, created_seq, seq)
values ($id, $user_id, $kind, $url_id, $address, $title, $note, $tags, $archived_at, $folder_id,
        $position, $seq, $seq)""",
    params=NewPage,
)


CHANGE = Write(
    Nothing,
    """
update pages
   set kind = $kind, url_id = $url_id, address = $address, title = $title, note = $note,
       tags = $tags, archived_at = $archived_at, folder_id = $folder_id, position = $position,
       seq = $seq, updated_at = now()
 where user_id = $user_id and id = $id""",
    params=NewPage,
)
# Deletes the pages $2; they get tombstones with the number $3. Returns their URLs.
DELETE = Write(
    UUID,
    """
with
gone as (
  delete from pages where user_id = $1 and id = any ($2::uuid[]) returning id, sync_id, url_id),
buried as (
  insert into sync_tombstones (user_id, table_name, sync_id, seq)
  select $1::uuid, 'pages', coalesce(sync_id, id::text), $3::bigint from gone
  on conflict (user_id, table_name, sync_id) do update set seq = excluded.seq, deleted_at = now())
select distinct url_id from gone where url_id is not null""",
)
# Of the urls $2, those that no page of the person refers to.
UNUSED = Query(
    UUID,
    """
select n.url_id from unnest($2::uuid[]) as n (url_id)
 where not exists (select from pages p where p.user_id = $1 and p.url_id = n.url_id)
 order by n.url_id""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPages:
    user_id: UUID
    seq: int
    ids: list[UUID]
    kinds: list[str]
    url_ids: list[UUID | None]
    addresses: list[str]
    titles: list[str | None]
    notes: list[str | None]
    tags: list[str]
    archived: list[datetime | None]
    folder_ids: list[UUID | None]
    positions: list[float]
    extras: list[bytes]
    created: list[datetime | None]


# Tags come as array literals: PostgreSQL has no arrays of arrays of different lengths.
ADD_MANY = Write(
    Nothing,
    """
insert into pages (id, user_id, kind, url_id, address, title, note, tags, archived_at, folder_id,
                   position, extra, created_at, created_seq, seq)
select n.id, $user_id::uuid, n.kind, n.url_id, n.address, n.title, n.note, n.tags::text[],
       n.archived_at, n.folder_id, n.position, n.extra, coalesce(n.created_at, now()),
       $seq::bigint, $seq::bigint
  from unnest($ids::uuid[], $kinds::text[], $url_ids::uuid[], $addresses::text[], $titles::text[],
              $notes::text[], $tags::text[], $archived::timestamptz[], $folder_ids::uuid[],
              $positions::float8[], $extras::jsonb[], $created::timestamptz[])
         as n (id, kind, url_id, address, title, note, tags, archived_at, folder_id, position, extra,
               created_at)""",
    params=NewPages,
)


@dataclass(frozen=True, slots=True)
class Placed:
    """How often a link is in a folder."""

    folder_id: UUID | None
    url_id: UUID
    pages: int


# Rides pages_of_url.
PLACED = Query(
    Placed,
    """
select p.folder_id, p.url_id, count(*) as pages
  from pages p where p.user_id = $1 and p.url_id = any ($2::uuid[])
 group by p.folder_id, p.url_id""",
)


@dataclass(frozen=True, slots=True)
class PlacedOther:
    """How often something that is no link is in a folder."""

    folder_id: UUID | None
    kind: str
    address: str
    pages: int


# Rides pages_not_links.
PLACED_OTHERS = Query(
    PlacedOther,
    """
select p.folder_id, p.kind, p.address, count(*) as pages
  from pages p
 where p.user_id = $1 and p.kind <> 'link'
   and (p.folder_id = any ($2::uuid[]) or ($3::bool and p.folder_id is null))
 group by p.folder_id, p.kind, p.address""",
)
