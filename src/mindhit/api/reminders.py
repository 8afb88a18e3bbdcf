"""Reminders: a saved page comes back, ever more rarely."""

from __future__ import annotations

import hmac
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi import Query as Parameter
from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    computed_field,
)

from mindhit import accounts, reminders
from mindhit.accounts import NotSignedIn, Role, Scope, TokenNotValid, TokenType
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.delivery_reason import DeliveryReason, reason_of
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.api.http.paging import Cursor, ItemPage, Limit, after_time, encode_time
from mindhit.api.http.problems import documented
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.library import BadSavedPage, FolderNotFound, NoLink, PageId, SavedPageNotFound
from mindhit.reminders import (
    AlarmStatus,
    BadReminder,
    CronTokenMissing,
    ReminderNotFound,
    ReminderSettings,
)
from mindhit.reminders.model import BODY, TITLE
from mindhit.settings import Settings
from mindhit.urls import MAX_LENGTH

router = APIRouter(prefix="/reminders", tags=["reminders"])
# The same two routes where clients of the first version call them.
legacy = APIRouter(prefix="/api/reminder", tags=["reminders"])

Wish = Literal["1h", "tonight", "tomorrow", "next_week"]
Status = Literal["active", "paused", "failing"]
Title = Annotated[str, StringConstraints(max_length=TITLE, pattern=r"^[^\x00]*$")]
Body = Annotated[str, StringConstraints(max_length=BODY, pattern=r"^[^\x00]*$")]
Address = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LENGTH)]


class Reminder(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    page_id: UUID
    url: str
    title: str
    body: str
    next_alarm_time: datetime
    sent_count: int = Field(description="Number of the coming reminder; the first is 1.")
    status: Status
    last_sent_at: datetime | None
    last_error: str | None = Field(description="Why no channel took it.")

    @computed_field(description="The same, to be translated; null where it has no code.")  # type: ignore[prop-decorator]
    @property
    def last_error_reason(self) -> DeliveryReason | None:
        return reason_of(self.last_error)


class ReminderList(ItemPage[Reminder]):
    """The next first."""


class NewReminder(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    url: Address
    title: Title | None = None
    wish: Wish | None = Field(
        default=None, alias="for", description="When it comes first; at once, if left out."
    )


class Registration(BaseModel):
    page_id: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(
        description="The page's id, or the one that a syncing client gave it."
    )
    title: Title | None = None
    body: Body | None = None
    timezone: Annotated[str, StringConstraints(max_length=64)] | None = Field(
        default=None, description="Used where the person's time zone is not known yet."
    )


class Registered(BaseModel):
    success: Literal[True] = True
    page_id: UUID
    next_alarm_time: datetime
    sent_count: int


class ReminderChanges(BaseModel):
    model_config = ConfigDict(extra="forbid")

    next_alarm_time: AwareDatetime = Field(default=None)  # type: ignore[assignment]  # left out: unchanged
    sent_count: int = Field(default=1, ge=1, le=1000, description="1: more often again.")
    title: Title = ""
    body: Body = ""


class Snooze(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    until: AwareDatetime | None = None
    wish: Wish | None = Field(
        default=None, alias="for", description="An hour, 20:00 today, 9:00 tomorrow or next Monday."
    )


class Preferences(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    folder_id: UUID | None = Field(
        description="Where pages are saved that are not in the library yet; null: a new one."
    )
    digest: bool = Field(
        description="What quiet hours held back comes as one message at their end."
    )


class PreferenceChanges(BaseModel):
    model_config = ConfigDict(extra="forbid")

    folder_id: UUID | None = None
    digest: StrictBool = False


class RunDone(BaseModel):
    """What one run took."""

    success: Literal[True] = True
    claimed: int
    zombies: int = Field(description="Taken again after six hours.")
    held: int = Field(description="Put off to the end of quiet hours.")
    late: int = Field(description="Taken more than a minute after their time.")
    remaining: int
    fetch_limit: int
    concurrency: int
    processing_time_ms: float


FetchLimit = Annotated[int | None, Parameter(ge=1, le=1000)]
Concurrency = Annotated[int | None, Parameter(ge=1, le=100)]


@router.get("", summary="List my reminders", responses=SIGNED_IN | documented(BadReminder))
async def list_reminders(
    db: Db,
    caller: RecorderCaller,
    status: Status | None = None,
    url: Annotated[str | None, Parameter(max_length=MAX_LENGTH)] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> ReminderList:
    async with db.read() as tx:
        found = await reminders.list_reminders(
            tx,
            caller.user_id,
            status=AlarmStatus(status) if status else None,
            url=url,
            after=after_time(cursor),
            limit=limit + 1,
        )
    return ReminderList.of(
        found, limit, lambda each: encode_time(each.next_alarm_time, each.page_id)
    )


@router.post(
    "",
    summary="Remind me of a page",
    status_code=201,
    responses=SIGNED_IN | documented(NoLink, BadSavedPage),
)
async def remind(db: Db, caller: RecorderCaller, asked: NewReminder) -> Reminder:
    """Saves the page if it is not in the library yet."""
    async with db.transaction() as tx:
        made = await reminders.remind(
            tx, caller.user_id, asked.url, title=asked.title, now=utc_now(), wish=asked.wish
        )
    return Reminder.model_validate(made)


@router.get("/preferences", summary="Show how I want to be reminded", responses=SIGNED_IN)
async def show_preferences(db: Db, caller: PersonCaller) -> Preferences:
    async with db.read() as tx:
        return Preferences.model_validate(await reminders.show_preferences(tx, caller.user_id))


@router.patch(
    "/preferences",
    summary="Choose how I want to be reminded",
    responses=SIGNED_IN | documented(FolderNotFound),
)
async def change_preferences(db: Db, caller: PersonCaller, asked: PreferenceChanges) -> Preferences:
    """What is left out stays as it is."""
    changes = asked.model_dump(exclude_unset=True)
    async with db.transaction() as tx:
        chosen = await reminders.change_preferences(tx, caller.user_id, changes)
    return Preferences.model_validate(chosen)


@router.post(
    "/register-by-page",
    summary="Remind me of a saved page",
    responses=SIGNED_IN | documented(SavedPageNotFound),
)
@legacy.post(
    "/register-by-page",
    summary="Remind me of a saved page",
    responses=SIGNED_IN | documented(SavedPageNotFound),
)
async def register(db: Db, caller: RecorderCaller, asked: Registration) -> Registered:
    """Due at once. A reminder that is there keeps its count."""
    async with db.transaction() as tx:
        made = await reminders.register(
            tx,
            caller.user_id,
            asked.page_id,
            title=asked.title,
            body=asked.body,
            now=utc_now(),
            timezone=asked.timezone,
        )
    return Registered(
        page_id=made.page_id, next_alarm_time=made.next_alarm_time, sent_count=made.sent_count
    )


@router.post(
    "/schedule/v2",
    summary="Process due reminders",
    responses=documented(NotSignedIn, TokenNotValid, CronTokenMissing),
)
@legacy.post(
    "/schedule/v2",
    summary="Process due reminders",
    responses=documented(NotSignedIn, TokenNotValid, CronTokenMissing),
)
async def schedule(
    request: Request,
    db: Db,
    settings: AppSettings,
    fetch_limit: FetchLimit = None,
    concurrency: Concurrency = None,
) -> RunDone:
    """One run, for an external cron: with a token of the scope `admin`, or the one that the setting
    `reminders_cron_token` has."""
    await _check_cron(request, db, settings)
    chosen = settings[ReminderSettings]
    limit = fetch_limit or chosen.reminders_fetch_limit
    at_once = concurrency or chosen.reminders_concurrency
    await reminders.recover(db)
    done = await reminders.run(db, fetch_limit=limit, concurrency=at_once, now=utc_now())
    return RunDone(
        claimed=done.claimed,
        zombies=done.zombies,
        held=done.held,
        late=done.late,
        remaining=await reminders.count_due(db),
        fetch_limit=limit,
        concurrency=at_once,
        processing_time_ms=done.processing_time_ms,
    )


@router.patch(
    "/{page_id}",
    summary="Change a reminder",
    responses=SIGNED_IN | documented(ReminderNotFound, BadReminder),
)
async def change(db: Db, caller: RecorderCaller, page_id: UUID, asked: ReminderChanges) -> Reminder:
    """What is left out stays as it is. A time that you set is kept to the minute, at any hour."""
    changes: dict[str, Any] = asked.model_dump(exclude_unset=True)
    async with db.transaction() as tx:
        made = await reminders.change(tx, caller.user_id, PageId(page_id), changes, utc_now())
    return Reminder.model_validate(made)


@router.post(
    "/{page_id}/snooze",
    summary="Snooze a reminder",
    responses=SIGNED_IN | documented(ReminderNotFound, BadReminder),
)
async def snooze(db: Db, caller: RecorderCaller, page_id: UUID, asked: Snooze) -> Reminder:
    """An hour, if neither is given."""
    async with db.transaction() as tx:
        made = await reminders.snooze(
            tx, caller.user_id, PageId(page_id), until=asked.until, wish=asked.wish, now=utc_now()
        )
    return Reminder.model_validate(made)


@router.post(
    "/{page_id}/pause",
    summary="Pause a reminder",
    responses=SIGNED_IN | documented(ReminderNotFound),
)
async def pause(db: Db, caller: RecorderCaller, page_id: UUID) -> Reminder:
    async with db.transaction() as tx:
        return Reminder.model_validate(await reminders.pause(tx, caller.user_id, PageId(page_id)))


@router.post(
    "/{page_id}/resume",
    summary="Resume a reminder",
    responses=SIGNED_IN | documented(ReminderNotFound),
)
async def resume(db: Db, caller: RecorderCaller, page_id: UUID) -> Reminder:
    """Also one that no channel took. If its time has passed, it comes at the next full hour."""
    async with db.transaction() as tx:
        made = await reminders.resume(tx, caller.user_id, PageId(page_id), utc_now())
    return Reminder.model_validate(made)


@router.delete(
    "/{page_id}",
    summary="Stop a reminder",
    status_code=204,
    responses=SIGNED_IN | documented(ReminderNotFound),
)
async def stop(db: Db, caller: RecorderCaller, page_id: UUID) -> None:
    """The page stays in the library."""
    async with db.transaction() as tx:
        await reminders.stop(tx, caller.user_id, PageId(page_id))


async def _check_cron(request: Request, db: Database, settings: Settings) -> None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotSignedIn
    secret = settings[ReminderSettings].reminders_cron_token
    if secret and hmac.compare_digest(secret.get_secret_value().encode(), token.encode()):
        return
    caller = await accounts.caller_of(db, token, TokenType.ACCESS, TokenType.API)
    if caller is None:
        raise TokenNotValid
    if caller.role != Role.OWNER or Scope.ADMIN not in caller.scopes:
        raise CronTokenMissing
