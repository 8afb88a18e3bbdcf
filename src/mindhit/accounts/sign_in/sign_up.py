"""Signing up: a mail first; the account is created when its link is opened."""

from __future__ import annotations

from mindhit import mail
from mindhit.accounts import email_addresses, store
from mindhit.accounts.job_types import MailSignUpLink
from mindhit.accounts.model import Language, LinkNotValid, Origin, SignUpClosed
from mindhit.accounts.people import add_person
from mindhit.accounts.preferences import Locale
from mindhit.accounts.settings import AccountsSettings
from mindhit.accounts.sign_in.guard import SignInGuard
from mindhit.accounts.store.links import Opened
from mindhit.db import Database, Tx
from mindhit.work import enqueue


async def ask_sign_up(
    db: Database, guard: SignInGuard, email: str, locale: Locale, origin: Origin
) -> None:
    """Ask for an account; the mail says whether there is one already. The password is chosen by
    whoever opens the link, so that nobody can choose one for somebody else's address."""
    guard.require_passwords()
    if guard.settings[AccountsSettings].sign_up != "open":
        raise SignUpClosed
    email = email_addresses.clean(email)
    key = email_addresses.key(email)
    await guard.spend_mail(db, key, origin)
    async with db.transaction() as tx:
        sign_up_id = await tx.one(
            store.links.ADD_SIGN_UP, email, key, locale.language, locale.known_timezone
        )
        await enqueue(tx, MailSignUpLink(sign_up_id))


async def finish_sign_up(tx: Tx, opened: Opened, password_hash: str, origin: Origin) -> None:
    asked = await tx.maybe(store.links.SIGN_UP, opened.sign_up_id)
    if asked is None:
        raise LinkNotValid
    person = await add_person(
        tx,
        asked.email,
        password_hash=password_hash,
        origin=origin,
        is_verified=True,
        language=Language(asked.language),
        timezone=asked.timezone,
    )
    await tx.run(store.links.DROP_SIGN_UPS, email_addresses.key(asked.email))
    await mail.erase(tx, person.id, asked.email)  # kept ones: their links are used up
