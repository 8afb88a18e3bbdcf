"""A server with plans, and people on it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx2

from mindhit import billing, wiring
from mindhit.billing import Allowance
from mindhit.db import Database
from mindhit.settings import Settings
from tests.accounts.kit import rows, settings
from tests.billing.stripe_fake import KEY, SECRET, Json, Stripe, signed

FLAGS = ("models", "map_files", "api_tokens", "watching")
PRICES = {"price_pro": 1200, "price_team": 4800}
PLANS: dict[str, Any] = {
    "free": {
        "name": "Free",
        "price_cents": 0,
        "token_limit": 50_000,
        "session_retention_days": 30,
        "max_concurrent_sessions": 1,
        "features": ("models",),
    },
    "pro": {
        "name": "Pro",
        "price_cents": 1200,
        "token_limit": 500_000,
        "max_concurrent_sessions": 5,
        "features": FLAGS,
        "stripe_prices": ("price_pro",),
    },
    "team": {
        "name": "Team",
        "price_cents": 4800,
        "token_limit": 2_000_000,
        "features": FLAGS,
        "stripe_prices": ("price_team",),
    },
    "enterprise": {"name": "Enterprise", "features": FLAGS},
}


def with_plans(**more: Any) -> Settings:
    return settings(**{"billing": True, "plans": PLANS, **more})


def selling(stripe: Stripe, **more: Any) -> Settings:
    keys = {"stripe_key": KEY, "stripe_webhook_secret": SECRET, "stripe_url": stripe.url}
    return with_plans(**{**keys, **more})


async def open_shop(db: Database, config: Settings | None = None) -> Settings:
    """From now on this database has plans; the wiring is loaded, as in a process of the server."""
    config = config or with_plans()
    wiring.install(wiring.product(config))
    await billing.seed_plans(db, config)
    return config


async def allowance(db: Database, user_id: UUID) -> Allowance:
    async with db.read() as tx:
        return await billing.allowance(tx, user_id)


async def customer_of(db: Database, user_id: UUID) -> str:
    [row] = await rows(db, "select customer_id from stripe_customers where user_id = $1", user_id)
    return str(row["customer_id"])


async def send(client: httpx2.AsyncClient, stripe: Stripe, event: Json) -> httpx2.Response:
    """An event arrives, signed now."""
    body = stripe.body_of(event)
    return await client.post(
        "/v1/stripe/webhook", content=body, headers={"Stripe-Signature": signed(body)}
    )
