"""Who takes people's money: a port, Stripe behind it, and its sibling for servers that sell nothing.

port.py         what billing asks of a payment provider
stripe_api.py   Stripe, by its own library
objects.py      pure: what Stripe's objects mean here
nobody.py       the sibling without a provider
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mindhit.billing.payments.nobody import Nobody
from mindhit.billing.payments.port import Payments
from mindhit.billing.settings import BillingSettings
from mindhit.settings import Settings


@asynccontextmanager
async def payments_of(settings: Settings) -> AsyncIterator[Payments]:
    """The provider that this server is set up with, connected for as long as the block lasts. The key
    decides alone: with billing switched off nothing is sold, and what was sold can still be ended."""
    chosen = settings[BillingSettings]
    if chosen.stripe_key is None:
        yield Nobody()
        return
    from mindhit.billing.payments.stripe_api import connected  # noqa: PLC0415  loads an HTTP library

    async with connected(chosen.stripe_key.get_secret_value(), chosen.stripe_url) as stripe:
        yield stripe


def is_selling(settings: Settings) -> bool:
    chosen = settings[BillingSettings]
    return chosen.billing and chosen.stripe_key is not None


def has_key(settings: Settings) -> bool:
    return settings[BillingSettings].stripe_key is not None


__all__ = ["Payments", "has_key", "is_selling", "payments_of"]
