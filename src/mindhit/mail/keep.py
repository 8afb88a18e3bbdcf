"""Mails that can't be sent for lack of a mail server: kept for the owner, who passes them on."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from mindhit import log
from mindhit.db import ReadTx, Tx
from mindhit.mail import store
from mindhit.mail.addresses import read_mailbox
from mindhit.mail.compose import bare_id, checked
from mindhit.mail.model import KeptMail, KeptMailId, KeptMailNotFound, MailRefused, Message

KEPT: Final = timedelta(days=30)
_log = log.get(__name__)
_NEWEST: Final = KeptMailId(2**63 - 1)


async def keep(tx: Tx, message: Message, user_id: UUID | None) -> None:
    """Store a mail that can't be sent, and log it with its link, for an owner without a browser.

    A mail whose id is stored already is the same mail.
    """
    recipient = checked(message).address
    message_id = bare_id(message.message_id) if message.message_id else None
    kept = await tx.maybe(store.KEEP, user_id, recipient, message.subject, message.text, message_id)
    if kept is not None:
        _log.warning(
            "mail kept: no mail server is configured (MINDHIT_SMTP_HOST)",
            recipient=recipient,
            subject=message.subject,
            text=message.text,
        )


async def list_kept(
    tx: ReadTx, *, behind: KeptMailId | None = None, limit: int = 100
) -> list[KeptMail]:
    """Newest first."""
    return await tx.all(store.LIST, _NEWEST if behind is None else behind, limit)


async def discard_kept(tx: Tx, kept_id: KeptMailId) -> None:
    if await tx.maybe(store.DISCARD, kept_id) is None:
        raise KeptMailNotFound


async def erase(tx: Tx, user_id: UUID, address: str) -> int:
    """Delete a person's mails, by id and by address; returns how many."""
    return await tx.run(store.ERASE, user_id, _as_kept(address))


async def prune(tx: Tx, older_than: timedelta = KEPT) -> int:
    """Delete old ones, whose links have long expired; returns how many."""
    return await tx.run(store.PRUNE, older_than)


def _as_kept(address: str) -> str | None:
    """None for an invalid address: no mail to it was kept, and erasing a person must not fail."""
    try:
        return read_mailbox(address).address
    except MailRefused:
        return None
