"""Settings of billing: whether there are plans, which, and how Stripe is reached."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from mindhit.billing.model import FREE
from mindhit.settings import Section, setting


class PlanSettings(BaseModel):
    """One plan. A limit that is absent is none; a feature that is absent is off."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=50)
    price_cents: int | None = Field(default=None, ge=0)
    billing_period: Literal["monthly", "yearly"] = "monthly"
    token_limit: int | None = Field(default=None, ge=0)
    session_retention_days: int | None = Field(default=None, ge=8)
    max_concurrent_sessions: int | None = Field(default=None, ge=1)
    features: tuple[str, ...] = ()
    stripe_prices: tuple[str, ...] = ()


class BillingSettings(Section):
    heading = "Plans and billing"
    notes = """
Plans are TOML tables, listed in the order in which they are shown. Naming one replaces all of these defaults, and
`free`, which everybody has without a subscription, has to be among them. A limit that is left out is none, a price
that is left out is on request. The features are `models` (this server's model provider), `map_files` (a mind map as
SVG, PNG, OPML, FreeMind), `api_tokens` and `watching` (schedules for shops).

```toml
billing = true

[plans.free]
name = "Free"
price_cents = 0
token_limit = 50000
session_retention_days = 30
max_concurrent_sessions = 1
features = ["models"]

[plans.pro]
name = "Pro"
price_cents = 1200
token_limit = 500000
max_concurrent_sessions = 5
features = ["models", "map_files", "api_tokens", "watching"]
stripe_prices = ["price_…"]   # the first is sold; older prices of the plan follow

[plans.enterprise]
name = "Enterprise"
features = ["models", "map_files", "api_tokens", "watching"]
```

Stripe sends its events to `/v1/stripe/webhook`: `customer.subscription.*`, `invoice.*`, `charge.refunded`.
"""

    billing: bool = setting(
        False, "Whether people have plans with limits. Switched off, nobody meets any."
    )
    plans: dict[str, PlanSettings] = setting({}, "Plans by their id; see below.")
    billing_currency: str = setting(
        "USD",
        "Currency of the prices at Stripe, as ISO 4217 names it. `price_cents` is in its smallest unit: cents,"
        " or won.",
        pattern=r"^[A-Z]{3}$",
    )
    stripe_key: SecretStr | None = setting(
        None,
        "Secret key at Stripe (needs the extra `stripe`). Without one, plans are granted by"
        " `mindhit billing grant` only.",
    )
    stripe_webhook_secret: SecretStr | None = setting(
        None, "Signing secret of the webhook at Stripe, `whsec_…`.", min_length=8
    )
    stripe_url: str = setting("https://api.stripe.com", "Stripe's address, or a proxy's.")

    @field_validator("stripe_url")
    @classmethod
    def _is_web_address(cls, value: str) -> str:
        if not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value.rstrip("/")

    @field_validator("plans")
    @classmethod
    def _fit_together(cls, plans: dict[str, PlanSettings]) -> dict[str, PlanSettings]:
        if plans and FREE not in plans:
            raise ValueError(f"there has to be a plan `{FREE}`")
        if any(not 1 <= len(id_) <= 20 for id_ in plans):
            raise ValueError("an id has 1 to 20 characters")
        prices = [price for plan in plans.values() for price in plan.stripe_prices]
        if len(set(prices)) < len(prices):
            raise ValueError("a price at Stripe belongs to one plan")
        return plans

    @model_validator(mode="after")
    def _secret_with_key(self) -> Self:
        """Events alone say nothing: what happened is read from Stripe."""
        if self.stripe_webhook_secret is not None and self.stripe_key is None:
            raise ValueError("MINDHIT_STRIPE_WEBHOOK_SECRET needs MINDHIT_STRIPE_KEY")
        return self
