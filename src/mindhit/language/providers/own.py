"""A person's own provider: choosing it, showing it without its key, and calling with it.

The key is encrypted for its person before it is stored; nothing of it is ever shown, logged or
exported.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from mindhit.billing import Payer
from mindhit.db import ReadTx, Tx
from mindhit.fetching import FetchFailed
from mindhit.fetching.guard import ANYWHERE, PUBLIC
from mindhit.installation import installation_sealer
from mindhit.language import store
from mindhit.language.providers.kinds import ProviderKind
from mindhit.language.providers.model import (
    BadProvider,
    KeyUnreadable,
    OwnProvider,
    OwnProviderNotFound,
    OwnProvidersOff,
    Provider,
)
from mindhit.language.settings import LanguageSettings
from mindhit.sealing import SealBroken
from mindhit.settings import Settings

LONGEST_KEY: Final = 500
LONGEST_MODEL: Final = 200
LONGEST_URL: Final = 500


async def show_own(tx: ReadTx, user_id: UUID) -> OwnProvider | None:
    return await tx.maybe(store.SHOW, user_id)


async def choose_own(
    tx: Tx,
    settings: Settings,
    user_id: UUID,
    *,
    provider: ProviderKind,
    model: str,
    base_url: str | None,
    key: str | None,
) -> OwnProvider:
    """Without `key` the stored one is kept, but only for the server it was entered for: it must not
    be possible to have a key sent elsewhere without knowing it."""
    if not settings[LanguageSettings].own_provider_keys:
        raise OwnProvidersOff
    _check_model(model)
    base_url = _checked_url(provider, base_url, settings[LanguageSettings])
    known = await tx.maybe(store.STORED, user_id)
    if key is not None:
        _check_key(key)
        sealed: str | None = installation_sealer(settings).seal(key, _purpose(user_id))
    elif known is not None and (known.provider, known.base_url) == (provider, base_url):
        sealed = known.sealed
    else:
        sealed = None
    if sealed is None and provider is not ProviderKind.COMPATIBLE:
        raise BadProvider("Enter your key at this provider.", setting="key")
    chosen = store.ChosenProvider(
        user_id=user_id, provider=provider, model=model, base_url=base_url, sealed=sealed
    )
    await tx.run(store.CHOOSE, chosen)
    return await tx.one(store.SHOW, user_id)


async def drop_own(tx: Tx, user_id: UUID) -> None:
    if await tx.maybe(store.DROP, user_id) is None:
        raise OwnProviderNotFound


async def load_own(tx: ReadTx, settings: Settings, user_id: UUID) -> Provider | None:
    """The person's own, ready to be called. Raises `KeyUnreadable`."""
    own = await tx.maybe(store.STORED, user_id)
    chosen = settings[LanguageSettings]
    if own is None or not chosen.own_provider_keys:
        return None
    key = None
    if own.sealed is not None:
        try:
            key = installation_sealer(settings).open(own.sealed, _purpose(user_id))
        except SealBroken as error:
            raise KeyUnreadable(way_out=error.way_out) from None
    kind = ProviderKind(own.provider)
    hosts = frozenset(host.lower() for host in chosen.own_provider_hosts)
    is_compatible = kind is ProviderKind.COMPATIBLE
    return Provider(
        kind,
        own.model,
        own.base_url or getattr(chosen, f"{kind}_url"),
        Payer.OWN,
        key,
        hosts if is_compatible else None,  # the others' addresses are the operator's
    )


async def note_tested(tx: Tx, user_id: UUID, updated_at: datetime) -> None:
    """It works, if it is still the one that was chosen at `updated_at`."""
    await tx.run(store.TESTED, user_id, updated_at)


def _purpose(user_id: UUID) -> str:
    return f"provider key of {user_id}"


def _check_model(model: str) -> None:
    if not model.strip() or len(model) > LONGEST_MODEL or not model.isprintable():
        raise BadProvider("Enter the name of a model.", setting="model")


def _check_key(key: str) -> None:
    is_header = key.isascii() and key.isprintable() and " " not in key
    if not is_header or not 1 <= len(key) <= LONGEST_KEY:
        raise BadProvider(
            "This is not a key: it contains spaces or other characters that aren't allowed.",
            setting="key",
        )


def _checked_url(
    provider: ProviderKind, base_url: str | None, settings: LanguageSettings
) -> str | None:
    """Only a compatible server has an address of its own. A name is looked up when it is called;
    a literal address is refused at once."""
    if provider is not ProviderKind.COMPATIBLE:
        if base_url is not None:
            raise BadProvider(
                "Only an OpenAI-compatible server takes an address.", setting="base_url"
            )
        return None
    try:
        parts = urlsplit(base_url or "")
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if (
        host is None
        or parts.scheme not in {"http", "https"}
        or parts.username is not None
        or parts.query
        or parts.fragment
        or len(base_url or "") > LONGEST_URL
        or not (base_url or "").isascii()
    ):
        raise BadProvider("Enter an address such as https://example.com/v1.", setting="base_url")
    is_allowed = host in {each.lower() for each in settings.own_provider_hosts}
    is_local = host == "localhost" or host.endswith(".localhost")
    if is_local and not is_allowed:
        raise BadProvider("This server is in a private network.", setting="base_url")
    try:
        (ANYWHERE if is_allowed else PUBLIC).check_url(base_url or "")
    except FetchFailed as error:
        raise BadProvider(error.message, setting="base_url") from None
    return (base_url or "").rstrip("/")
