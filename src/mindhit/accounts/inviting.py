"""Bringing people in: the owner by the link of the first start, others by the owner."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.accounts.jobs import MailInvitation
from mindhit.accounts.links import INVITED_S, make_link
from mindhit.accounts.model import Language, Origin, Person, Purpose, Role
from mindhit.accounts.people import add_person, has_owner
from mindhit.db import Tx
from mindhit.mail import MailSettings
from mindhit.settings import Settings
from mindhit.work import enqueue


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody who was added, and the link with which they choose their password."""

    person: Person
    link: str
    expires_at: datetime
    mailed: bool


async def make_owner_link(tx: Tx, settings: Settings) -> str | None:
    """A link for whoever shall own this server; None where somebody does already."""
    if await has_owner(tx):
        return None
    link, _ = await make_link(tx, settings.public_url, Purpose.OWNER)
    return link


async def invite(
    tx: Tx,
    settings: Settings,
    email: str,
    origin: Origin,
    *,
    role: Role = Role.USER,
    language: Language = Language.EN,
) -> Invitation:
    """Add a person who has yet to choose a password. The link comes back to be passed on by hand;
    where mail can be sent, they get one of their own as well."""
    person = await add_person(
        tx, email, password_hash=None, origin=origin, role=role, language=language
    )
    link, expires_at = await make_link(
        tx, settings.public_url, Purpose.RESET, user_id=person.id, valid_s=INVITED_S
    )
    mailed = settings[MailSettings].smtp_host is not None
    if mailed:
        await enqueue(tx, MailInvitation(person.id))
    return Invitation(person, link, expires_at, mailed)
