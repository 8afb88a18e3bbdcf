"""Notices, and the inbox."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.delivery.model import Notice, NoticeId


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedNotice:
    user_id: UUID
    kind: str
    key: str
    title: str
    body: str
    url: str | None
    page_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedNotices:
    user_ids: list[UUID]
    kinds: list[str]
    keys: list[str]
    titles: list[str]
    bodies: list[str]
    urls: list[str | None]
    page_ids: list[UUID | None]


@dataclass(frozen=True, slots=True)
class Keyed:
    user_id: UUID
    key: str
    id: NoticeId


# Nothing comes back where there is one with that key (notices_key).
ADD = Write(
    NoticeId,
    """
insert into notices (user_id, kind, key, title, body, url, page_id)
values ($user_id, $kind, $key, $title, $body, $url, $page_id)
on conflict on constraint notices_key do nothing
returning id""",
    params=AddedNotice,
)
# Several at once, of several people; those that are there are answered too (notices_key).
ADD_MANY = Write(
    Keyed,
    """
with added as (
  insert into notices (user_id, kind, key, title, body, url, page_id)
  select * from unnest($user_ids::uuid[], $kinds::text[], $keys::text[], $titles::text[],
                       $bodies::text[], $urls::text[], $page_ids::uuid[])
  on conflict on constraint notices_key do nothing
  returning user_id, key, id
)
select user_id, key, id from added
union all
select n.user_id, n.key, n.id
  from unnest($user_ids::uuid[], $keys::text[]) as asked (user_id, key)
  join notices n using (user_id, key)""",
    params=AddedNotices,
    across_users="of the jobs of one batch",
)
BY_KEY = Query(NoticeId, "select id from notices where user_id = $1 and key = $2")
_NOTICE = "id, kind, title, body, url, page_id, read_at, created_at"
# Newest first, behind a key (notices_of_user).
LIST = Query(
    Notice,
    f"""
select {_NOTICE} from notices
 where user_id = $1 and (not $2::bool or read_at is null)
   and ($3::text is null or kind = $3)
   and ($4::timestamptz is null or (created_at, id) < ($4, $5::uuid))
 order by created_at desc, id desc limit $6""",
)
# notices_unread
COUNT_UNREAD = Query(
    int, "select count(*)::int from notices where user_id = $1 and read_at is null"
)
READ = Write(
    Notice,
    f"""
update notices set read_at = coalesce(read_at, now()), updated_at = now()
 where user_id = $1 and id = $2 returning {_NOTICE}""",
)
# Of pages that were deleted (notices_of_page).
READ_OF_PAGES = Write(
    Nothing,
    """
update notices set read_at = now(), updated_at = now()
 where user_id = $1 and page_id = any($2) and read_at is null""",
)
# What was told of a page gets keys that nothing new has (notices_of_page).
RETIRE_KEYS = Write(
    Nothing,
    """
update notices set key = key || ':' || id, updated_at = now()
 where user_id = $1 and page_id = $2 and kind = $3 and right(key, 36) <> id::text""",
)
READ_ALL = Write(
    Nothing,
    "update notices set read_at = now(), updated_at = now() where user_id = $1 and read_at is null",
)
# notices_read
PRUNE = Write(
    Nothing,
    "delete from notices where read_at < now() - make_interval(days => $1)",
    across_users="age is the same for everyone",
)
