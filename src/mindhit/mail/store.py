"""Statements on `kept_mails`: a small table, for the owner only and pruned regularly.

Its indexes are `kept_mails_once` and the primary key; everything else is a scan.
"""

from __future__ import annotations

from mindhit.db import Nothing, Query, Write
from mindhit.mail.model import KeptMail, KeptMailId

# Keep a mail; no row if it is kept already (kept_mails_once).
KEEP = Write(
    KeptMailId,
    """
insert into kept_mails (user_id, recipient, subject, text, message_id)
values ($1, $2, $3, $4, $5)
on conflict (message_id) where message_id is not null do nothing
returning id""",
)

# Newest first, from before the id $1, for the owner's list; by the primary key.
LIST = Query(
    KeptMail,
    """
select id, user_id, recipient, subject, text, created_at
  from kept_mails where id < $1 order by id desc limit $2""",
    across_users="the owner passes on what nobody else can send",
)

# One that was passed on, or is not wanted; by the primary key.
DISCARD = Write(
    KeptMailId,
    "delete from kept_mails where id = $1 returning id",
    across_users="the owner passes on what nobody else can send",
)

# All that is a person's: what they caused, and what is addressed to them.
ERASE = Write(
    Nothing,
    "delete from kept_mails where user_id = $1 or lower(recipient) = lower($2)",
    across_users="mails to a person's address are theirs, whoever caused them",
)

# All that a person caused, oldest first.
OF_USER = Query(
    KeptMail,
    """
select id, user_id, recipient, subject, text, created_at
  from kept_mails where user_id = $1 order by id""",
)

# Old ones.
PRUNE = Write(
    Nothing,
    "delete from kept_mails where created_at < now() - $1::interval",
    across_users="age is the same for everyone",
)
