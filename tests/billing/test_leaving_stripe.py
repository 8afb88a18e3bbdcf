"""Somebody leaves: their subscription ends at Stripe first, however long Stripe is away."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from mindhit import billing
from mindhit.db import Database
from mindhit.work.testing import pass_time
from tests.accounts.kit import (
    PASSWORD,
    SECRET_KEY,
    add,
    browser_of,
    client_of,
    rows,
    run_jobs,
    settings,
    traces,
)
from tests.billing.kit import PRICES, customer_of, open_shop, selling, send
from tests.billing.stripe_fake import KEY, running
from tests.servers import mindhit


async def test_somebody_leaves_while_stripe_is_down(db: Database) -> None:
    async with running(**PRICES) as stripe:
        config = await open_shop(db, selling(stripe))
        ada = await add(db)
        async with browser_of(db, ada, config) as browser:
            url = (await browser.post("/v1/billing/checkout", json={"plan_id": "pro"})).json()[
                "url"
            ]
            subscription = stripe.pay(url.rpartition("/")[2])
            for event in stripe.events:
                assert (await send(browser, stripe, event)).status_code == 200
            await run_jobs(db, config)
            customer = await customer_of(db, ada.id)
            stripe.events.clear()
            stripe.is_down = True
            body = {"email": ada.email, "password": PASSWORD}
            assert (await browser.post("/v1/me/erase", json=body)).status_code == 202
        for _ in range(3):
            await run_jobs(db, config)
            [job] = await rows(db, "select status from jobs where kind = 'accounts:erase'")
            assert job["status"] == "queued"
            assert stripe.subscriptions[subscription]["status"] == "active"
            await pass_time(db, 300)
        stripe.is_down = False
        await run_jobs(db, config)
        assert stripe.subscriptions[subscription]["status"] == "canceled"
        assert await traces(db, str(ada.id), ada.email, customer, subscription) == {}
        # What Stripe tells of it afterwards leaves no trace either.
        assert [each["type"] for each in stripe.events] == ["customer.subscription.deleted"]
        async with client_of(db, config) as client:
            for event in stripe.events:
                assert (await send(client, stripe, event)).status_code == 200
        await run_jobs(db, config)
        assert await traces(db, str(ada.id), ada.email, customer, subscription) == {}


async def test_an_operator_who_erases_somebody_while_stripe_is_down_has_nothing_to_repeat(
    db: Database, database_url: str
) -> None:
    async with running(**PRICES) as stripe:
        config = await open_shop(db, selling(stripe))
        ada = await add(db)
        await billing.check_out(db, config, ada.id, "pro")
        stripe.is_down = True
        keys = {"stripe_key": KEY, "stripe_url": stripe.url, "secret_key": SECRET_KEY}
        erased = await asyncio.to_thread(
            mindhit, "user", "erase", ada.email, "--yes", database_url=database_url, **keys
        )
        assert erased.returncode == 1
        assert "can't sign in any more, but their data hasn't been deleted yet" in erased.stderr
        assert "A worker keeps retrying" in erased.stderr
        stripe.is_down = False
        await run_jobs(db, config)
        assert await traces(db, str(ada.id), ada.email) == {}


async def test_a_checkout_that_is_open_can_t_be_paid_after_its_person_left(db: Database) -> None:
    async with running(**PRICES) as stripe:
        config = await open_shop(db, selling(stripe))
        ada = await add(db)
        async with browser_of(db, ada, config) as browser:
            await browser.post("/v1/billing/checkout", json={"plan_id": "pro"})
            body = {"email": ada.email, "password": PASSWORD}
            assert (await browser.post("/v1/me/erase", json=body)).status_code == 202
        await run_jobs(db, config)
        assert [each["status"] for each in stripe.checkouts.values()] == ["expired"]
        assert await traces(db, str(ada.id), ada.email) == {}


async def test_without_a_key_a_subscription_is_not_forgotten(db: Database) -> None:
    """The operator took the key away: the person is erased when it is back, and not before."""
    async with running(**PRICES) as stripe:
        config = await open_shop(db, selling(stripe))
        ada = await add(db)
        async with browser_of(db, ada, config) as browser:
            url = (await browser.post("/v1/billing/checkout", json={"plan_id": "pro"})).json()[
                "url"
            ]
            stripe.pay(url.rpartition("/")[2])
            for event in stripe.events:
                await send(browser, stripe, event)
            await run_jobs(db, config)
            body = {"email": ada.email, "password": PASSWORD}
            assert (await browser.post("/v1/me/erase", json=body)).status_code == 202
        keyless = selling(stripe, stripe_key=None, stripe_webhook_secret=None)
        await run_jobs(db, keyless)
        assert "users" in await traces(db, ada.email)
        await pass_time(db, 300)
        await run_jobs(db, config)
        assert await traces(db, ada.email) == {}


async def test_with_billing_switched_off_somebody_who_leaves_stops_paying(db: Database) -> None:
    async with running(**PRICES) as stripe:
        config = await open_shop(db, selling(stripe))
        ada = await add(db)
        url = await billing.check_out(db, config, ada.id, "pro")
        subscription = stripe.pay(url.rpartition("/")[2])
        await billing.sync(db, config, ada.id)
        off = await open_shop(db, selling(stripe, billing=False))
        await billing.leave(db, ada.id, off)
        assert stripe.subscriptions[subscription]["status"] == "canceled"


async def test_billing_off_and_no_key_still_don_t_forget_a_subscription(db: Database) -> None:
    async with running(**PRICES) as stripe:
        config = await open_shop(db, selling(stripe))
        ada = await add(db)
        url = await billing.check_out(db, config, ada.id, "pro")
        stripe.pay(url.rpartition("/")[2])
        await billing.sync(db, config, ada.id)
        off = await open_shop(db, settings())
        with pytest.raises(billing.PaymentFailed):
            await billing.leave(db, ada.id, off)


async def test_a_granted_plan_keeps_nobody_from_leaving(db: Database) -> None:
    """They looked at the check-out once, and were given a plan; then the key was taken away."""
    async with running(**PRICES) as stripe:
        config = await open_shop(db, selling(stripe))
        ada = await add(db)
        await billing.check_out(db, config, ada.id, "pro")
        async with db.transaction() as tx:
            await billing.grant(tx, ada.id, "enterprise", datetime.now(UTC))
        keyless = selling(stripe, stripe_key=None, stripe_webhook_secret=None)
        await billing.leave(db, ada.id, keyless)
