"""A person's address: verifying it, and changing it. Both by a link that proves the address."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.accounts import audit, email_addresses, store
from mindhit.accounts.job_types import MailEmailLink, MailMoved, MailVerifyLink
from mindhit.accounts.links import open_link
from mindhit.accounts.model import Caller, Event, Origin, PersonExists, Purpose
from mindhit.accounts.sign_in.guard import SignInGuard
from mindhit.accounts.sign_in.limits import LINKS_BY_ADDRESS
from mindhit.accounts.sign_in.sign_in import check_password
from mindhit.accounts.store.links import Opened
from mindhit.db import Database, Tx
from mindhit.work import enqueue


@dataclass(frozen=True, slots=True)
class Confirmed:
    purpose: Purpose
    email: str


async def ask_verification(
    db: Database, guard: SignInGuard, caller: Caller, origin: Origin
) -> None:
    await guard.spend_mail(db, str(caller.user_id), origin)
    async with db.transaction() as tx:
        await enqueue(tx, MailVerifyLink(caller.user_id))


async def ask_new_email(
    db: Database,
    guard: SignInGuard,
    caller: Caller,
    email: str,
    password: str | None,
    origin: Origin,
) -> None:
    """Mail a link to the new address; opening it makes the change."""
    email = email_addresses.clean(email)
    await guard.spend_mail(db, str(caller.user_id), origin)
    await check_password(db, guard, caller.user_id, password, origin)
    async with db.transaction() as tx:
        await enqueue(tx, MailEmailLink(caller.user_id, email, caller.device_id))


async def confirm(db: Database, guard: SignInGuard, token: str, origin: Origin) -> Confirmed:
    """Open a link that proves an address: the current one, or a new one."""
    await guard.spend(db, LINKS_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        opened = await open_link(tx, token, Purpose.VERIFY, Purpose.EMAIL)
        if opened.purpose == Purpose.VERIFY:
            await _verify(tx, opened, origin)
        else:
            await _change(tx, opened, origin)
    return Confirmed(Purpose(opened.purpose), opened.email or "")


async def _verify(tx: Tx, opened: Opened, origin: Origin) -> None:
    await tx.run(store.people.SET_VERIFIED, opened.owner)
    await audit.note(tx, Event.EMAIL_VERIFIED, opened.owner, origin)


async def _change(tx: Tx, opened: Opened, origin: Origin) -> None:
    user_id, email = opened.owner, opened.email or ""
    before = await tx.one(store.people.EMAIL_OF, user_id)
    if await tx.maybe(store.people.SET_EMAIL, user_id, email, email_addresses.key(email)) is None:
        raise PersonExists
    await tx.run(store.links.DROP_ALL, user_id)
    await enqueue(tx, MailMoved(user_id, before))
    await audit.note(tx, Event.EMAIL_CHANGED, user_id, origin)
