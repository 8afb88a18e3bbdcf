"""A person's own model provider, and what models have used. The key goes in and never comes out."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints

from mindhit import billing, language
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller, PersonCaller
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.api.http.problems import documented
from mindhit.clock import utc_now
from mindhit.errors import TooMany
from mindhit.language import (
    BadProvider,
    KeyUnreadable,
    LanguageSettings,
    OwnProvider,
    OwnProviderNotFound,
    OwnProvidersOff,
    ProviderKind,
    ProviderTester,
)

router = APIRouter(tags=["me"], responses=SIGNED_IN)

Kind = Literal["openai", "gemini", "claude", "compatible"]
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]


class ChosenProvider(BaseModel):
    """A provider of one's own. Its key is never shown."""

    model_config = ConfigDict(from_attributes=True)

    provider: Kind
    model: str
    base_url: str | None
    has_key: bool
    tested_at: datetime | None = Field(description="When it last worked, since it was changed.")
    updated_at: datetime


class ProviderState(BaseModel):
    is_allowed: bool = Field(description="Whether this server lets people have their own.")
    own: ChosenProvider | None
    installation: list[Kind] = Field(description="The server's own providers, in their order.")


class ProviderChoice(BaseModel):
    model_config = ConfigDict(extra="forbid")

    provider: Kind
    model: Text
    base_url: Text | None = Field(default=None, description="Of a compatible server only.")
    key: SecretStr | None = Field(
        default=None,
        max_length=500,
        description="Left out, the stored key is kept, if provider and address are the same.",
    )


class ProviderTest(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    ok: bool
    model: str
    error: str | None = Field(description="Why it doesn't work.", examples=["key-refused"])


class UsageItem(BaseModel):
    """Calls of one kind of one model."""

    model_config = ConfigDict(from_attributes=True)

    operation: str
    provider: str
    ai_model: str
    payer: str = Field(description="Who pays: `plan`, or `own` with a key of one's own.")
    calls: int
    tokens: int
    unknown: int = Field(description="Calls whose answer was never read; counted at their limit.")


class Usage(BaseModel):
    """What models have used for me in the current period."""

    since: datetime
    items: list[UsageItem]


@router.get("/me/usage", summary="Show my model usage")
async def show_usage(db: Db, caller: PersonCaller) -> Usage:
    """The built-in engine isn't counted: it costs nothing."""
    async with db.read() as tx:
        shown, lines = await billing.show_usage(tx, caller.user_id, utc_now())
    return Usage(since=shown.period.start, items=[UsageItem.model_validate(each) for each in lines])


@router.get("/me/provider", summary="Show my model provider")
async def show(db: Db, settings: AppSettings, caller: PersonCaller) -> ProviderState:
    async with db.read() as tx:
        own = await language.show_own(tx, caller.user_id)
    return _state(settings[LanguageSettings], own)


@router.put(
    "/me/provider",
    summary="Choose my model provider",
    responses=documented(BadProvider, OwnProvidersOff),
)
async def choose(
    db: Db, settings: AppSettings, caller: BrowserCaller, asked: ProviderChoice
) -> ProviderState:
    """My pages are read by this provider, with my key, instead of the server's."""
    async with db.transaction() as tx:
        own = await language.choose_own(
            tx,
            settings,
            caller.user_id,
            provider=ProviderKind(asked.provider),
            model=asked.model,
            base_url=asked.base_url or None,
            key=asked.key.get_secret_value().strip() or None if asked.key else None,
        )
    return _state(settings[LanguageSettings], own)


@router.delete(
    "/me/provider",
    summary="Remove my model provider",
    status_code=204,
    responses=documented(OwnProviderNotFound),
)
async def remove(db: Db, caller: BrowserCaller) -> None:
    """Deletes the key as well."""
    async with db.transaction() as tx:
        await language.drop_own(tx, caller.user_id)


@router.post(
    "/me/provider/test",
    summary="Test my model provider",
    responses=documented(OwnProviderNotFound, KeyUnreadable, TooMany),
)
async def test(
    request: Request, db: Db, settings: AppSettings, caller: BrowserCaller
) -> ProviderTest:
    """Makes one tiny call; it may take half a minute, and costs a few tokens."""
    state = request.app.state
    if getattr(state, "provider_tester", None) is None:
        state.provider_tester = ProviderTester()
    return ProviderTest.model_validate(
        await state.provider_tester.test_own(db, settings, caller.user_id)
    )


def _state(settings: LanguageSettings, own: OwnProvider | None) -> ProviderState:
    return ProviderState(
        is_allowed=settings.own_provider_keys,
        own=None if own is None else ChosenProvider.model_validate(own),
        installation=[ProviderKind(name).value for name in settings.language_providers],
    )
