"""Sending a mail, or keeping it if there is no mail server."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Database
from mindhit.mail.keep import keep
from mindhit.mail.model import Message
from mindhit.mail.smtp import SmtpClient


async def deliver(db: Database, smtp: SmtpClient, message: Message, user_id: UUID | None) -> bool:
    """Send the message (True), or keep it if there is no mail server (False).

    `user_id` is the person on whose behalf the mail is written. Raises `MailFailed` if a retry may
    help and `MailRefused` if not. Call it outside any transaction: a mail server may take its time.
    """
    if smtp.is_configured:
        await smtp.send(message)
        return True
    async with db.transaction() as tx:
        await keep(tx, message, user_id)
    return False
