"""A person's own account: what is known, what is chosen, the keys, the way out."""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator
from datetime import datetime, time
from typing import Annotated, Any, BinaryIO, Literal
from uuid import UUID

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StrictBool,
    StringConstraints,
    WithJsonSchema,
)

from mindhit import accounts, clock
from mindhit.accounts import (
    NEWEST,
    BadAddress,
    BadPassword,
    BadSetting,
    Language,
    OwnerNeeded,
    PasswordsOff,
    Preferences,
    UserId,
    WrongPassword,
)
from mindhit.api import access
from mindhit.api.access import ACCESS, Db, Door, From, WholeProduct
from mindhit.api.fields import Accepted, Email, Password
from mindhit.api.paging import Cursor, ItemPage, Limit, cut, decode_number, encode
from mindhit.api.problems import documented
from mindhit.db import ReadTx
from mindhit.errors import Invalid

router = APIRouter(tags=["me"], responses=ACCESS)


def _time_of_day(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value, re.ASCII):
        raise ValueError("a time of day is written as in 22:00")
    return value


DomainName = Annotated[str, StringConstraints(max_length=300, pattern=r"^[^\x00]*$")]
DomainNames = Annotated[list[DomainName], Field(max_length=2000)]
TimeOfDay = Annotated[
    time,
    BeforeValidator(_time_of_day),
    PlainSerializer(lambda at: f"{at:%H:%M}", return_type=str),
    WithJsonSchema({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}),
]
CHUNK = 256 * 1024


class QuietHours(BaseModel):
    """When nothing rings, in the person's own time zone; may cross midnight."""

    from_: TimeOfDay = Field(alias="from", examples=["22:00"])
    until: TimeOfDay = Field(examples=["07:00"])


class Settings(BaseModel):
    email_notification: bool
    excluded_domains: list[str] = Field(description="Pages of these are never recorded.")
    timezone: str = Field(examples=["Asia/Seoul"])
    language: Language
    quiet_hours: QuietHours | None

    @classmethod
    def of(cls, chosen: Preferences) -> Settings:
        quiet = None
        if chosen.quiet_from is not None and chosen.quiet_until is not None:
            quiet = QuietHours.model_validate(
                {"from": chosen.quiet_from, "until": chosen.quiet_until}
            )
        return cls(
            email_notification=chosen.email_notification,
            excluded_domains=chosen.excluded_domains,
            timezone=chosen.timezone,
            language=Language(chosen.language),
            quiet_hours=quiet,
        )


class SettingsChange(BaseModel):
    """Some of the settings; what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    email_notification: StrictBool = True
    excluded_domains: DomainNames = []
    timezone: Annotated[str, StringConstraints(max_length=64)] = ""
    language: Language = Language.EN
    quiet_hours: QuietHours | None = None

    def changes(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in self.model_fields_set - {"quiet_hours"}}
        if "quiet_hours" in self.model_fields_set:
            quiet = self.quiet_hours
            given["quiet_from"] = quiet.from_ if quiet else None
            given["quiet_until"] = quiet.until if quiet else None
        return given


class DomainsChange(BaseModel):
    """Some domains more, or fewer; all others stay."""

    model_config = ConfigDict(extra="forbid")

    add: DomainNames = []
    remove: DomainNames = []


class DeviceSummary(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    kind: Literal["web", "extension", "api"]
    scopes: list[str]


class Me(BaseModel):
    id: UUID
    email: str
    role: Literal["owner", "user"]
    verified: bool
    has_password: bool
    created_at: datetime
    device: DeviceSummary
    settings: Settings


class PasswordChange(BaseModel):
    current: Password | None = None
    new: Password


class EmailChange(BaseModel):
    email: Email
    password: Password | None = None


class Farewell(BaseModel):
    email: Email = Field(description="One's own address, typed once more.")
    password: Password | None = None


class SecurityEvent(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    at: datetime
    event: str
    address: str | None
    device: str | None


class SecurityEventList(ItemPage[SecurityEvent]):
    """Security events, newest first."""


class WrongConfirmation(Invalid):
    """That is not the address of this account."""


async def describe(tx: ReadTx, user_id: UserId, device: Any) -> Me:
    person = await accounts.show_person(tx, user_id)
    return Me(
        id=person.id,
        email=person.email,
        role="owner" if person.role == "owner" else "user",
        verified=person.verified_at is not None,
        has_password=person.has_password,
        created_at=person.created_at,
        device=DeviceSummary.model_validate(device),
        settings=Settings.of(await accounts.show_preferences(tx, user_id)),
    )


@router.get("/me", summary="Who is calling")
async def show(db: Db, caller: access.Recorder) -> Me:
    async with db.read() as tx:
        device = await accounts.show_device(tx, caller.user_id, caller.device_id)
        return await describe(tx, caller.user_id, device)


@router.get("/me/settings", summary="What I have chosen")
async def show_settings(db: Db, caller: access.Recorder) -> Settings:
    async with db.read() as tx:
        return Settings.of(await accounts.show_preferences(tx, caller.user_id))


@router.patch("/me/settings", summary="Choose otherwise", responses=documented(BadSetting))
async def change_settings(db: Db, caller: access.Me, asked: SettingsChange) -> Settings:
    async with db.transaction() as tx:
        chosen = await accounts.change_preferences(tx, caller.user_id, asked.changes())
    return Settings.of(chosen)


@router.patch(
    "/me/excluded-domains",
    summary="Leave out more domains, or fewer; the others stay",
    responses=documented(BadSetting),
)
async def change_domains(db: Db, caller: access.Me, asked: DomainsChange) -> Settings:
    async with db.transaction() as tx:
        chosen = await accounts.change_domains(
            tx, caller.user_id, add=asked.add, remove=asked.remove
        )
    return Settings.of(chosen)


@router.post(
    "/me/password",
    summary="Change the password; other browsers are signed out",
    status_code=204,
    responses=documented(WrongPassword, PasswordsOff, BadPassword),
)
async def change_password(
    db: Db, door: Door, caller: access.Browser, origin: From, asked: PasswordChange
) -> None:
    await accounts.change_password(db, door, caller, asked.current, asked.new, origin)


@router.post(
    "/me/email",
    summary="Change the address, by a link that goes to the new one",
    status_code=202,
    responses=documented(WrongPassword, BadAddress),
)
async def change_email(
    db: Db, door: Door, caller: access.Browser, origin: From, asked: EmailChange
) -> Accepted:
    await accounts.ask_new_email(db, door, caller, asked.email, asked.password, origin)
    return Accepted()


@router.post("/me/verify", summary="Send a link that proves the address", status_code=202)
async def verify(db: Db, door: Door, caller: access.Browser, origin: From) -> Accepted:
    await accounts.ask_verification(db, door, caller, origin)
    return Accepted()


@router.get("/me/events", summary="What happened to my keys, newest first")
async def events(
    db: Db, caller: access.Me, cursor: Cursor = None, limit: Limit = 50
) -> SecurityEventList:
    behind = decode_number(cursor) if cursor else NEWEST
    async with db.read() as tx:
        found = await accounts.list_events(tx, caller.user_id, behind=behind, limit=limit + 1)
    shown, next_cursor = cut(found, limit, lambda each: encode(each.id))
    items = [SecurityEvent.model_validate(each) for each in shown]
    return SecurityEventList(items=items, next_cursor=next_cursor)


@router.get(
    "/me/export",
    summary="Everything that is known of me, as a zip of JSON files",
    response_class=Response,
    responses={
        200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
    },
)
async def export(
    db: Db, caller: access.Me, product: WholeProduct, origin: From
) -> StreamingResponse:
    now = clock.utc_now()
    file = tempfile.TemporaryFile()  # noqa: SIM115  closed when the last chunk is out
    try:
        await accounts.export_to(file, db, caller.user_id, product.exports, now)
        await accounts.note_export(db, caller.user_id, origin)
    except BaseException:
        file.close()
        raise
    size = file.tell()
    file.seek(0)
    name = f"mindhit-{now:%Y-%m-%d}.zip"
    return StreamingResponse(
        _chunks(file),
        media_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(size),
        },
    )


async def _chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk


@router.post(
    "/me/erase",
    summary="Leave: everything that is known of me is deleted",
    status_code=202,
    responses=documented(WrongPassword, WrongConfirmation, OwnerNeeded),
)
async def erase(
    db: Db, door: Door, caller: access.Browser, origin: From, asked: Farewell
) -> Accepted:
    await accounts.check_password(db, door, caller.user_id, asked.password, origin)
    async with db.transaction() as tx:
        person = await accounts.show_person(tx, caller.user_id)
        if not accounts.is_same_address(asked.email, person.email):
            raise WrongConfirmation
        await accounts.ask_erasure(tx, caller.user_id, origin)
    return Accepted()
