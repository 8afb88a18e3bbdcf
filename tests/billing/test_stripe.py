"""Paying at Stripe, from Checkout to the last refund, against a Stripe of our own over HTTP."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import httpx2
import pytest

from mindhit import billing
from mindhit.accounts import Person
from mindhit.billing import AlreadySubscribed, PaymentFailed, syncing
from mindhit.billing.payments import payments_of
from mindhit.billing.payments.port import Customer
from mindhit.billing.store import stripe as store
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.work.testing import pass_time
from tests.accounts.kit import add, browser_of, client_of, rows, run_jobs
from tests.billing.kit import PRICES, allowance, customer_of, open_shop, selling, send
from tests.billing.stripe_fake import Json, Stripe, running, signed
from tests.tracking.test_retention import until_it_waits


@dataclass
class Shop:
    db: Database
    stripe: Stripe
    config: Settings
    ada: Person
    browser: httpx2.AsyncClient

    async def buy(self, plan: str = "pro") -> str:
        """Through Checkout; returns the subscription."""
        answer = await self.browser.post("/v1/billing/checkout", json={"plan_id": plan})
        assert answer.status_code == 200, answer.text
        subscription = self.stripe.pay(answer.json()["url"].rpartition("/")[2])
        await self.hear()
        return subscription

    async def hear(self) -> None:
        """Every event so far arrives, and its job runs."""
        events, self.stripe.events[:] = [*self.stripe.events], []
        for event in events:
            assert (await send(self.browser, self.stripe, event)).status_code == 200
        await run_jobs(self.db, self.config)

    async def shown(self) -> Json:
        return dict((await self.browser.get("/v1/billing")).json())

    async def invoices(self) -> list[Json]:
        return list((await self.browser.get("/v1/billing/invoices")).json()["invoices"])


@pytest.fixture
async def shop(db: Database) -> AsyncIterator[Shop]:
    async with running(**PRICES) as stripe:
        config = await open_shop(db, selling(stripe))
        ada = await add(db)
        async with browser_of(db, ada, config) as browser:
            yield Shop(db, stripe, config, ada, browser)


def moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")


async def receive(shop: Shop, event: Json) -> None:
    """An event arrives; without HTTP, which takes most of the time."""
    body = shop.stripe.body_of(event)
    await billing.receive(shop.db, shop.config, body, signed(body))


async def state(db: Database) -> list[Json]:
    """What is stored of subscriptions and invoices, without our own ids and moments."""
    found = await rows(
        db,
        "select s.stripe_subscription_id, s.plan_id, s.status, s.current_period_start,"
        " s.current_period_end, s.cancel_at_period_end from subscriptions s order by 1",
    )
    bills = await rows(
        db,
        "select i.stripe_invoice_id, i.status, i.amount_cents, i.paid_at, s.stripe_subscription_id"
        " from invoices i left join subscriptions s on s.id = i.subscription_id order by 1",
    )
    return [dict(each) for each in (*found, *bills)]


async def test_buying_a_plan(shop: Shop) -> None:
    assert (await shop.shown())["plan"] == "free"
    subscription = await shop.buy()
    shown = await shop.shown()
    assert (shown["plan"], shown["status"], shown["sessions_at_once"]) == ("pro", "active", 5)
    assert shown["period"]["end"] == moment(shop.stripe.end_of(subscription))
    assert shown["tokens"] == {"used": 0, "reserved": 0, "limit": 500_000, "is_used_up": False}
    [invoice] = await shop.invoices()
    assert (invoice["amount_cents"], invoice["currency"], invoice["status"]) == (
        1200,
        "USD",
        "paid",
    )
    assert invoice["url"].startswith("https://invoice.stripe.test/")
    events = await rows(shop.db, "select handled_at, error from stripe_events")
    assert events
    assert all(each["handled_at"] is not None and each["error"] is None for each in events)


async def test_what_can_be_bought_and_what_was_granted_is_said(shop: Shop) -> None:
    async def for_sale() -> list[str]:
        plans = (await shop.browser.get("/v1/plans")).json()["plans"]
        return [each["id"] for each in plans if each["is_for_sale"]]

    assert await for_sale() == ["pro", "team"]
    async with shop.db.transaction() as tx:
        await billing.grant(tx, shop.ada.id, "pro", datetime.now(UTC))
    assert ((await shop.shown())["status"], (await shop.shown())["is_granted"]) == ("active", True)
    again = await shop.browser.post("/v1/billing/checkout", json={"plan_id": "team"})
    assert again.status_code == 409
    assert "portal" not in again.json()["detail"]  # there is none for them
    async with shop.db.transaction() as tx:
        await billing.grant(tx, shop.ada.id, "free", datetime.now(UTC))
    await shop.buy()
    assert ((await shop.shown())["status"], (await shop.shown())["is_granted"]) == ("active", False)
    keyless = selling(shop.stripe, stripe_key=None, stripe_webhook_secret=None)
    async with client_of(shop.db, keyless) as client:
        plans = (await client.get("/v1/plans")).json()["plans"]
    assert not any(each["is_for_sale"] for each in plans)


async def test_every_post_has_a_key_of_its_own(shop: Shop) -> None:
    await shop.buy()
    assert (await shop.browser.post("/v1/billing/portal")).status_code == 200
    paths = [path for path, _ in shop.stripe.posts]
    assert paths == ["/v1/customers", "/v1/checkout/sessions", "/v1/billing_portal/sessions"]
    assert len({key for _, key in shop.stripe.posts}) == 3


async def test_two_checkouts_make_one_customer_and_leave_one_to_finish(shop: Shop) -> None:
    async def check_out() -> str:
        return await billing.check_out(shop.db, shop.config, shop.ada.id, "pro")

    def open_() -> list[str]:
        found = shop.stripe.checkouts.values()
        return [each["url"] for each in found if each["status"] == "open"]

    urls = await asyncio.gather(*(check_out() for _ in range(5)))
    [left] = open_()
    assert left in urls
    assert len(shop.stripe.customers) == 1
    newest = await check_out()
    assert (open_(), newest in urls) == ([newest], False)


async def test_who_has_paid_can_t_pay_again_while_the_event_is_on_its_way(shop: Shop) -> None:
    url = await billing.check_out(shop.db, shop.config, shop.ada.id, "pro")
    shop.stripe.pay(url.rpartition("/")[2])
    assert (await shop.shown())["plan"] == "free"  # nothing has arrived yet
    with pytest.raises(AlreadySubscribed):
        await billing.check_out(shop.db, shop.config, shop.ada.id, "team")
    assert len(shop.stripe.checkouts) == 1
    assert (await shop.shown())["plan"] == "pro"


async def test_what_failed_at_stripe_works_when_it_is_back(shop: Shop) -> None:
    """Stripe repeats its answer to a known key, failures included."""
    for _ in range(2):
        shop.stripe.is_down = True
        with pytest.raises(PaymentFailed):
            await billing.check_out(shop.db, shop.config, shop.ada.id, "pro")
        shop.stripe.is_down = False
        await billing.check_out(shop.db, shop.config, shop.ada.id, "pro")
    assert len(shop.stripe.customers) == 1


async def test_a_check_out_that_could_not_be_expired_is_when_stripe_is_back(shop: Shop) -> None:
    url = await billing.check_out(shop.db, shop.config, shop.ada.id, "pro")
    shop.stripe.fails_at = "/expire"
    with pytest.raises(PaymentFailed):
        await billing.leave(shop.db, shop.ada.id, shop.config)
    shop.stripe.fails_at = None
    await billing.leave(shop.db, shop.ada.id, shop.config)
    assert shop.stripe.checkouts[url.rpartition("/")[2]]["status"] == "expired"


async def test_who_has_a_subscription_is_sent_to_the_portal(shop: Shop) -> None:
    portal = await shop.browser.post("/v1/billing/portal")
    assert (portal.status_code, portal.json()["type"]) == (
        409,
        "urn:mindhit:problem:not-subscribed",
    )
    await shop.buy()
    again = await shop.browser.post("/v1/billing/checkout", json={"plan_id": "team"})
    assert (again.status_code, again.json()["type"]) == (
        409,
        "urn:mindhit:problem:already-subscribed",
    )
    portal = await shop.browser.post("/v1/billing/portal")
    assert portal.json()["url"].startswith("https://portal.test/")
    with pytest.raises(AlreadySubscribed):
        async with shop.db.transaction() as tx:
            await billing.grant(tx, shop.ada.id, "enterprise", datetime.now(UTC))


async def test_what_is_not_for_sale_can_t_be_bought(shop: Shop) -> None:
    for plan, status in (("enterprise", 409), ("free", 409), ("gold", 404)):
        answer = await shop.browser.post("/v1/billing/checkout", json={"plan_id": plan})
        assert answer.status_code == status
    assert shop.stripe.posts == []


async def test_a_card_that_fails_leaves_the_plan_and_is_shown(shop: Shop) -> None:
    subscription = await shop.buy()
    shop.stripe.fail_renewal(subscription)
    await shop.hear()
    shown = await shop.shown()
    assert (shown["plan"], shown["status"]) == ("pro", "past_due")
    assert sorted(each["status"] for each in await shop.invoices()) == ["paid", "pending"]


async def test_cancelled_at_the_end_of_the_period(shop: Shop) -> None:
    subscription = await shop.buy()
    shop.stripe.cancel_at_end(subscription)
    await shop.hear()
    shown = await shop.shown()
    assert (shown["plan"], shown["cancel_at_period_end"]) == ("pro", True)
    shop.stripe.move_to(shop.stripe.end_of(subscription))
    await shop.hear()
    shown = await shop.shown()
    assert (shown["plan"], shown["status"], shown["cancel_at_period_end"]) == ("free", None, False)


async def test_a_cancelled_one_ends_with_its_period_however_late_the_last_event_is(
    shop: Shop,
) -> None:
    shop.stripe.now -= 40 * 86_400
    subscription = await shop.buy()
    kept = await retention(shop)
    assert ((await shop.shown())["plan"], kept) == ("pro", None)  # renewed, as far as is known
    shop.stripe.cancel_at_end(subscription)
    await shop.hear()
    assert shop.stripe.subscriptions[subscription]["status"] == "active"
    shown = await shop.shown()
    assert (shown["plan"], shown["status"], shown["cancel_at_period_end"]) == ("free", None, False)
    assert await retention(shop) == 30
    with pytest.raises(AlreadySubscribed):
        async with shop.db.transaction() as tx:
            await billing.grant(tx, shop.ada.id, "enterprise", datetime.now(UTC))


async def retention(shop: Shop) -> int | None:
    async with shop.db.read() as tx:
        found = await billing.people_with_retention(tx, UUID(int=0))
    return next((each.days for each in found if each.user_id == shop.ada.id), None)


@pytest.mark.parametrize(("days", "is_last"), [(-1, True), (0, True), (1, False)])
async def test_one_that_is_to_end_later_goes_on_until_then(
    shop: Shop, days: int, is_last: bool
) -> None:
    subscription = await shop.buy()
    end = shop.stripe.end_of(subscription) + days * 86_400
    shop.stripe.subscriptions[subscription]["cancel_at"] = end
    await billing.sync(shop.db, shop.config, shop.ada.id)
    assert (await shop.shown())["cancel_at_period_end"] is is_last


async def test_erasing_waits_for_a_sync_and_neither_stops_the_other(shop: Shop) -> None:
    """Both lock the customer first."""
    await shop.buy()

    async def erase() -> None:
        async with shop.db.transaction() as tx:
            await billing.erase(tx, shop.ada.id, shop.ada.email)

    async with shop.db.transaction() as tx:
        reading = await tx.one(store.BEGIN_READING, shop.ada.id)
        assert await tx.maybe(store.BEGIN_WRITING, shop.ada.id, reading.began_at) is not None
        erasing = asyncio.create_task(erase())
        await until_it_waits(shop.db, erasing)
        await tx.run(store.RETIRE, shop.ada.id, None)
    await erasing
    assert await state(shop.db) == []


async def test_an_event_that_arrives_while_a_sync_writes_does_not_wait(shop: Shop) -> None:
    subscription = await shop.buy()
    shop.stripe.cancel_at_end(subscription)
    async with shop.db.transaction() as tx:
        reading = await tx.one(store.BEGIN_READING, shop.ada.id)
        assert await tx.maybe(store.BEGIN_WRITING, shop.ada.id, reading.began_at) is not None
        for event in shop.stripe.events:
            await receive(shop, event)


async def test_reading_the_same_again_writes_no_invoice(shop: Shop) -> None:
    await shop.buy()
    versions = """
select id, xmin::text, ctid::text from invoices
union all select id, xmin::text, ctid::text from subscriptions"""
    before = await rows(shop.db, versions)
    await billing.sync(shop.db, shop.config, shop.ada.id)
    assert await rows(shop.db, versions) == before


async def test_an_upgrade_starts_a_new_period_at_once(shop: Shop) -> None:
    subscription = await shop.buy()
    before = await shop.shown()
    shop.stripe.now += 86_400
    shop.stripe.upgrade(subscription, "price_team")
    await shop.hear()
    after = await shop.shown()
    assert (after["plan"], after["tokens"]["limit"]) == ("team", 2_000_000)
    assert after["period"]["start"] == moment(shop.stripe.now)
    assert after["period"]["start"] > before["period"]["start"]


async def test_a_downgrade_takes_effect_at_the_end(shop: Shop) -> None:
    subscription = await shop.buy("team")
    shop.stripe.downgrade(subscription, "price_pro")
    await shop.hear()
    before = await shop.shown()
    assert before["plan"] == "team"
    shop.stripe.move_to(shop.stripe.end_of(subscription))
    await shop.hear()
    after = await shop.shown()
    assert (after["plan"], after["period"]["start"]) == ("pro", before["period"]["end"])


async def test_a_refund_is_shown_on_its_invoice(shop: Shop) -> None:
    subscription = await shop.buy()
    shop.stripe.move_to(shop.stripe.end_of(subscription))
    await shop.hear()
    newest, oldest = await shop.invoices()
    [row] = await rows(
        shop.db, "select stripe_invoice_id from invoices where id = $1", UUID(oldest["id"])
    )
    shop.stripe.refund(row["stripe_invoice_id"])
    await shop.hear()
    statuses = {each["id"]: each["status"] for each in await shop.invoices()}
    assert statuses == {newest["id"]: "paid", oldest["id"]: "refunded"}


async def test_of_two_at_stripe_the_one_that_ends_last_counts(shop: Shop) -> None:
    await shop.buy("pro")
    shop.stripe.now += 3 * 86_400
    later_one = shop.stripe.subscribe(await customer_of(shop.db, shop.ada.id), "price_team")
    await shop.hear()
    assert (await shop.shown())["plan"] == "team"
    shop.stripe._cancel(later_one)
    await shop.hear()
    assert (await shop.shown())["plan"] == "pro"


async def test_a_price_of_no_plan_changes_nothing(shop: Shop) -> None:
    await shop.buy()
    shop.stripe.prices["price_of_something_else"] = 100
    customer = await customer_of(shop.db, shop.ada.id)
    shop.stripe.now += 86_400
    shop.stripe.subscribe(customer, "price_of_something_else")
    await shop.hear()
    assert (await shop.shown())["plan"] == "pro"


async def test_an_older_price_of_a_plan_is_recognised_and_a_forgotten_one_keeps_its_plan(
    shop: Shop,
) -> None:
    await shop.buy()
    plans = {"free": {"name": "Free"}, "pro": {"name": "Pro", "stripe_prices": ("price_new",)}}
    await open_shop(shop.db, selling(shop.stripe, plans=plans))
    await billing.sync(shop.db, shop.config, shop.ada.id)
    assert (await shop.shown())["plan"] == "pro"


async def test_a_long_list_of_invoices_is_read_and_shown_in_pages(shop: Shop) -> None:
    subscription = await shop.buy()
    for _ in range(129):
        shop.stripe.now += 60
        shop.stripe.charge(subscription)
    await billing.sync(shop.db, shop.config, shop.ada.id)
    seen: list[str] = []
    cursor: str | None = None
    while True:
        params = {"limit": "40", **({"cursor": cursor} if cursor else {})}
        page = (await shop.browser.get("/v1/billing/invoices", params=params)).json()
        seen += [each["id"] for each in page["invoices"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 130


async def test_a_thousand_events_three_times_shuffled_end_where_they_do_in_order(
    shop: Shop,
) -> None:
    """Things happen at Stripe while events arrive and jobs run; and now and then somebody who read the
    customer long ago writes it down only now."""
    await shop.buy()
    [subscription] = shop.stripe.subscriptions
    events: list[Json] = []
    waiting: list[Json] = []
    rng = random.Random(24)
    slow = await _begin_reading(shop)
    while len(events) < 1000 or waiting:
        if len(events) < 1000:
            _happen(shop.stripe, subscription, rng)
            new, shop.stripe.events[:] = shop.stripe.events[: 1000 - len(events)], []
            events += new
            waiting += new * 3
        rng.shuffle(waiting)
        for event in waiting[-12:]:
            await receive(shop, event)
        del waiting[-12:]
        if rng.random() < 0.02:
            await run_jobs(shop.db, shop.config)
            await syncing.write_read(shop.db, shop.ada.id, *slow)
            slow = await _begin_reading(shop)
            _happen(shop.stripe, subscription, rng)
            await billing.sync(shop.db, shop.config, shop.ada.id)
    await run_jobs(shop.db, shop.config)
    await billing.sync(shop.db, shop.config, shop.ada.id)
    await syncing.write_read(shop.db, shop.ada.id, *slow)
    shuffled = await state(shop.db)
    [counts] = await rows(
        shop.db, "select count(*) as events, count(handled_at) as handled from stripe_events"
    )
    assert counts["events"] == counts["handled"] == 1000 + 2  # and the two of buying
    # In order, into an empty shop: the same.
    async with shop.db.transaction() as tx:
        for table in ("invoices", "subscriptions", "stripe_events"):
            await tx._connection.execute(f"delete from {table}")
    for event in events:
        await receive(shop, event)
    await run_jobs(shop.db, shop.config)
    assert await state(shop.db) == shuffled
    assert len(shuffled) > 100


def _happen(stripe: Stripe, subscription: str, rng: random.Random) -> None:
    stripe.now += 3600
    match rng.randrange(5):
        case 0:
            stripe.upgrade(subscription, rng.choice([*PRICES]))
        case 1:
            stripe.downgrade(subscription, rng.choice([*PRICES]))
        case 2:
            stripe.move_to(stripe.now + 20 * 86_400)
        case 3:
            stripe.refund(stripe.charge(subscription))
        case _:
            stripe.subscriptions[subscription]["status"] = "active"
            stripe._updated(subscription)


async def _begin_reading(shop: Shop) -> tuple[store.Reading, Customer]:
    async with shop.db.read() as tx:
        reading = await tx.one(store.BEGIN_READING, shop.ada.id)
    async with payments_of(shop.config) as payments:
        return reading, await payments.read(reading.customer_id)


async def test_what_was_read_earlier_is_never_written_over_what_was_read_later(shop: Shop) -> None:
    """One reads, and is slow; meanwhile the plan changes, and another reads it and is done."""
    subscription = await shop.buy()
    reached, go_on = asyncio.Event(), asyncio.Event()
    slow = asyncio.create_task(_slow_sync(shop, reached, go_on))
    await reached.wait()
    shop.stripe.upgrade(subscription, "price_team")
    await billing.sync(shop.db, shop.config, shop.ada.id)
    go_on.set()
    await slow
    assert (await shop.shown())["plan"] == "team"


async def test_what_was_read_is_written_though_somebody_who_began_later_never_finishes(
    shop: Shop,
) -> None:
    """Paid; the event's job has read it, and while it writes a request begins to read, and dies."""
    url = await billing.check_out(shop.db, shop.config, shop.ada.id, "pro")
    shop.stripe.pay(url.rpartition("/")[2])
    read = await _begin_reading(shop)
    await _begin_reading(shop)
    await syncing.write_read(shop.db, shop.ada.id, *read)
    assert (await shop.shown())["plan"] == "pro"


async def test_a_clock_that_was_set_back_does_not_keep_news_out(shop: Shop) -> None:
    subscription = await shop.buy()
    async with shop.db.transaction() as tx:
        await tx._connection.execute(
            "update stripe_customers set read_at = now() + interval '1 hour'"
        )
    shop.stripe.cancel_at_end(subscription)
    await shop.hear()
    assert (await shop.shown())["cancel_at_period_end"] is True


async def _slow_sync(shop: Shop, reached: asyncio.Event, go_on: asyncio.Event) -> None:
    """A sync whose answers of Stripe arrive only when they are out of date."""
    reading, found = await _begin_reading(shop)
    reached.set()
    await go_on.wait()
    await syncing.write_read(shop.db, shop.ada.id, reading, found)


async def test_the_nightly_job_finds_what_no_event_told(shop: Shop) -> None:
    subscription = await shop.buy()
    shop.stripe.upgrade(subscription, "price_team")
    shop.stripe.events.clear()
    assert await billing.enqueue_all(shop.db) == 1
    await run_jobs(shop.db, shop.config)
    assert (await shop.shown())["plan"] == "team"


async def test_stripe_that_is_down_is_asked_again_and_the_events_say_why(shop: Shop) -> None:
    await shop.buy()
    shop.stripe.cancel_at_end(next(iter(shop.stripe.subscriptions)))
    shop.stripe.is_down = True
    await shop.hear()
    waiting = "select 1 from jobs where kind = 'billing:stripe' and status = 'queued'"
    assert len(await rows(shop.db, waiting)) == 1
    for _ in range(2):
        await pass_time(shop.db, 60)  # an event that arrives now never waits longer
        assert await run_jobs(shop.db, shop.config) == 1
    [event] = await rows(shop.db, "select error from stripe_events where handled_at is null")
    assert event["error"].startswith("Stripe:")
    answer = await shop.browser.post("/v1/billing/portal")
    assert answer.status_code == 503
    with pytest.raises(PaymentFailed):
        await billing.sync(shop.db, shop.config, shop.ada.id)
    shop.stripe.is_down = False
    await billing.sync(shop.db, shop.config, shop.ada.id)
    assert (await allowance(shop.db, shop.ada.id)).cancel_at_period_end
    assert await rows(shop.db, "select 1 from stripe_events where handled_at is null") == []
