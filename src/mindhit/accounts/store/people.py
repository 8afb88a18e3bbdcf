"""People."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.accounts.model import Listed, Person, UserId
from mindhit.db import Nothing, Query, Write

_PERSON = "id, email, role, password_hash is not null as has_password, verified_at, created_at"


@dataclass(frozen=True, slots=True)
class Credentials:
    id: UserId
    email: str
    password_hash: str | None


HAS_OWNER = Query(bool, "select exists (select from users where role = 'owner') as has_owner")

# At most one owner: users_one_owner decides when two owner links are opened at once.
ADD = Write(
    Person,
    f"""
insert into users (email, email_key, password_hash, role, verified_at)
values ($1, $2, $3, $4, case when $5::bool then now() end)
on conflict do nothing
returning {_PERSON}""",
)

BY_ID = Query(Person, f"select {_PERSON} from users where id = $1 and erasing_at is null")
# The same; the person can't be erased before this transaction ends.
LOCKED = Write(
    Person, f"select {_PERSON} from users where id = $1 and erasing_at is null for share"
)
EMAIL_OF = Query(str, "select email from users where id = $1")
BY_EMAIL = Query(Person, f"select {_PERSON} from users where email_key = $1 and erasing_at is null")
CREDENTIALS = Query(
    Credentials,
    "select id, email, password_hash from users where email_key = $1 and erasing_at is null",
)
CREDENTIALS_OF = Query(
    Credentials, "select id, email, password_hash from users where id = $1 and erasing_at is null"
)
SET_PASSWORD = Write(
    Nothing, "update users set password_hash = $2, updated_at = now() where id = $1"
)
SET_EMAIL = Write(
    UserId,
    """
update users
   set email = $2, email_key = $3, former_emails = former_emails || email, verified_at = now(),
       updated_at = now()
 where id = $1 and not exists (select from users u where u.email_key = $3 and u.id <> $1)
returning id""",
)
SET_VERIFIED = Write(
    Nothing,
    """
update users set verified_at = coalesce(verified_at, now()), updated_at = now() where id = $1""",
)
COUNT = Query(int, "select count(*)::int as n from users")
# Oldest first, after the key ($1, $2) where one is given. Few people: a scan.
LIST = Query(
    Listed,
    """
select u.id, u.email, u.role, u.verified_at, u.created_at, max(d.last_seen_at) as last_seen_at
  from users u left join devices d on d.user_id = u.id
 where u.erasing_at is null
   and ($1::timestamptz is null or (u.created_at, u.id) > ($1, $2::uuid))
 group by u.id order by u.created_at, u.id limit $3""",
    across_users="the owner's list of everybody",
)
