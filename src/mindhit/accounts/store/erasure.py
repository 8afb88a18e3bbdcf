"""Erasing people."""

from __future__ import annotations

from uuid import UUID

from mindhit.accounts.model import UserId
from mindhit.db import Nothing, Query, Write

ASK = Write(
    UUID,
    """
with gone as (update users set erasing_at = now(), updated_at = now() where id = $1)
insert into erasures (user_id) values ($1)
on conflict (user_id) do update set asked_at = erasures.asked_at
returning id""",
)
ASKED = Query(
    UserId,
    "select user_id from erasures where id = $1",
    across_users="the job knows only the number of the request; whose it is, is the answer",
)
# The current address and all former ones.
ADDRESSES_OF = Query(
    list[str], "select email || former_emails as addresses from users where id = $1"
)
# Settings, devices, tokens, links, connections, identities and events are deleted by their
# foreign keys.
DELETE_PERSON = Write(Nothing, "delete from users where id = $1")
