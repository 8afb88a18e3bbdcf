"""People: adding, finding and listing them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from mindhit.accounts import audit, email_addresses, preferences, store
from mindhit.accounts.model import (
    Event,
    Language,
    Listed,
    Origin,
    Person,
    PersonExists,
    PersonNotFound,
    Role,
    UserId,
)
from mindhit.db import ReadTx, Tx


async def add_person(
    tx: Tx,
    email: str,
    *,
    password_hash: str | None,
    origin: Origin,
    role: Role = Role.USER,
    is_verified: bool = False,
    language: Language = Language.EN,
    timezone: str | None = None,
) -> Person:
    """A new person with default settings, or `PersonExists` if the address is taken."""
    person = await tx.maybe(
        store.people.ADD,
        email_addresses.clean(email),
        email_addresses.key(email),
        password_hash,
        role,
        is_verified,
    )
    if person is None:
        raise PersonExists
    await preferences.add_defaults(tx, person.id, language, timezone)
    await audit.note(tx, Event.CREATED, person.id, origin)
    return person


async def has_owner(tx: ReadTx) -> bool:
    return await tx.one(store.people.HAS_OWNER)


async def find_person(tx: ReadTx, email: str) -> Person:
    person = await tx.maybe(store.people.BY_EMAIL, email_addresses.key(email))
    if person is None:
        raise PersonNotFound
    return person


async def show_person(tx: ReadTx, user_id: UserId) -> Person:
    person = await tx.maybe(store.people.BY_ID, user_id)
    if person is None:
        raise PersonNotFound
    return person


async def list_people(
    tx: ReadTx, *, after: tuple[datetime, UUID] | None = None, limit: int | None = None
) -> list[Listed]:
    """Oldest first, from behind the key of the last one of the previous page; all without a limit."""
    return await tx.all(store.people.LIST, *(after or (None, None)), limit)


async def count_people(tx: ReadTx) -> int:
    return await tx.one(store.people.COUNT)
