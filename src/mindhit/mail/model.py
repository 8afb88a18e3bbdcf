"""Messages and mailboxes, and the errors of mail.

MailFailed     not sent, worth a retry: the server is unreachable, hangs, says "later" (4xx), or
               refuses MindHit; the operator may fix that while the mail waits
MailRefused    not sent, permanently: the message is invalid, or the server refuses (5xx) this
               recipient or this content
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, NewType
from uuid import UUID

from mindhit.errors import NotFound, Refused, Upstream

KeptMailId = NewType("KeptMailId", int)


class MailFailed(Upstream):
    """The mail server did not accept the email; a retry may succeed."""


class MailRefused(Refused):
    """This email can't be sent."""


class KeptMailNotFound(NotFound):
    """There is no unsent email with that id."""


@dataclass(frozen=True, slots=True)
class Image:
    """A PNG inside the mail, which its HTML shows as `cid:content_id`."""

    content_id: str
    png: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Message:
    """One mail to one person. With the same `message_id`, a repeat is the same mail. `headers` are
    some of `compose.HEADERS`."""

    to: str
    subject: str
    text: str
    html: str | None = None
    language: str | None = None
    message_id: str | None = None
    images: tuple[Image, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A parsed, valid address; the domain is in ASCII."""

    name: str
    local: str
    domain: str

    @property
    def address(self) -> str:
        return f"{self.local}@{self.domain}"


@dataclass(frozen=True, slots=True)
class KeptMail:
    id: KeptMailId
    user_id: UUID | None
    recipient: str
    subject: str
    text: str
    created_at: datetime


class Button(NamedTuple):
    label: str
    url: str


class Picture(NamedTuple):
    """An image of the message, where the layout shows it; `alt` is what it says in words."""

    content_id: str
    alt: str


class Rendered(NamedTuple):
    text: str
    html: str
