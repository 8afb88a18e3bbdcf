"""Building the MIME mail from a `Message`. Pure: no clock, no network.

No value can inject anything. Control characters are refused in every header; an encoded word
(`=?utf-8?q?…?=`) in a value is broken up, because the standard library decodes it and, before Python
3.11.10 and 3.12.5, wrote the line ends inside it (CVE-2024-6923); characters that separate addresses
are removed from names, because folding a long one loses its quotes.
"""

from __future__ import annotations

import re
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, Policy
from typing import Final

from mindhit.mail.addresses import read_mailbox, refuse_controls
from mindhit.mail.model import Mailbox, MailRefused, Message

# 7-bit bodies: no server on the way has a reason to rewrite them.
_POLICY: Final = SMTP.clone(cte_type="7bit")
_MESSAGE_ID = re.compile(r"<?([\w!#$%&'*+/=?^`{|}~.-]{1,120}@[\w.-]{1,120})>?", re.ASCII)
# What a message may set: the headers of one-click unsubscribing (RFC 2369, RFC 8058).
HEADERS: Final = frozenset({"List-Unsubscribe", "List-Unsubscribe-Post"})
_CONTENT_ID = re.compile(r"[a-z0-9.-]{1,60}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_ENCODED_WORD = re.compile(r"=\?(?=.*\?=)")
_NAME_SIGNS = re.compile(r'[,;:@<>()\[\]"\\]')


class _Unfolded(str):
    """A header that is written in one line. The standard library makes encoded words of a long address,
    and no mail program looks for one in `List-Unsubscribe`."""

    __slots__ = ("name",)
    name: str

    @classmethod
    def of(cls, name: str, value: str) -> _Unfolded:
        made = cls(value)
        made.name = name
        return made

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


def compose(message: Message, *, sender: Mailbox, now: datetime) -> EmailMessage:
    """The mail as text and HTML, or `MailRefused` if a value is invalid."""
    to = checked(message)
    mail = EmailMessage(policy=_POLICY)
    mail["From"] = _header_address(sender)
    mail["To"] = _header_address(to)
    mail["Subject"] = _plain(message.subject)
    mail["Date"] = now
    if message.message_id is not None:
        mail["Message-ID"] = f"<{bare_id(message.message_id)}>"
    for name, value in message.headers.items():
        mail[name] = _Unfolded.of(name, value)
    # Sent automatically: no out-of-office replies, please (RFC 3834).
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    mail.set_content(message.text)
    if message.html is not None:
        mail.add_alternative(message.html, subtype="html")
        for image in message.images:
            part = mail.get_payload()[-1]  # type: ignore[index]  # the HTML, which they belong to
            part.add_related(  # type: ignore[union-attr]
                image.png, "image", "png", cid=f"<{image.content_id}>", disposition="inline"
            )
    if message.language is not None:  # set last, or it would become a header of the text part only
        mail["Content-Language"] = message.language
    return mail


def checked(message: Message) -> Mailbox:
    """The recipient; raises `MailRefused` unless the message is valid."""
    refuse_controls(message.subject, "The subject")
    refuse_controls(message.text, "The text", but="\t\r\n")
    refuse_controls(message.html or "", "The HTML", but="\t\r\n")
    if message.message_id is not None:
        bare_id(message.message_id)
    if message.language is not None and not _LANGUAGE.fullmatch(message.language):
        raise MailRefused(f"{message.language[:20]!r} is not a language code such as ko.")
    for name, value in message.headers.items():
        if name not in HEADERS or not value.isascii() or not value.isprintable():
            raise MailRefused(f"A mail can't have the header {name[:40]!r} with this value.")
    for image in message.images:
        if not _CONTENT_ID.fullmatch(image.content_id) or message.html is None:
            raise MailRefused("An image of a mail needs an id such as map, and HTML that shows it.")
    return read_mailbox(message.to)


def bare_id(value: str) -> str:
    """The id without angle brackets, which are optional."""
    found = _MESSAGE_ID.fullmatch(value)
    if found is None:
        raise MailRefused(f"{value[:80]!r} is not a message id such as reminder.7@example.com.")
    return found[1]


def _header_address(mailbox: Mailbox) -> Address:
    name = _plain(_NAME_SIGNS.sub(" ", mailbox.name))
    return Address(display_name=name, username=mailbox.local, domain=mailbox.domain)


def _plain(value: str) -> str:
    """One line with single spaces and no encoded words."""
    return " ".join(_ENCODED_WORD.sub("= ?", value).split())
