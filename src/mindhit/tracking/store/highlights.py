"""Highlights in all of a person's sessions, and the notes on them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.shapes import ListedHighlight
from mindhit.tracking.store.iso import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class ListParams:
    """Highlights after the key of the previous page's last one; of one page where `url_id` is given."""

    user_id: UUID
    url_id: UUID | None
    after_created_at: datetime | None
    after_id: UUID | None
    icon_path: str
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OneParams:
    user_id: UUID
    id: UUID
    icon_path: str


# c: what the reader saw in the visit; n: the newest text of the page.
_COLUMNS: Final = f"""
select h.id, h.text, o.note, h.url_id, coalesce(v.address, r.address, u.url) as url,
       {iso("h.created_at")} as created_at, v.session_id || ':' || v.opened_by_seq as page_visit_id,
       u.domain, coalesce(v.title, c.title, n.title) as title,
       coalesce($icon_path || coalesce(c.icon, n.icon), c.favicon, n.favicon) as favicon,
       h.session_id, h.session_title
  from found h
  join urls u on u.id = h.url_id
  left join highlight_notes o on o.session_id = h.session_id and o.seq = h.seq
  left join page_visits v on v.session_id = h.session_id and v.opened_by_seq = h.visit_seq
  left join reader_urls r on r.user_id = $user_id and r.url_id = h.url_id
  left join page_contents c on c.id = v.content_id and (c.user_id = $user_id or c.user_id is null)
  left join page_contents n on n.id = r.content_id and (n.user_id = $user_id or n.user_id is null)
 order by h.created_at desc, h.id desc"""
_FOUND: Final = """
  select h.*, coalesce(s.title, s.main_title) as session_title
    from sessions s join highlights h on h.session_id = s.id
   where s.user_id = $user_id"""

# Newest first. A person's sessions by sessions_by_start, of those with highlights each one's by
# highlights_by_session.
LIST = Query(
    ListedHighlight,
    f"""
with found as (
{_FOUND}
     and s.highlight_count > 0
     and ($url_id::uuid is null or h.url_id = $url_id)
     and (h.created_at, h.id) <
         (coalesce($after_created_at::timestamptz, 'infinity'),
          coalesce($after_id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by h.created_at desc, h.id desc limit $limit::int)
{_COLUMNS}""",
    params=ListParams,
)
ONE = Query(
    ListedHighlight,
    f"""
with found as ({_FOUND} and h.id = $id)
{_COLUMNS}""",
    params=OneParams,
)

# What was highlighted on one page, each text once, newest first. Sessions by sessions_by_start, their highlights by
# highlights_by_session.
TEXTS = Query(
    str,
    """
select h.text
  from sessions s join highlights h on h.session_id = s.id and h.url_id = $2
 where s.user_id = $1 and s.highlight_count > 0
 group by h.text order by max(h.created_at) desc, h.text limit $3""",
)

# Before a note is written: forgetting holds the same lock, and what it deletes gets no note afterwards.
LOCK_SESSION = Write(
    UUID,
    """
select s.id from sessions s join highlights h on h.session_id = s.id
 where s.user_id = $1 and h.id = $2
   for no key update of s""",
)
PUT_NOTE = Write(
    UUID,
    """
insert into highlight_notes (session_id, seq, note)
select h.session_id, h.seq, $3::text
  from sessions s join highlights h on h.session_id = s.id
 where s.user_id = $1 and h.id = $2
on conflict (session_id, seq) do update set note = excluded.note, updated_at = now()
returning session_id""",
)
DELETE_NOTE = Write(
    Nothing,
    """
delete from highlight_notes o using sessions s, highlights h
 where s.user_id = $1 and h.session_id = s.id and h.id = $2
   and o.session_id = h.session_id and o.seq = h.seq""",
)
# Of highlights that were forgotten. Folding a log again deletes no note.
DELETE_FORGOTTEN = Write(
    Nothing,
    """
delete from highlight_notes o using sessions s
 where s.user_id = $1 and s.id = any ($2::uuid[]) and o.session_id = s.id
   and not exists (select from highlights h where h.session_id = o.session_id and h.seq = o.seq)""",
)
