"""A person's settings: time zone, language, quiet hours, domains that are not recorded."""

from __future__ import annotations

import re
from datetime import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter
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

from mindhit import accounts
from mindhit.accounts import BadSetting, Language, Preferences, QuietMode
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.problems import documented

router = APIRouter(tags=["me"], responses=SIGNED_IN)


def _time_of_day(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value, re.ASCII):
        raise ValueError("use a time of day such as 22:00")
    return value


DomainName = Annotated[str, StringConstraints(max_length=300, pattern=r"^[^\x00]*$")]
DomainNames = Annotated[list[DomainName], Field(max_length=2000)]
TimeOfDay = Annotated[
    time,
    BeforeValidator(_time_of_day),
    PlainSerializer(lambda at: f"{at:%H:%M}", return_type=str),
    WithJsonSchema({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}),
]


class QuietHours(BaseModel):
    """When notifications are held back, in the user's time zone; may cross midnight."""

    from_: TimeOfDay = Field(alias="from", examples=["22:00"])
    until: TimeOfDay = Field(examples=["07:00"])


class Settings(BaseModel):
    email_notification: bool
    excluded_domains: list[str] = Field(description="Pages of these are never recorded.")
    timezone: str = Field(examples=["Asia/Seoul"])
    language: Language
    quiet_hours: QuietHours | None = Field(description="Those in force; null: none.")
    quiet_mode: QuietMode = Field(
        description="Where they come from: the server's suggestion, or the person."
    )
    server_fetch: bool = Field(
        description="The server may fetch pages whose text the browser could not read."
    )

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
            quiet_mode=QuietMode(chosen.quiet_mode),
            server_fetch=chosen.server_fetch,
        )


class SettingsChange(BaseModel):
    """Some of the settings; what is left out stays as it is. `quiet_hours`: null for none."""

    model_config = ConfigDict(extra="forbid")

    email_notification: StrictBool = True
    excluded_domains: DomainNames = []
    timezone: Annotated[str, StringConstraints(max_length=64)] = ""
    language: Language = Language.EN
    quiet_hours: QuietHours | None = None
    quiet_mode: Literal["default"] = "default"
    server_fetch: StrictBool = True

    def changes(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in self.model_fields_set - {"quiet_hours"}}
        if {"quiet_hours", "quiet_mode"} <= self.model_fields_set:
            raise BadSetting("Choose quiet hours, or the default ones.", setting="quiet_hours")
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


@router.get("/me/settings", summary="Show my settings")
async def show_settings(db: Db, caller: RecorderCaller) -> Settings:
    async with db.read() as tx:
        return Settings.of(await accounts.show_preferences(tx, caller.user_id))


@router.patch("/me/settings", summary="Change my settings", responses=documented(BadSetting))
async def change_settings(db: Db, caller: PersonCaller, asked: SettingsChange) -> Settings:
    """Settings that are left out keep their values."""
    async with db.transaction() as tx:
        chosen = await accounts.change_preferences(tx, caller.user_id, asked.changes())
    return Settings.of(chosen)


@router.patch(
    "/me/excluded-domains",
    summary="Add or remove excluded domains",
    responses=documented(BadSetting),
)
async def change_domains(db: Db, caller: RecorderCaller, asked: DomainsChange) -> Settings:
    """All other excluded domains stay."""
    async with db.transaction() as tx:
        chosen = await accounts.change_domains(
            tx, caller.user_id, add=asked.add, remove=asked.remove
        )
    return Settings.of(chosen)
