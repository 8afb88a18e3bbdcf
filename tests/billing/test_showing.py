"""What people see before and after: cost, usage day by day; and what operators type."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID

from mindhit import billing
from mindhit.billing import Tokens
from mindhit.db import Database
from mindhit.tracking import SessionId
from mindhit.tracking.timeline import closing
from tests.accounts.kit import add, browser_of, rows, run_jobs
from tests.billing.kit import PLANS, open_shop, with_plans
from tests.billing.test_ledger import a_call, reserved
from tests.billing.test_plans import grant
from tests.language.kit import config
from tests.language.wire import model_server
from tests.servers import mindhit
from tests.tracking.contract import record as record_session
from tests.tracking.kit import execute, recorder


async def test_everybody_is_told_how_long_their_data_is_kept(db: Database) -> None:
    """By their plan, and by what the operator has set; without either, sessions stay."""
    ada = await add(db)
    always = {"model_answers": 7, "read_notices": 90, "security_events": 365, "exports": 1}
    async with browser_of(db, ada) as browser:
        told = (await browser.get("/v1/me/retention")).json()
        assert told == {"sessions": None, "raw_events": None, **always}
    async with browser_of(db, ada, await open_shop(db, with_plans(raw_event_retention=45.5))) as it:
        assert (await it.get("/v1/me/retention")).json() == {
            "sessions": 30,
            "raw_events": 46,
            **always,
        }


async def test_days_are_those_of_the_person(db: Database) -> None:
    """Two calls a minute apart, on both sides of midnight in Seoul, and of no midnight in UTC."""
    ada = await add(db)
    await execute(db, "update user_settings set timezone = 'Asia/Seoul'")
    for minute, tokens in ((59, 10), (60, 20)):
        at = datetime(2026, 3, 4, 14 + minute // 60, minute % 60, tzinfo=UTC)
        await execute(
            db,
            "insert into token_usage (user_id, operation, provider, ai_model, payer, state,"
            " tokens_used, input_tokens, output_tokens, period_start, created_at)"
            " values ($1, 'summarise', 'openai', 'm', 'plan', 'used', $2, $2, 0, $3, $3)",
            ada.id,
            tokens,
            at,
        )
    async with browser_of(db, ada) as browser:
        asked = {"from": "2026-03-04", "to": "2026-03-05"}
        answer = (await browser.get("/v1/billing/usage", params=asked)).json()
        [first] = (
            await browser.get(
                "/v1/billing/usage", params={"from": "2026-03-05", "to": "2026-03-05"}
            )
        ).json()["days"]
        for wrong in (
            {"from": "2026-03-05", "to": "2026-03-04"},
            {"from": "2024-01-01", "to": "2026-03-04"},
            {"from": "9999-12-31", "to": "9999-12-31"},
            {"from": "0001-01-01", "to": "0001-01-01"},
            {"to": "0001-01-01"},
            {"from": "9999-12-31"},
        ):
            refused = await browser.get("/v1/billing/usage", params=wrong)
            assert refused.status_code == 422
            assert refused.json()["type"] == "urn:mindhit:problem:bad-days"
        assert (await browser.get("/v1/billing/usage")).json() == {"days": []}
    same = {"operation": "summarise", "engine": "openai", "model": "m", "calls": 1}
    assert answer == {
        "days": [
            {"date": "2026-03-04", "tokens": 10, **same},
            {"date": "2026-03-05", "tokens": 20, **same},
        ]
    }
    assert first["tokens"] == 20


async def test_a_year_over_a_leap_day_is_shown_to_its_last_minute(db: Database) -> None:
    ada = await add(db)
    plans = {"free": PLANS["free"], "pro": {**PLANS["pro"], "billing_period": "yearly"}}
    await open_shop(db, with_plans(plans=plans))
    start = datetime(2027, 12, 1, 12, tzinfo=UTC)
    async with db.transaction() as tx:
        await billing.grant(tx, ada.id, "pro", start)
    async with db.read() as tx:
        for now in (start, start - timedelta(days=2), start + timedelta(days=366, minutes=-1)):
            assert await billing.usage_by_day(tx, ada.id, None, None, now) == []


async def test_the_days_of_a_period_add_up_to_what_was_used_in_it(db: Database) -> None:
    """Another plan since noon: what the morning took was the free one's."""
    ada = await add(db)
    await open_shop(db)
    noon = datetime.now(UTC) - timedelta(microseconds=1)
    morning = await reserved(db, a_call(ada.id, 500), billing.allowance)
    async with db.transaction() as tx:
        await billing.record(tx, morning, Tokens(400, 0), "r-1")
        await tx._connection.execute("update token_usage set created_at = $1", noon)
    await grant(db, ada.id, "pro", noon + timedelta(microseconds=1))
    later = await reserved(db, a_call(ada.id, 500), billing.allowance)
    async with db.transaction() as tx:
        await billing.record(tx, later, Tokens(70, 0), "r-2")
    async with browser_of(db, ada) as browser:
        used = (await browser.get("/v1/billing")).json()["tokens"]["used"]
        days = (await browser.get("/v1/billing/usage")).json()["days"]
        day = noon.date().isoformat()
        whole = (await browser.get("/v1/billing/usage", params={"from": day})).json()["days"]
    assert (used, sum(each["tokens"] for each in days)) == (70, 70)
    assert sum(each["tokens"] for each in whole) == 470


async def test_a_session_s_cost_is_an_upper_bound_of_what_it_takes(db: Database) -> None:
    """Asked before, and compared with what is reserved and used when it is processed."""
    async with model_server() as server:
        chosen = config(**server.settings("openai"), billing=True, plans=PLANS)
        await open_shop(db, chosen)
        async with recorder(db, config=chosen) as ada:
            session = await record_session(ada.client, "a text about lighthouses")
        await open_shop(db, chosen)
        await execute(db, "update sessions set title = null, title_by = null")
        async with db.transaction() as tx:
            await closing.close(tx, ada.person.id, SessionId(UUID(session)))
        async with browser_of(db, ada.person, chosen) as browser:
            before = (await browser.get(f"/v1/sessions/{session}/cost")).json()
            assert (before["engine"], before["payer"]) == ("openai", "plan")
            assert (before["left"], before["is_enough"]) == (50_000, True)
            assert {each["operation"] for each in before["operations"]} == {"summarise", "title"}
            assert before["at_most"] == sum(each["at_most"] for each in before["operations"])
            for again, operations in (("summaries", {"summarise"}), ("map", {"title"})):
                part = await browser.get(f"/v1/sessions/{session}/cost", params={"again": again})
                assert {each["operation"] for each in part.json()["operations"]} == operations
            await run_jobs(db, chosen)
            found = await rows(
                db,
                "select operation, count(*) as calls, sum(tokens_used) as tokens from token_usage"
                " where state = 'used' group by operation",
            )
            bounds = {each["operation"]: each["at_most"] for each in before["operations"]}
            assert found
            assert all(each["tokens"] <= 2 * bounds[each["operation"]] for each in found)
            await execute(db, "update usage_totals set used = 49000")
            after = (await browser.get(f"/v1/sessions/{session}/cost")).json()
            assert (after["left"], after["is_enough"]) == (1_000, False)


async def test_what_the_built_in_engine_reads_costs_nothing(db: Database) -> None:
    async with recorder(db) as ada:
        session = await record_session(ada.client, "a text about lighthouses")
    async with browser_of(db, ada.person) as browser:
        cost = (await browser.get(f"/v1/sessions/{session}/cost")).json()
    assert (cost["engine"], cost["payer"], cost["operations"]) == ("builtin", None, [])
    assert (cost["at_most"], cost["left"], cost["is_enough"]) == (0, None, True)


async def test_a_grant_and_usage_from_the_command_line(db: Database, database_url: str) -> None:
    ada = await add(db)
    on = {"database_url": database_url, "billing": "true"}
    granted = mindhit("billing", "grant", ada.email, "enterprise", **on)
    assert granted.returncode == 0, granted.stderr
    [person] = json.loads(mindhit("usage", "--json", **on).stdout)
    assert (person["current"]["plan"], person["current"]["limit"]) == ("enterprise", None)
    wrong = mindhit("billing", "grant", ada.email, "gold", **on)
    assert (wrong.returncode, "no such plan" in wrong.stderr) == (1, True)
    off = mindhit("billing", "sync", database_url=database_url)
    assert (off.returncode, "MINDHIT_BILLING" in off.stderr) == (1, True)


async def test_plans_are_written_down_for_every_process(db: Database) -> None:
    ada = await add(db)
    await open_shop(db)
    await grant(db, ada.id, "pro")
    async with db.read() as tx:
        shown, _ = await billing.show_usage(tx, ada.id, datetime.now(UTC))
    assert (shown.plan, shown.limit) == ("pro", 500_000)
