"""Mails without a mail server: kept for the owner, who passes on what they say."""

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

_log = log.get(__name__)
_NEWEST: Final = KeptMailId(2**63 - 1)


async def keep(tx: Tx, message: Message, user_id: UUID | None) -> None:
    """Keep what could be sent if there were a server, and say so in the log, links and all.

    The log is what an owner without a browser at hand has. A mail whose id is kept already is
    the same mail.
    """
    recipient = checked(message).address
    message_id = bare_id(message.message_id) if message.message_id else None
    kept = await tx.maybe(store.KEEP, user_id, recipient, message.subject, message.text, message_id)
    if kept is not None:
        _log.warning(
            "mail kept: no mail server is set (MINDHIT_SMTP_HOST)",
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
    """Forget the mails of a person, whether by id or by address; tells how many there were."""
    return await tx.run(store.ERASE, user_id, _as_kept(address))


async def prune(tx: Tx, older_than: timedelta) -> int:
    """Their links have long run out; tells how many went."""
    return await tx.run(store.PRUNE, older_than)


def _as_kept(address: str) -> str | None:
    """An address that cannot be read was never kept; forgetting a person must not fail over it."""
    try:
        return read_mailbox(address).address
    except MailRefused:
        return None
