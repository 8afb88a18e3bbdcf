"""The ways in by a password: the owner's first, and everybody's after that.

No answer tells whether an address is known: a password is hashed whether there is one to compare
with or not, and the same is written down.

These functions take the database and not a transaction: hashing takes a tenth of a second, and no
connection waits for it; and a failure has to be written down although it is raised.
"""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.accounts import addresses, audit, devices, passwords, store
from mindhit.accounts.entrance import LINKS_BY_ADDRESS, Entrance
from mindhit.accounts.links import open_link
from mindhit.accounts.model import (
    BadAddress,
    Caller,
    Device,
    Event,
    Language,
    LinkNotValid,
    Origin,
    OwnerExists,
    PersonExists,
    Purpose,
    Role,
    UserId,
    WrongCredentials,
    WrongPassword,
)
from mindhit.accounts.people import add_person, has_owner
from mindhit.accounts.preferences import is_timezone, learn_timezone
from mindhit.db import Database, Tx


@dataclass(frozen=True, slots=True)
class SignedIn:
    user_id: UserId
    device: Device
    cookie: str


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a browser says of itself when somebody comes in for the first time."""

    language: Language = Language.EN
    timezone: str | None = None

    @property
    def known_timezone(self) -> str | None:
        return self.timezone if self.timezone and is_timezone(self.timezone) else None


async def become_owner(
    db: Database,
    entrance: Entrance,
    token: str,
    email: str,
    password: str,
    greeting: Greeting,
    origin: Origin,
) -> SignedIn:
    """The first person of a server, by the link that its start printed."""
    await entrance.spend(db, LINKS_BY_ADDRESS, origin.address)
    email = addresses.clean(email)
    passwords.check(password, email)
    hashed = await entrance.hasher.hash(password)
    async with db.transaction() as tx:
        if await has_owner(tx):
            raise OwnerExists
        try:
            await open_link(tx, token, Purpose.OWNER)
            user_id = await _add(tx, email, hashed, greeting, origin, role=Role.OWNER)
        except (PersonExists, LinkNotValid):
            if await has_owner(tx):
                raise OwnerExists from None  # by another link, at the same moment
            raise
        return await _enter(tx, user_id, origin)


async def sign_in(
    db: Database,
    entrance: Entrance,
    email: str,
    password: str,
    greeting: Greeting,
    origin: Origin,
) -> SignedIn:
    entrance.need_passwords()
    key = _key(email)
    await entrance.spend_try(db, key, origin)
    found = await db.alone(store.people.CREDENTIALS, key)
    known = found[0] if found else None
    if not await entrance.hasher.verify(password, known.password_hash if known else None):
        async with db.transaction() as tx:
            await audit.note(tx, Event.SIGN_IN_FAILED, known.id if known else None, origin)
        raise WrongCredentials
    assert known is not None
    assert known.password_hash is not None
    await entrance.give_back_try(db, key, origin)
    fresh = None
    if entrance.hasher.is_outdated(known.password_hash):
        fresh = await entrance.hasher.hash(password)
    async with db.transaction() as tx:
        if fresh is not None:
            await tx.run(store.people.SET_PASSWORD, known.id, fresh)
        await learn_timezone(tx, known.id, greeting.timezone)
        return await _enter(tx, known.id, origin)


async def change_password(
    db: Database,
    entrance: Entrance,
    caller: Caller,
    current: str | None,
    new: str,
    origin: Origin,
) -> None:
    """A new password for somebody who is signed in; other browsers are signed out."""
    entrance.need_passwords()
    passwords.check(new)
    await check_password(db, entrance, caller.user_id, current, origin)
    hashed = await entrance.hasher.hash(new)
    async with db.transaction() as tx:
        await tx.run(store.people.SET_PASSWORD, caller.user_id, hashed)
        await devices.shut_out(tx, caller.user_id, but=caller.device_id)
        await audit.note(tx, Event.PASSWORD_CHANGED, caller.user_id, origin)


async def check_password(
    db: Database, entrance: Entrance, user_id: UserId, password: str | None, origin: Origin
) -> None:
    """Make sure that it is the person and not their open laptop. Who has no password passes."""
    await entrance.spend_try(db, str(user_id), origin)
    found = await db.alone(store.people.CREDENTIALS_OF, user_id)
    known = found[0].password_hash if found else None
    if known is not None and not await entrance.hasher.verify(password or "", known):
        raise WrongPassword
    await entrance.give_back_try(db, str(user_id), origin)


async def _add(
    tx: Tx, email: str, hashed: str, greeting: Greeting, origin: Origin, *, role: Role
) -> UserId:
    person = await add_person(
        tx,
        email,
        password_hash=hashed,
        origin=origin,
        role=role,
        language=greeting.language,
        timezone=greeting.known_timezone,
    )
    return person.id


async def _enter(tx: Tx, user_id: UserId, origin: Origin) -> SignedIn:
    device, cookie = await devices.open_browser(tx, user_id, origin)
    return SignedIn(user_id, device, cookie)


def _key(email: str) -> str:
    """What cannot be an address is tried like one that nobody has."""
    try:
        return addresses.key(email)
    except BadAddress:
        return ""
