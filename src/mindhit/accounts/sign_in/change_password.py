"""A new password: with the current one, or by a link (forgotten passwords, and first ones)."""

from __future__ import annotations

from mindhit.accounts import audit, email_addresses, store
from mindhit.accounts.devices import sign_out_everywhere
from mindhit.accounts.job_types import MailResetLink
from mindhit.accounts.links import open_link
from mindhit.accounts.model import Caller, Event, Origin, Purpose
from mindhit.accounts.sign_in import passwords
from mindhit.accounts.sign_in.guard import SignInGuard
from mindhit.accounts.sign_in.limits import LINKS_BY_ADDRESS
from mindhit.accounts.sign_in.sign_in import check_password
from mindhit.accounts.sign_in.sign_up import finish_sign_up
from mindhit.db import Database
from mindhit.work import enqueue


async def change_password(
    db: Database,
    guard: SignInGuard,
    caller: Caller,
    current: str | None,
    new: str,
    origin: Origin,
) -> None:
    """A new password for somebody who is signed in; other browsers are signed out."""
    guard.require_passwords()
    passwords.check(new)
    await check_password(db, guard, caller.user_id, current, origin)
    hashed = await guard.hasher.hash(new)
    async with db.transaction() as tx:
        await tx.run(store.people.SET_PASSWORD, caller.user_id, hashed)
        await sign_out_everywhere(tx, caller.user_id, keep=caller.device_id)
        await audit.note(tx, Event.PASSWORD_CHANGED, caller.user_id, origin)


async def ask_reset(db: Database, guard: SignInGuard, email: str, origin: Origin) -> None:
    guard.require_passwords()
    key = email_addresses.key(email)
    await guard.spend_mail(db, key, origin)
    async with db.transaction() as tx:
        await enqueue(tx, MailResetLink(key, origin.address, origin.device))


async def choose_password(
    db: Database, guard: SignInGuard, token: str, password: str, origin: Origin
) -> None:
    """Set a password with a link: the first one of somebody who signed up, or a new one, which
    signs the person out everywhere."""
    guard.require_passwords()
    await guard.spend(db, LINKS_BY_ADDRESS, origin.address)
    passwords.check(password)
    hashed = await guard.hasher.hash(password)
    async with db.transaction() as tx:
        opened = await open_link(tx, token, Purpose.RESET, Purpose.SIGN_UP)
        if opened.purpose == Purpose.SIGN_UP:
            await finish_sign_up(tx, opened, hashed, origin)
            return
        user_id = opened.owner
        await tx.run(store.people.SET_PASSWORD, user_id, hashed)
        if opened.email is not None:  # the link was mailed, which proves the address
            await tx.run(store.people.SET_VERIFIED, user_id)
        await sign_out_everywhere(tx, user_id)
        await audit.note(tx, Event.PASSWORD_RESET, user_id, origin)
