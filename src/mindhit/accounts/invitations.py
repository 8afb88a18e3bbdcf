"""Invitations: the link by which the first person becomes the owner, and people the owner adds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.accounts.job_types import MailInvitation
from mindhit.accounts.links import INVITATION_S, make_link
from mindhit.accounts.model import Language, Origin, Person, Purpose, Role
from mindhit.accounts.people import add_person, has_owner
from mindhit.db import Tx
from mindhit.mail import MailSettings
from mindhit.settings import Settings
from mindhit.work import enqueue


@dataclass(frozen=True, slots=True)
class Invitation:
    """A person who was added, and the link with which they choose a password."""

    person: Person
    link: str
    expires_at: datetime
    mailed: bool


async def make_owner_link(tx: Tx, settings: Settings) -> str | None:
    """A link to become the owner of this server; None if there is one already."""
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
    """Add a person without a password. The link is returned, to be passed on by hand; if there is a
    mail server, they also get one by mail."""
    person = await add_person(
        tx, email, password_hash=None, origin=origin, role=role, language=language
    )
    link, expires_at = await make_link(
        tx, settings.public_url, Purpose.RESET, user_id=person.id, valid_s=INVITATION_S
    )
    mailed = settings[MailSettings].smtp_host is not None
    if mailed:
        await enqueue(tx, MailInvitation(person.id))
    return Invitation(person, link, expires_at, mailed)
