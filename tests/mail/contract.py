"""Mails that were kept for want of a mail server."""

from __future__ import annotations

from mindhit import mail
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.mail import Message
from tests.contract.slices import Contract, Ids


async def life(db: Database, person: Person, canary: str) -> Ids:
    """A mail that the person caused, and one to their address that somebody else did."""
    async with db.transaction() as tx:
        await mail.keep(tx, Message(person.email, canary, canary), None)
        await mail.keep(tx, Message(person.email, canary, canary), person.id)
        [kept] = await mail.list_kept(tx, limit=1)
    return {"mail_id": str(kept.id)}


CONTRACT = Contract(
    paths=("/v1/admin/mails",),
    life=life,
    no_ids={"mail_id": "0"},
    not_exported={"kept_mails.message_id": "names the mail to mail programs, and nothing else"},
)
