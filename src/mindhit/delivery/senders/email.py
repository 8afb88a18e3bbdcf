"""Mail to the person's own address. Without a mail server nothing is kept: the notice is in the app,
and what somebody reads is nobody else's business."""

from __future__ import annotations

from mindhit.delivery.model import Outgoing
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused
from mindhit.delivery.texts import mail_of
from mindhit.mail import MailFailed, MailRefused, SmtpClient


async def send(
    smtp: SmtpClient, notice: Outgoing, *, to: str, language: str, public_url: str, unsubscribe: str
) -> str:
    """The message id, which is the same for every repeat."""
    if not smtp.is_configured:
        raise DeliveryRefused("This server has no mail server.")
    message = mail_of(
        notice, to=to, language=language, public_url=public_url, unsubscribe=unsubscribe
    )
    try:
        await smtp.send(message)
    except MailFailed as error:
        raise DeliveryFailed("The mail server did not accept the mail.") from error
    except MailRefused as error:
        raise DeliveryRefused("The mail server refused the mail.") from error
    assert message.message_id is not None
    return message.message_id
