"""Plans: off by default, from the configuration, and what they include."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from mindhit import billing
from mindhit.accounts import Scope
from mindhit.billing import BillingOff, Flag, NotInPlan, PlanNotFound
from mindhit.billing.store import plans as store
from mindhit.db import ConstraintBroken, Database
from mindhit.settings import SettingsInvalid, load
from mindhit.wiring import SECTIONS
from tests.accounts.kit import add, browser_of, client_of, rows, settings, token_of
from tests.billing.kit import FLAGS, PLANS, allowance, open_shop, with_plans

NOW = datetime.now(UTC)


async def grant(db: Database, user_id: UUID, plan: str, now: datetime = NOW) -> None:
    async with db.transaction() as tx:
        await billing.grant(tx, user_id, plan, now)


async def test_by_default_nobody_meets_a_limit(db: Database) -> None:
    ada = await add(db)
    await billing.seed_plans(db, settings())
    has = await allowance(db, ada.id)
    assert (has.plan, has.is_on, has.token_limit, has.sessions_at_once) == (
        *("unlimited", False),
        *(None, None),
    )
    assert set(has.features) == set(FLAGS)
    async with browser_of(db, ada) as browser:
        plans = (await browser.get("/v1/plans")).json()
        assert (plans["is_on"], plans["plans"]) == (False, [])
        shown = (await browser.get("/v1/billing")).json()
        assert (shown["plan"], shown["is_on"], shown["status"]) == ("unlimited", False, None)
        assert shown["plan_name"] is None
        assert shown["tokens"] == {"used": 0, "reserved": 0, "limit": None, "is_used_up": False}
        assert (await browser.get("/v1/billing/invoices")).json() == {"invoices": [], "next": None}
        bought = await browser.post("/v1/billing/checkout", json={"plan_id": "pro"})
        assert bought.status_code == 404
        assert (await browser.post("/v1/billing/portal")).status_code == 404
        told = await browser.post("/v1/stripe/webhook", content=b"{}")
        assert told.status_code == 404
    with pytest.raises(BillingOff):
        await grant(db, ada.id, "pro")


async def test_the_plans_without_configuration_are_those_of_the_specification(db: Database) -> None:
    await open_shop(db, settings(billing=True))
    async with client_of(db) as anybody:
        answer = (await anybody.get("/v1/plans")).json()
    assert answer["is_on"]
    shown = {
        each["id"]: (
            each["price_cents"],
            each["token_limit"],
            each["session_retention_days"],
            each["max_concurrent_sessions"],
            set(each["features"]),
        )
        for each in answer["plans"]
    }
    assert shown == {
        "free": (0, 50_000, 30, 1, {"models"}),
        "pro": (1200, 500_000, None, 5, set(FLAGS)),
        "enterprise": (None, None, None, None, set(FLAGS)),
    }
    assert [*shown] == ["free", "pro", "enterprise"]


async def test_a_plan_that_left_the_configuration_stays_for_those_who_have_it(db: Database) -> None:
    ada, grace = await add(db), await add(db, "grace@example.org")
    await open_shop(db)
    await grant(db, ada.id, "team")
    left = {name: plan for name, plan in PLANS.items() if name != "team"}
    await open_shop(db, with_plans(plans=left))
    assert (await allowance(db, ada.id)).token_limit == 2_000_000
    assert (await allowance(db, grace.id)).plan == "free"
    async with browser_of(db, ada) as browser:
        shown = (await browser.get("/v1/billing")).json()
        listed = (await browser.get("/v1/plans")).json()["plans"]
    assert [each["id"] for each in listed] == [*left]
    assert (shown["plan"], shown["plan_name"]) == ("team", "Team")  # what they have is still said


async def test_prices_are_shown_in_the_currency_that_is_charged(db: Database) -> None:
    config = await open_shop(db, with_plans(billing_currency="KRW"))
    async with client_of(db, config) as anybody:
        assert (await anybody.get("/v1/plans")).json()["currency"] == "KRW"


async def test_switched_off_again_everybody_may_use_everything(db: Database) -> None:
    ada = await add(db)
    await open_shop(db)
    await grant(db, ada.id, "pro")
    await billing.seed_plans(db, settings())
    assert (await allowance(db, ada.id)).plan == "unlimited"
    await open_shop(db)
    assert (await allowance(db, ada.id)).plan == "pro"


async def test_a_granted_plan_replaces_the_one_before(db: Database) -> None:
    ada = await add(db)
    await open_shop(db)
    for plan in ("pro", "enterprise", "enterprise"):
        await grant(db, ada.id, plan)
        assert (await allowance(db, ada.id)).plan == plan
    await grant(db, ada.id, "free")
    has = await allowance(db, ada.id)
    assert (has.plan, has.status) == ("free", None)
    live = await rows(db, "select 1 from subscriptions where status <> 'canceled'")
    assert live == []
    with pytest.raises(PlanNotFound):
        await grant(db, ada.id, "gold")


async def test_a_granted_plan_goes_from_month_to_month(db: Database) -> None:
    ada = await add(db)
    await open_shop(db)
    start = datetime(2026, 1, 31, 12, tzinfo=UTC)
    await grant(db, ada.id, "enterprise", start)
    async with db.read() as tx:
        shown, _ = await billing.show_usage(tx, ada.id, datetime(2026, 3, 1, tzinfo=UTC))
    assert shown.period.start == datetime(2026, 2, 28, 12, tzinfo=UTC)
    assert shown.period.end == datetime(2026, 3, 31, 12, tzinfo=UTC)


async def test_the_database_holds_one_live_subscription_per_person(db: Database) -> None:
    ada = await add(db)
    await open_shop(db)
    await grant(db, ada.id, "pro")
    with pytest.raises(ConstraintBroken):
        async with db.transaction() as tx:
            await tx.one(store.GRANT, ada.id, "team", NOW, NOW + timedelta(days=1))


async def test_an_absent_flag_is_off_and_an_unknown_one_ignored(db: Database) -> None:
    ada = await add(db)
    plans = {**PLANS, "free": {**PLANS["free"], "features": ("watching", "teleporting")}}
    await open_shop(db, with_plans(plans=plans))
    async with db.read() as tx:
        await billing.require(tx, ada.id, Flag.WATCHING)
        with pytest.raises(NotInPlan) as refused:
            await billing.require(tx, ada.id, Flag.MODELS)
    assert refused.value.facts == {"flag": "models", "plan": "free"}


async def test_flags_bite_in_the_routes_and_own_data_never_does(db: Database) -> None:
    ada = await add(db)
    token = await token_of(db, ada, Scope.API)  # made before there were plans
    config = await open_shop(db)
    body = {"name": "a program", "scopes": ["api"]}
    watch = {"url": "https://shop.example/p/1", "cron": "0 9 * * *"}
    async with browser_of(db, ada, config) as browser:
        for path, sent, flag in (
            ("/v1/tokens", body, "api_tokens"),
            ("/v1/crawl/schedules", watch, "watching"),
        ):
            answer = await browser.post(path, json=sent)
            problem = answer.json()
            assert (answer.status_code, problem["type"]) == (402, "urn:mindhit:problem:not-in-plan")
            assert (problem["flag"], problem["plan"]) == (flag, "free")
        none = "00000000-0000-0000-0000-000000000000"
        export = f"/v1/sessions/{none}/mindmap/export"
        for format_, status in (("svg", 402), ("png", 402), ("opml", 402), ("mm", 402)):
            assert (await browser.get(export, params={"format": format_})).status_code == status
        for format_ in ("json", "md"):
            assert (await browser.get(export, params={"format": format_})).status_code == 404
        await grant(db, ada.id, "pro")
        assert (await browser.post("/v1/tokens", json=body)).status_code == 201
        assert (await browser.post("/v1/crawl/schedules", json=watch)).status_code == 201
    await grant(db, ada.id, "free")
    async with client_of(db, config, Authorization=f"Bearer {token}") as program:
        assert (await program.get("/v1/billing")).status_code == 200


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ('[plans.pro]\nname = "Pro"', "free"),
        ('[plans.free]\nname = "Free"\nsession_retention_days = 7', "session_retention_days"),
        ('stripe_webhook_secret = "whsec_0123456789"', "MINDHIT_STRIPE_KEY"),
        (
            '[plans.free]\nname="Free"\nstripe_prices=["p"]\n[plans.b]\nname="B"\nstripe_prices=["p"]',
            "one plan",
        ),
        ('billing_currency = "won"', "MINDHIT_BILLING_CURRENCY"),
    ],
)
def test_plans_that_can_t_be_are_refused_at_start(
    values: str,
    word: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path_factory.mktemp("config") / "mindhit.toml"
    file.write_text(values)
    monkeypatch.setenv("MINDHIT_CONFIG", str(file))
    with pytest.raises(SettingsInvalid, match=word):
        load(SECTIONS)


async def test_the_free_quota_comes_back(db: Database) -> None:
    """30 days after sign-up to the microsecond, the next period begins with nothing used."""
    ada = await add(db)
    await open_shop(db)
    [row] = await rows(db, "select created_at from users where id = $1", ada.id)
    end = row["created_at"] + timedelta(days=30)
    async with db.transaction() as tx:
        await tx._connection.execute(
            "insert into usage_totals values ($1, $2, 50000, 0)", ada.id, row["created_at"]
        )
        before, _ = await billing.show_usage(tx, ada.id, end - timedelta(microseconds=1))
        after, _ = await billing.show_usage(tx, ada.id, end)
    assert (before.used, before.period.end) == (50_000, end)
    assert (after.used, after.period.start, after.limit) == (0, end, 50_000)
