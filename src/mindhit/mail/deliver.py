"""The one way for a mail out of the house, whether there is a mail server or not."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Database
from mindhit.mail.keep import keep
from mindhit.mail.model import Message
from mindhit.mail.smtp import SmtpClient


async def deliver(db: Database, smtp: SmtpClient, message: Message, user_id: UUID | None) -> bool:
    """Send the message (True), or keep it where there is no mail server (False).

    `user_id` is the person on whose behalf the mail is written. Raises `MailFailed` where another
    try is worth it and `MailRefused` where none is. Call it outside of any transaction: a mail
    server may take its time.
    """
    if smtp.is_configured:
        await smtp.send(message)
        return True
    async with db.transaction() as tx:
        await keep(tx, message, user_id)
    return False
