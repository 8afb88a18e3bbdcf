"""Ways that go through a mailbox: sign-up, proving an address, a new address, a new password.

No answer here tells whether an address is known: what depends on it happens in a job behind the
answer, and everything before that is done alike for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.accounts import addresses, audit, passwords, store
from mindhit.accounts.entrance import (
    LINKS_BY_ADDRESS,
    MAILS_BY_ACCOUNT,
    MAILS_BY_ADDRESS,
    Entrance,
)
from mindhit.accounts.jobs import MailEmailLink, MailResetLink, MailSignUpLink, MailVerifyLink
from mindhit.accounts.links import open_link
from mindhit.accounts.model import (
    Caller,
    Event,
    Language,
    LinkNotValid,
    Origin,
    PersonExists,
    Purpose,
    SignUpClosed,
    UserId,
)
from mindhit.accounts.people import add_person
from mindhit.accounts.sign_in import Greeting, check_password
from mindhit.accounts.store.links import Opened
from mindhit.db import Database, Tx
from mindhit.work import enqueue


@dataclass(frozen=True, slots=True)
class Confirmed:
    purpose: Purpose
    email: str


async def ask_sign_up(
    db: Database,
    entrance: Entrance,
    email: str,
    password: str,
    greeting: Greeting,
    origin: Origin,
) -> None:
    """Ask for an account; the mail that follows says what came of it."""
    entrance.need_passwords()
    if entrance.settings.sign_up != "open":
        raise SignUpClosed
    email = addresses.clean(email)
    passwords.check(password, email)
    key = addresses.key(email)
    await entrance.spend(db, MAILS_BY_ADDRESS, origin.address)
    await entrance.spend(db, MAILS_BY_ACCOUNT, key)
    hashed = await entrance.hasher.hash(password)
    async with db.transaction() as tx:
        sign_up_id = await tx.one(
            store.links.ADD_SIGN_UP, email, key, hashed, greeting.language, greeting.known_timezone
        )
        await enqueue(tx, MailSignUpLink(sign_up_id))


async def confirm(db: Database, entrance: Entrance, token: str, origin: Origin) -> Confirmed:
    """Open a link that proves an address: of a sign-up, of one's own, of a new one."""
    await entrance.spend(db, LINKS_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        opened = await open_link(tx, token, Purpose.SIGN_UP, Purpose.VERIFY, Purpose.EMAIL)
        email = await _prove(tx, opened, origin)
    return Confirmed(Purpose(opened.purpose), email)


async def ask_reset(db: Database, entrance: Entrance, email: str, origin: Origin) -> None:
    entrance.need_passwords()
    email = addresses.clean(email)
    key = addresses.key(email)
    await entrance.spend(db, MAILS_BY_ADDRESS, origin.address)
    await entrance.spend(db, MAILS_BY_ACCOUNT, key)
    async with db.transaction() as tx:
        await enqueue(tx, MailResetLink(key, origin.address, origin.device))


async def reset(
    db: Database, entrance: Entrance, token: str, password: str, origin: Origin
) -> None:
    """A new password by a link. Whoever was signed in with the old one is out, everywhere."""
    await entrance.spend(db, LINKS_BY_ADDRESS, origin.address)
    passwords.check(password)
    hashed = await entrance.hasher.hash(password)
    async with db.transaction() as tx:
        opened = await open_link(tx, token, Purpose.RESET)
        user_id = _whose(opened)
        await tx.run(store.people.SET_PASSWORD, user_id, hashed)
        if opened.email is not None:  # it came by mail: the address is the person's
            await tx.run(store.people.SET_VERIFIED, user_id)
        await tx.run(store.devices.REVOKE_ALL, user_id)
        await audit.note(tx, Event.PASSWORD_RESET, user_id, origin)


async def ask_new_email(
    db: Database, entrance: Entrance, caller: Caller, email: str, password: str | None
) -> None:
    """A link goes to the new address; it counts from the moment the link is opened."""
    email = addresses.clean(email)
    await entrance.spend(db, MAILS_BY_ACCOUNT, str(caller.user_id))
    await check_password(db, entrance, caller.user_id, password)
    async with db.transaction() as tx:
        await enqueue(tx, MailEmailLink(caller.user_id, email))


async def ask_verification(db: Database, entrance: Entrance, caller: Caller) -> None:
    await entrance.spend(db, MAILS_BY_ACCOUNT, str(caller.user_id))
    async with db.transaction() as tx:
        await enqueue(tx, MailVerifyLink(caller.user_id))


async def _prove(tx: Tx, opened: Opened, origin: Origin) -> str:
    if opened.purpose == Purpose.SIGN_UP:
        return await _finish_sign_up(tx, opened, origin)
    user_id = _whose(opened)
    email = opened.email or ""
    if opened.purpose == Purpose.VERIFY:
        await tx.run(store.people.SET_VERIFIED, user_id)
        await audit.note(tx, Event.EMAIL_VERIFIED, user_id, origin)
        return email
    if await tx.maybe(store.people.SET_EMAIL, user_id, email, addresses.key(email)) is None:
        raise PersonExists
    await tx.run(store.links.DROP, user_id, [Purpose.RESET, Purpose.VERIFY])
    await audit.note(tx, Event.EMAIL_CHANGED, user_id, origin)
    return email


async def _finish_sign_up(tx: Tx, opened: Opened, origin: Origin) -> str:
    asked = await tx.maybe(store.links.SIGN_UP, opened.sign_up_id)
    if asked is None:
        raise LinkNotValid
    await add_person(
        tx,
        asked.email,
        password_hash=asked.password_hash,
        origin=origin,
        is_verified=True,
        language=Language(asked.language),
        timezone=asked.timezone,
    )
    await tx.run(store.links.DROP_SIGN_UPS, addresses.key(asked.email))
    return asked.email


def _whose(opened: Opened) -> UserId:
    if opened.user_id is None:
        raise LinkNotValid
    return opened.user_id
