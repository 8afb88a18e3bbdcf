"""What a person has chosen, and which values there are to choose from."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from datetime import time
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from mindhit import urls
from mindhit.accounts import store
from mindhit.accounts.model import BadSetting, Preferences, UserId
from mindhit.db import ReadTx, Tx

MOST_DOMAINS = 1000


async def show_preferences(tx: ReadTx, user_id: UserId) -> Preferences:
    return await tx.one(store.preferences.OF, user_id)


async def change_preferences(tx: Tx, user_id: UserId, changes: Mapping[str, Any]) -> Preferences:
    """Change some and keep the others."""
    known = await tx.one(store.preferences.LOCKED, user_id)
    chosen = check(dataclasses.replace(known, **changes))
    await tx.run(
        store.preferences.SAVE,
        user_id,
        chosen.email_notification,
        chosen.excluded_domains,
        chosen.timezone,
        chosen.language,
        chosen.quiet_from,
        chosen.quiet_until,
        "timezone" in changes,  # one that was only supposed stays open for the browser's
    )
    return chosen


async def change_domains(
    tx: Tx, user_id: UserId, *, add: Iterable[str], remove: Iterable[str]
) -> Preferences:
    """Leave out some domains and no longer others; what another browser chose meanwhile stays.

    One that is in both is left out: rather too little is recorded than too much.
    """
    known = await tx.one(store.preferences.LOCKED, user_id)
    gone = {_domain(each) for each in remove}
    kept = [each for each in known.excluded_domains if each not in gone]
    return await change_preferences(tx, user_id, {"excluded_domains": [*kept, *add]})


async def learn_timezone(tx: Tx, user_id: UserId, timezone: str | None) -> None:
    """The browser's zone counts until the person chooses one. One that we do not know is let go."""
    if timezone is not None and is_timezone(timezone):
        await tx.run(store.preferences.LEARN_TIMEZONE, user_id, timezone)


def check(chosen: Preferences) -> Preferences:
    """What can be kept: domains in one spelling and order, each once."""
    if not is_timezone(chosen.timezone):
        raise BadSetting(f"There is no time zone called {chosen.timezone}.", setting="timezone")
    if (chosen.quiet_from is None) != (chosen.quiet_until is None):
        raise BadSetting("Quiet hours have a beginning and an end.", setting="quiet_hours")
    domains = sorted({_domain(each) for each in chosen.excluded_domains})
    if len(domains) > MOST_DOMAINS:
        raise BadSetting(
            f"At most {MOST_DOMAINS} domains can be left out.", setting="excluded_domains"
        )
    return dataclasses.replace(chosen, excluded_domains=domains)


def is_timezone(name: str) -> bool:
    return name in _timezones()


def is_quiet(chosen: Preferences, at: time) -> bool:
    """Does this time of day, in the person's own zone, lie in the quiet hours?"""
    if chosen.quiet_from is None or chosen.quiet_until is None:
        return False
    if chosen.quiet_from <= chosen.quiet_until:
        return chosen.quiet_from <= at < chosen.quiet_until
    return at >= chosen.quiet_from or at < chosen.quiet_until


@cache
def _timezones() -> frozenset[str]:
    return frozenset(available_timezones())


def _domain(typed: str) -> str:
    try:
        return urls.clean_domain(typed)
    except urls.NotAPage:
        raise BadSetting(f"{typed} is not a domain.", setting="excluded_domains") from None
