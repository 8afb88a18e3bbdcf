"""A person's reminders: asking for one, changing it, stopping it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from mindhit import accounts, delivery, library, urls
from mindhit.accounts import Locale, UserId
from mindhit.db import ReadTx, Tx
from mindhit.delivery import NoticeKind
from mindhit.library import FolderNotFound, PageId, SavedPageNotFound
from mindhit.reminders import store
from mindhit.reminders.model import (
    BODY,
    TITLE,
    AlarmStatus,
    BadReminder,
    Preferences,
    Reminder,
    ReminderNotFound,
)
from mindhit.reminders.schedule import next_full_hour, snoozed_until

FOLDER: Final = {"en": "Later", "ko": "나중에 보기"}
LONGEST: Final = timedelta(days=3660)  # ten years


async def remind(
    tx: Tx,
    user_id: UUID,
    address: str,
    *,
    title: str | None,
    now: datetime,
    wish: str | None = None,
) -> Reminder:
    """Of any page: the newest one that is saved under this address, else one that is saved now.
    `wish`: first then, as one can snooze; else at once."""
    known = await library.look_up(tx, user_id, address)
    if known.pages:
        page_id = PageId(max(known.pages, key=lambda each: (each.created_at, each.id)).id)
    else:
        folder_id = await _folder(tx, user_id)
        page, _ = await library.add_page(tx, user_id, address, title=title, folder_id=folder_id)
        page_id = PageId(page.id)
    made = await register(tx, user_id, str(page_id), title=title, body=None, now=now)
    if wish is None:
        return made
    return await snooze(tx, user_id, page_id, until=None, wish=wish, now=now)


async def register(
    tx: Tx,
    user_id: UUID,
    page_id: str,
    *,
    title: str | None,
    body: str | None,
    now: datetime,
    timezone: str | None = None,
) -> Reminder:
    """Due at once. One that is there keeps its count; one that is being sent keeps its time too.
    `page_id` may be the id that a syncing client gave the page."""
    page = await tx.maybe(store.alarms.PAGE, user_id, page_id, _as_id(page_id))
    if page is None:
        raise SavedPageNotFound
    if timezone is not None:
        language = (await accounts.show_preferences(tx, UserId(user_id))).language
        locale = Locale(accounts.Language(language), timezone)
        await accounts.learn_locale(tx, UserId(user_id), locale)
    is_new = await tx.one(
        store.alarms.REGISTER,
        store.alarms.Registered(
            user_id=user_id,
            page_id=page.id,
            title=(title or page.title or page.address)[:TITLE],
            body=(page.text or "" if body is None else body)[:BODY],
            next_alarm_time=now,
            is_chosen=True,
        ),
    )
    if is_new:  # there may have been one that was stopped
        await delivery.retire_keys(tx, user_id, page.id, NoticeKind.REMINDER)
    return await show(tx, user_id, page.id)


async def show(tx: ReadTx, user_id: UUID, page_id: PageId) -> Reminder:
    found = await tx.maybe(store.alarms.SHOW, user_id, page_id)
    if found is None:
        raise ReminderNotFound
    return found


async def list_reminders(
    tx: ReadTx,
    user_id: UUID,
    *,
    status: AlarmStatus | None,
    url: str | None,
    after: tuple[datetime, UUID] | None,
    limit: int,
) -> list[Reminder]:
    """The next first; with `url`, those of that page."""
    at, id_ = after or (None, None)
    url_id = None if url is None else _url_id(url)
    return await tx.all(store.alarms.LIST, user_id, status, url_id, at, id_, limit)


async def ids_between(
    tx: ReadTx, user_id: UUID, first: UUID, last: UUID, *, limit: int
) -> list[PageId]:
    return await tx.all(store.alarms.IDS_BETWEEN, user_id, first, last, limit)


async def change(
    tx: Tx, user_id: UUID, page_id: PageId, changes: Mapping[str, Any], now: datetime
) -> Reminder:
    """Change some of `next_alarm_time`, `sent_count`, `title`, `body`. A time is kept as it is given, and
    resumes one that no channel took."""
    if "next_alarm_time" in changes and not (
        now - timedelta(minutes=1) <= changes["next_alarm_time"] <= now + LONGEST
    ):
        raise BadReminder("Choose a time in the next ten years.", setting="next_alarm_time")
    return await _change(tx, user_id, page_id, changes)


async def snooze(
    tx: Tx,
    user_id: UUID,
    page_id: PageId,
    *,
    until: datetime | None,
    wish: str | None,
    now: datetime,
) -> Reminder:
    if until is None:
        chosen = await accounts.show_preferences(tx, UserId(user_id))
        until = snoozed_until(wish or "1h", now, chosen.zone)
    return await change(
        tx, user_id, page_id, {"next_alarm_time": until, "status": AlarmStatus.ACTIVE}, now
    )


async def pause(tx: Tx, user_id: UUID, page_id: PageId) -> Reminder:
    return await _change(tx, user_id, page_id, {"status": AlarmStatus.PAUSED})


async def resume(tx: Tx, user_id: UUID, page_id: PageId, now: datetime) -> Reminder:
    """At its time, or, where that has passed, at the next full hour."""
    known = await show(tx, user_id, page_id)
    changes: dict[str, Any] = {"status": AlarmStatus.ACTIVE}
    if known.next_alarm_time <= now:
        chosen = await accounts.show_preferences(tx, UserId(user_id))
        changes |= {"next_alarm_time": next_full_hour(now, chosen), "is_chosen": False}
    return await _change(tx, user_id, page_id, changes)


async def stop(tx: Tx, user_id: UUID, page_id: PageId) -> None:
    if await tx.maybe(store.alarms.STOP, user_id, page_id) is None:
        raise ReminderNotFound


async def show_preferences(tx: ReadTx, user_id: UUID) -> Preferences:
    return await tx.maybe(store.preferences.SHOW, user_id) or Preferences()


async def change_preferences(tx: Tx, user_id: UUID, changes: Mapping[str, Any]) -> Preferences:
    """Change some of `folder_id`, `digest`, and keep the others."""
    chosen = dataclasses.replace(await show_preferences(tx, user_id), **changes)
    if "folder_id" in changes:
        await library.check_folder(tx, user_id, chosen.folder_id)
    await tx.run(store.preferences.CHOOSE, user_id, chosen.folder_id, chosen.digest)
    return chosen


def _as_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _url_id(address: str) -> UUID:
    try:
        return urls.normalise(address).id
    except urls.NotAPage:
        raise BadReminder("This is not the address of a page.", setting="url") from None


async def _change(tx: Tx, user_id: UUID, page_id: PageId, changes: Mapping[str, Any]) -> Reminder:
    known = await tx.maybe(store.alarms.LOCK, user_id, page_id)
    if known is None:
        raise ReminderNotFound
    if changes.get("sent_count", known.sent_count) != known.sent_count:
        await delivery.retire_keys(tx, user_id, page_id, NoticeKind.REMINDER)
    status = changes.get("status", known.status)
    if status == AlarmStatus.FAILING and "next_alarm_time" in changes:
        status = AlarmStatus.ACTIVE
    await tx.run(
        store.alarms.CHANGE,
        store.alarms.Changed(
            user_id=user_id,
            page_id=page_id,
            title=changes.get("title", known.title)[:TITLE],
            body=changes.get("body", known.body)[:BODY],
            next_alarm_time=changes.get("next_alarm_time", known.next_alarm_time),
            sent_count=changes.get("sent_count", known.sent_count),
            status=status,
            is_chosen=changes.get("is_chosen", known.is_chosen or "next_alarm_time" in changes),
        ),
    )
    return await show(tx, user_id, page_id)


async def _folder(tx: Tx, user_id: UUID) -> UUID:
    """The one that is remembered, else one that is made now."""
    folder_id = (await show_preferences(tx, user_id)).folder_id
    if folder_id is not None:
        try:
            await library.check_folder(tx, user_id, folder_id)
        except FolderNotFound:
            folder_id = None
    if folder_id is None:
        language = (await accounts.show_preferences(tx, UserId(user_id))).language
        made = await library.add_folder(tx, user_id, FOLDER.get(language, FOLDER["en"]))
        folder_id = made.id
        await tx.run(store.preferences.CHOOSE_FOLDER, user_id, folder_id)
    return folder_id
