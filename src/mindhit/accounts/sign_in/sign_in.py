"""Signing in with a password, and creating the owner's account.

A password is hashed whether or not there is one to compare with, and the same is written down, so
that neither the answer nor its time says whether an address is known.

These functions take the database and not a transaction: hashing takes a tenth of a second, during
which no connection is held, and a failed attempt must be recorded although it raises.
"""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.accounts import audit, devices, email_addresses, store
from mindhit.accounts.links import open_link
from mindhit.accounts.model import (
    BadAddress,
    Device,
    Event,
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
from mindhit.accounts.preferences import Locale, learn_locale
from mindhit.accounts.sign_in import passwords
from mindhit.accounts.sign_in.guard import SignInGuard
from mindhit.accounts.sign_in.limits import LINKS_BY_ADDRESS
from mindhit.db import Database, Tx


@dataclass(frozen=True, slots=True)
class SignedIn:
    user_id: UserId
    device: Device
    cookie: str


async def become_owner(
    db: Database,
    guard: SignInGuard,
    token: str,
    email: str,
    password: str,
    locale: Locale,
    origin: Origin,
) -> SignedIn:
    """The first person of a server, by the link that `mindhit up` printed."""
    await guard.spend(db, LINKS_BY_ADDRESS, origin.address)
    email = email_addresses.clean(email)
    passwords.check(password, email)
    hashed = await guard.hasher.hash(password)
    async with db.transaction() as tx:
        if await has_owner(tx):
            raise OwnerExists
        try:
            await open_link(tx, token, Purpose.OWNER)
            user_id = await _add(tx, email, hashed, locale, origin, role=Role.OWNER)
        except (PersonExists, LinkNotValid):
            if await has_owner(tx):
                raise OwnerExists from None  # with another link, at the same moment
            raise
        return await _open_browser(tx, user_id, origin)


async def sign_in(
    db: Database,
    guard: SignInGuard,
    email: str,
    password: str,
    locale: Locale,
    origin: Origin,
) -> SignedIn:
    guard.require_passwords()
    key = _key(email)
    await guard.spend_attempt(db, key, origin)
    found = await db.alone(store.people.CREDENTIALS, key)
    known = found[0] if found else None
    if not await guard.hasher.verify(password, known.password_hash if known else None):
        async with db.transaction() as tx:
            await audit.note(tx, Event.SIGN_IN_FAILED, known.id if known else None, origin)
        raise WrongCredentials
    assert known is not None
    assert known.password_hash is not None
    await guard.reset_attempts(db, key, origin)
    fresh = None
    if guard.hasher.is_outdated(known.password_hash):
        fresh = await guard.hasher.hash(password)
    async with db.transaction() as tx:
        if fresh is not None:
            await tx.run(store.people.SET_PASSWORD, known.id, fresh)
        await learn_locale(tx, known.id, locale)
        return await _open_browser(tx, known.id, origin)


async def check_password(
    db: Database, guard: SignInGuard, user_id: UserId, password: str | None, origin: Origin
) -> None:
    """Make sure that it is the person and not their open laptop. Somebody without a password
    passes."""
    await guard.spend_attempt(db, str(user_id), origin)
    found = await db.alone(store.people.CREDENTIALS_OF, user_id)
    known = found[0].password_hash if found else None
    if known is not None and not await guard.hasher.verify(password or "", known):
        raise WrongPassword
    await guard.reset_attempts(db, str(user_id), origin)


async def _add(
    tx: Tx, email: str, hashed: str, locale: Locale, origin: Origin, *, role: Role
) -> UserId:
    person = await add_person(
        tx,
        email,
        password_hash=hashed,
        origin=origin,
        role=role,
        language=locale.language,
        timezone=locale.known_timezone,
    )
    return person.id


async def _open_browser(tx: Tx, user_id: UserId, origin: Origin) -> SignedIn:
    device, cookie = await devices.open_browser(tx, user_id, origin)
    return SignedIn(user_id, device, cookie)


def _key(email: str) -> str:
    """What can't be an address is treated like one that nobody has."""
    try:
        return email_addresses.key(email)
    except BadAddress:
        return ""
