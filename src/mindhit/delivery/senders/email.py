"""Mail to the person's own address. Without a mail server nothing is kept: the notice is in the app,
and what somebody reads is nobody else's business."""

from __future__ import annotations

from mindhit.delivery.model import Outgoing
from mindhit.delivery.reasons import Reason, ReasonCode
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused
from mindhit.delivery.texts import mail_of
from mindhit.mail import MailFailed, MailRefused, SmtpClient


async def send(
    smtp: SmtpClient, notice: Outgoing, *, to: str, language: str, public_url: str, unsubscribe: str
) -> str:
    """The message id, which is the same for every repeat."""
    if not smtp.is_configured:
        raise DeliveryRefused(Reason(ReasonCode.NO_MAIL_SERVER))
    message = mail_of(
        notice, to=to, language=language, public_url=public_url, unsubscribe=unsubscribe
    )
    try:
        await smtp.send(message)
    except MailFailed as error:
        raise DeliveryFailed(Reason(ReasonCode.MAIL_NOT_ACCEPTED)) from error
    except MailRefused as error:
        raise DeliveryRefused(Reason(ReasonCode.MAIL_REFUSED)) from error
    assert message.message_id is not None
    return message.message_id
