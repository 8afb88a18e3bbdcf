"""`mindhit billing`: plans by hand, and reading Stripe again."""

from __future__ import annotations

from typing import Annotated

import typer

from mindhit import accounts, billing
from mindhit.cli.access import start_product, with_database
from mindhit.cli.output import console
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.settings import Settings

app = typer.Typer(help="Plans and subscriptions.", no_args_is_help=True)


@app.command()
def sync() -> None:
    """Sync every customer's subscriptions and invoices from Stripe. A worker does the work."""
    product = start_product()

    async def act(db: Database) -> int:
        await _check(db, product.settings)
        if not billing.is_selling(product.settings):
            raise billing.BillingOff("No Stripe key is set.", way_out="Set MINDHIT_STRIPE_KEY.")
        return await billing.enqueue_all(db)

    count = with_database(product.settings, "billing", act)
    what = "1 customer" if count == 1 else f"{count} customers"
    console.print(f"{what} will be synced.")


@app.command()
def grant(
    email: Annotated[str, typer.Argument(help="The user's email address.")],
    plan: Annotated[str, typer.Argument(help="The plan's id; `free` removes a granted plan.")],
) -> None:
    """Give a user a plan without payment."""
    settings = start_product().settings

    async def act(db: Database) -> None:
        await _check(db, settings)
        async with db.transaction() as tx:
            person = await accounts.find_person(tx, email)
            await billing.grant(tx, person.id, plan, utc_now())

    with_database(settings, "billing", act)
    console.print(f"{email} is now on the {plan} plan.")


async def _check(db: Database, settings: Settings) -> None:
    """The plans of the configuration, as it is now."""
    if not settings[billing.BillingSettings].billing:
        raise billing.BillingOff(
            "Billing is off on this server, so every feature is available to everyone.",
            way_out="Set MINDHIT_BILLING=true to offer plans.",
        )
    await billing.seed_plans(db, settings)
