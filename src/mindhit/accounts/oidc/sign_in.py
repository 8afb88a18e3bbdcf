"""The two halves of a sign-in. Both ask the provider in between, so they take the database and not
a transaction: no connection is held while waiting for somebody else's server."""

from __future__ import annotations

import hashlib
import secrets

from mindhit.accounts import audit, devices, email_addresses, store
from mindhit.accounts.model import Event, Language, Origin, Person, PersonExists, UserId
from mindhit.accounts.oidc.model import Profile, Reason, SignInRefused
from mindhit.accounts.oidc.provider import Provider
from mindhit.accounts.oidc.redirects import local_path
from mindhit.accounts.people import add_person, has_owner
from mindhit.accounts.preferences import Locale, learn_locale
from mindhit.accounts.sign_in.sign_in import SignedIn
from mindhit.db import Database, Tx

VALID_S = 600  # from leaving for the provider to coming back


async def begin(
    db: Database, provider: Provider, next_page: str, locale: Locale
) -> tuple[str, str]:
    """The provider's address to send a browser to, and the state, which that browser must present
    when it comes back: otherwise an attacker could sign others in to an account of theirs."""
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    url = await provider.address(state, nonce, verifier)
    await db.alone(
        store.identities.ADD_REQUEST,
        _hash(state),
        nonce,
        verifier,
        local_path(next_page),
        locale.language,
        locale.known_timezone,
        float(VALID_S),
    )
    return url, state


async def finish(
    db: Database, provider: Provider, code: str, state: str, origin: Origin
) -> tuple[SignedIn, str]:
    """Sign in whoever came back; returns where they wanted to go. The request is used up first, in
    its own transaction, so that no code is tried twice."""
    taken = await db.alone(store.identities.TAKE_REQUEST, _hash(state))
    if not taken:
        raise SignInRefused(Reason.EXPIRED)
    [request] = taken
    profile = await provider.identify(code, request.verifier, request.nonce)
    locale = Locale(Language(request.language), request.timezone)
    async with db.transaction() as tx:
        user_id = await _recognise(tx, provider, profile, locale, origin)
        await learn_locale(tx, user_id, locale)
        device, cookie = await devices.open_browser(tx, user_id, origin)
    return SignedIn(user_id, device, cookie), request.next


async def unlink(tx: Tx, user_id: UserId, origin: Origin) -> int:
    """Remove a person's links to providers, so that the next sign-in finds them by address: their
    subject there has changed. Returns how many were removed."""
    removed = await tx.run(store.identities.DROP, user_id)
    if removed:
        await audit.note(tx, Event.IDENTITY_UNLINKED, user_id, origin)
    return removed


async def _recognise(
    tx: Tx, provider: Provider, profile: Profile, locale: Locale, origin: Origin
) -> UserId:
    if not await has_owner(tx):
        raise SignInRefused(Reason.NO_OWNER)
    user_id = await tx.maybe(store.identities.FIND, profile.issuer, profile.subject)
    if user_id is None:
        return await _link(tx, provider, profile, locale, origin)
    if await tx.maybe(store.people.BY_ID, user_id) is None:
        raise SignInRefused(Reason.LEAVING)
    return user_id


async def _link(
    tx: Tx, provider: Provider, profile: Profile, locale: Locale, origin: Origin
) -> UserId:
    """Link a new subject to the person with its address; not if they are linked to another subject of
    the same provider, where addresses may be reassigned to new people."""
    if profile.email is None:
        raise SignInRefused(Reason.UNVERIFIED)
    subject = (profile.issuer, profile.subject)
    person = await _find_or_add(tx, provider, profile.email, locale, origin)
    if person is not None and await tx.maybe(store.identities.ADD, *subject, person.id) is not None:
        await tx.run(store.people.SET_VERIFIED, person.id)
        await audit.note(tx, Event.IDENTITY_LINKED, person.id, origin)
        return person.id
    # Or the same subject signed in from another tab at the same moment.
    user_id = await tx.maybe(store.identities.FIND, *subject)
    if user_id is None:
        raise SignInRefused(Reason.LEAVING if person is None else Reason.LINKED)
    return user_id


async def _find_or_add(
    tx: Tx, provider: Provider, email: str, locale: Locale, origin: Origin
) -> Person | None:
    """The person with an address; None if they are being erased or were added just now."""
    person = await tx.maybe(store.people.BY_EMAIL, email_addresses.key(email))
    if person is not None:
        return person
    if not provider.signs_up:
        raise SignInRefused(Reason.UNKNOWN)
    try:
        return await add_person(
            tx,
            email,
            password_hash=None,
            origin=origin,
            is_verified=True,
            language=locale.language,
            timezone=locale.known_timezone,
        )
    except PersonExists:
        return None


def _hash(state: str) -> bytes:
    return hashlib.sha256(state.encode()).digest()
