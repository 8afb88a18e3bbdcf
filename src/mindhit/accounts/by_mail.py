"""Ways that go through a mailbox: sign-up, proving an address, a new address, a new password.

No answer here tells whether an address is known: what depends on it happens in a job behind the
answer, and everything before that is done alike for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass

from mindhit import mail
from mindhit.accounts import addresses, audit, passwords, store
from mindhit.accounts.devices import shut_out
from mindhit.accounts.entrance import (
    LINKS_BY_ADDRESS,
    Entrance,
)
from mindhit.accounts.jobs import (
    MailEmailLink,
    MailMoved,
    MailResetLink,
    MailSignUpLink,
    MailVerifyLink,
)
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
from mindhit.accounts.settings import AccountsSettings
from mindhit.accounts.sign_in import Greeting, check_password
from mindhit.accounts.store.links import Opened
from mindhit.db import Database, Tx
from mindhit.work import enqueue


@dataclass(frozen=True, slots=True)
class Confirmed:
    purpose: Purpose
    email: str


async def ask_sign_up(
    db: Database, entrance: Entrance, email: str, greeting: Greeting, origin: Origin
) -> None:
    """Ask for an account; the mail that follows says what came of it. The password is chosen by
    whoever opens the link: who only knows an address cannot choose one for it."""
    entrance.need_passwords()
    if entrance.settings[AccountsSettings].sign_up != "open":
        raise SignUpClosed
    email = addresses.clean(email)
    key = addresses.key(email)
    await entrance.spend_mail(db, key, origin)
    async with db.transaction() as tx:
        sign_up_id = await tx.one(
            store.links.ADD_SIGN_UP, email, key, greeting.language, greeting.known_timezone
        )
        await enqueue(tx, MailSignUpLink(sign_up_id))


async def confirm(db: Database, entrance: Entrance, token: str, origin: Origin) -> Confirmed:
    """Open a link that proves an address: one's own, or a new one."""
    await entrance.spend(db, LINKS_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        opened = await open_link(tx, token, Purpose.VERIFY, Purpose.EMAIL)
        email = await _prove(tx, opened, origin)
    return Confirmed(Purpose(opened.purpose), email)


async def ask_reset(db: Database, entrance: Entrance, email: str, origin: Origin) -> None:
    entrance.need_passwords()
    key = addresses.key(email)
    await entrance.spend_mail(db, key, origin)
    async with db.transaction() as tx:
        await enqueue(tx, MailResetLink(key, origin.address, origin.device))


async def choose_password(
    db: Database, entrance: Entrance, token: str, password: str, origin: Origin
) -> None:
    """A password by a link: the first one of somebody who signed up, or a new one. Whoever was
    signed in with the old one is out, everywhere."""
    entrance.need_passwords()
    await entrance.spend(db, LINKS_BY_ADDRESS, origin.address)
    passwords.check(password)
    hashed = await entrance.hasher.hash(password)
    async with db.transaction() as tx:
        opened = await open_link(tx, token, Purpose.RESET, Purpose.SIGN_UP)
        if opened.purpose == Purpose.SIGN_UP:
            await _finish_sign_up(tx, opened, hashed, origin)
            return
        user_id = _whose(opened)
        await tx.run(store.people.SET_PASSWORD, user_id, hashed)
        if opened.email is not None:  # it came by mail: the address is the person's
            await tx.run(store.people.SET_VERIFIED, user_id)
        await shut_out(tx, user_id)
        await audit.note(tx, Event.PASSWORD_RESET, user_id, origin)


async def ask_new_email(
    db: Database,
    entrance: Entrance,
    caller: Caller,
    email: str,
    password: str | None,
    origin: Origin,
) -> None:
    """A link goes to the new address; it counts from the moment the link is opened."""
    email = addresses.clean(email)
    await entrance.spend_mail(db, str(caller.user_id), origin)
    await check_password(db, entrance, caller.user_id, password, origin)
    async with db.transaction() as tx:
        await enqueue(tx, MailEmailLink(caller.user_id, email, caller.device_id))


async def ask_verification(
    db: Database, entrance: Entrance, caller: Caller, origin: Origin
) -> None:
    await entrance.spend_mail(db, str(caller.user_id), origin)
    async with db.transaction() as tx:
        await enqueue(tx, MailVerifyLink(caller.user_id))


async def _prove(tx: Tx, opened: Opened, origin: Origin) -> str:
    user_id = _whose(opened)
    email = opened.email or ""
    if opened.purpose == Purpose.VERIFY:
        await tx.run(store.people.SET_VERIFIED, user_id)
        await audit.note(tx, Event.EMAIL_VERIFIED, user_id, origin)
        return email
    before = await tx.one(store.erasing.EMAIL_OF, user_id)
    if await tx.maybe(store.people.SET_EMAIL, user_id, email, addresses.key(email)) is None:
        raise PersonExists
    await tx.run(store.links.DROP_ALL, user_id)
    await enqueue(tx, MailMoved(user_id, before))
    await audit.note(tx, Event.EMAIL_CHANGED, user_id, origin)
    return email


async def _finish_sign_up(tx: Tx, opened: Opened, hashed: str, origin: Origin) -> None:
    asked = await tx.maybe(store.links.SIGN_UP, opened.sign_up_id)
    if asked is None:
        raise LinkNotValid
    person = await add_person(
        tx,
        asked.email,
        password_hash=hashed,
        origin=origin,
        is_verified=True,
        language=Language(asked.language),
        timezone=asked.timezone,
    )
    await tx.run(store.links.DROP_SIGN_UPS, addresses.key(asked.email))
    await mail.erase(tx, person.id, asked.email)  # kept ones: their links are used up


def _whose(opened: Opened) -> UserId:
    if opened.user_id is None:
        raise LinkNotValid
    return opened.user_id
