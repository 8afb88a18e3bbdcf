"""Which providers are asked, in which order. Pure.

A person's own, alone: with a key of their own they chose who reads their pages, so when it fails the
built-in engine serves, never another company. Otherwise the installation's, in its order.
"""

from __future__ import annotations

from collections.abc import Sequence

from mindhit.billing import Payer
from mindhit.language.providers.kinds import ProviderKind
from mindhit.language.providers.model import Provider
from mindhit.language.settings import LanguageSettings


def providers_in_order(
    settings: LanguageSettings, own: Provider | None, payer: Payer
) -> Sequence[Provider]:
    if own is not None:
        return (own,)
    return [
        _installations(settings, ProviderKind(name), payer) for name in settings.language_providers
    ]


def _installations(settings: LanguageSettings, kind: ProviderKind, payer: Payer) -> Provider:
    key = getattr(settings, f"{kind}_key")
    return Provider(
        kind,
        getattr(settings, f"{kind}_model"),
        getattr(settings, f"{kind}_url"),
        payer,
        key.get_secret_value() if key else None,
    )
