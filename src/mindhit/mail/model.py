"""What mail is made of, and what can be wrong with it.

MailFailed     not sent, worth another try: the server is away, hangs, says "later" (4xx), or
               does not let MindHit in; the operator may mend that while the mail waits
MailRefused    not sent, for good: what was asked for is no mail, or the server says "never"
               (5xx) to this recipient or this content
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, NewType
from uuid import UUID

from mindhit.errors import NotFound, Refused, Upstream

KeptMailId = NewType("KeptMailId", int)


class MailFailed(Upstream):
    """The mail could not be handed to the mail server; another try may succeed."""


class MailRefused(Refused):
    """This mail cannot be sent."""


class KeptMailNotFound(NotFound):
    """There is no kept mail by that number."""


@dataclass(frozen=True, slots=True)
class Message:
    """One mail to one person. `message_id` makes a repeat of it the same mail for its reader."""

    to: str
    subject: str
    text: str
    html: str | None = None
    language: str | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One address that was read and found good; the domain is in ASCII."""

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


class Rendered(NamedTuple):
    text: str
    html: str
