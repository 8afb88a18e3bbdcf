"""A person's settings: defaults, which values are allowed, and changing them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import time
from functools import cache
from typing import Any, Final
from zoneinfo import available_timezones

from mindhit import urls
from mindhit.accounts import store
from mindhit.accounts.model import BadSetting, Language, Preferences, QuietMode, UserId
from mindhit.db import ReadTx, Tx

MOST_DOMAINS: Final = 1000
DEFAULT_TIMEZONE: Final = "Asia/Seoul"  # until the browser's or the person's own is known
DEFAULT_QUIET_HOURS: Final = (time(22), time(7))


@dataclass(frozen=True, slots=True)
class Locale:
    """Language and time zone of the browser in which somebody signs up or signs in."""

    language: Language = Language.EN
    timezone: str | None = None

    @property
    def known_timezone(self) -> str | None:
        return self.timezone if self.timezone and is_timezone(self.timezone) else None


async def add_defaults(tx: Tx, user_id: UserId, language: Language, timezone: str | None) -> None:
    await tx.run(store.preferences.ADD, user_id, language, timezone, *DEFAULT_QUIET_HOURS)


async def show_preferences(tx: ReadTx, user_id: UserId) -> Preferences:
    return await tx.one(store.preferences.OF, user_id, DEFAULT_TIMEZONE)


async def change_preferences(tx: Tx, user_id: UserId, changes: Mapping[str, Any]) -> Preferences:
    """Change some and keep the others. Quiet hours are chosen by both ends, which are None for none,
    or by the mode `default`."""
    known = await tx.one(store.preferences.LOCKED, user_id, DEFAULT_TIMEZONE)
    chosen = check(dataclasses.replace(known, **{**changes, **_quiet_hours(changes)}))
    await tx.run(
        store.preferences.SAVE,
        store.preferences.Chosen(
            user_id=user_id, preferences=chosen, is_timezone_chosen="timezone" in changes
        ),
    )
    return chosen


async def change_domains(
    tx: Tx, user_id: UserId, *, add: Iterable[str], remove: Iterable[str]
) -> Preferences:
    """Exclude some domains and no longer exclude others; concurrent changes by other browsers stay.

    A domain in both lists is excluded: better to record too little than too much.
    """
    known = await tx.one(store.preferences.LOCKED, user_id, DEFAULT_TIMEZONE)
    gone = {_domain(each) for each in remove}
    kept = [each for each in known.excluded_domains if each not in gone]
    return await change_preferences(tx, user_id, {"excluded_domains": [*kept, *add]})


async def learn_locale(tx: Tx, user_id: UserId, locale: Locale) -> None:
    """Use the first browser's time zone and language: of somebody who was invited, neither is known
    before. From then on, both are the person's to change; an unknown time zone is ignored."""
    if locale.known_timezone is not None:
        await tx.run(
            store.preferences.LEARN_LOCALE, user_id, locale.known_timezone, locale.language
        )


def check(chosen: Preferences) -> Preferences:
    """Validated and normalised: domains in one spelling and order, each once."""
    if not is_timezone(chosen.timezone):
        raise BadSetting(f"There is no time zone called {chosen.timezone}.", setting="timezone")
    if (chosen.quiet_from is None) != (chosen.quiet_until is None):
        raise BadSetting("Quiet hours need a start and an end.", setting="quiet_hours")
    domains = sorted({_domain(each) for each in chosen.excluded_domains})
    if len(domains) > MOST_DOMAINS:
        raise BadSetting(
            f"At most {MOST_DOMAINS} domains can be excluded.", setting="excluded_domains"
        )
    return dataclasses.replace(chosen, excluded_domains=domains)


def _quiet_hours(changes: Mapping[str, Any]) -> dict[str, Any]:
    """What follows from a change of one for the others."""
    if changes.get("quiet_mode") == QuietMode.DEFAULT:
        start, end = DEFAULT_QUIET_HOURS
        return {"quiet_from": start, "quiet_until": end}
    if "quiet_from" in changes:
        is_off = changes["quiet_from"] is None
        return {"quiet_mode": QuietMode.OFF if is_off else QuietMode.OWN}
    return {}


def is_timezone(name: str) -> bool:
    return name in _timezones()


def is_quiet(chosen: Preferences, at: time) -> bool:
    """Whether this time of day, in the person's time zone, is within the quiet hours."""
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
