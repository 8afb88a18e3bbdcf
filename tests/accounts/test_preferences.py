"""What a person can choose, and what happens to values that there are none of."""

from __future__ import annotations

import asyncio
from datetime import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit import accounts
from mindhit.accounts import Preferences, Scope, is_quiet
from mindhit.db import Database
from tests.accounts.kit import PASSWORD, add, browser_of, client_of, token_of


async def test_settings_that_nobody_chose(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        assert (await browser.get("/v1/me/settings")).json() == {
            "email_notification": True,
            "excluded_domains": [],
            "timezone": "Asia/Seoul",
            "language": "en",
            "quiet_hours": {"from": "22:00", "until": "07:00"},
            "quiet_mode": "default",
            "server_fetch": True,
        }


async def test_changing_one_keeps_the_others(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        await browser.patch("/v1/me/settings", json={"language": "ko"})
        await browser.patch("/v1/me/settings", json={"quiet_hours": None})
        changed = await browser.patch(
            "/v1/me/settings",
            json={"excluded_domains": ["https://Bank.example/login", "*.bank.example", "은행.kr"]},
        )
        assert changed.json() == {
            "email_notification": True,
            "excluded_domains": ["bank.example", "xn--zs5b84x.kr"],
            "timezone": "Asia/Seoul",
            "language": "ko",
            "quiet_hours": None,
            "quiet_mode": "off",
            "server_fetch": True,
        }
        assert (await browser.get("/v1/me/settings")).json() == changed.json()


async def test_quiet_hours_are_the_default_ones_ones_own_or_off(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        own = {"from": "23:30", "until": "06:00"}
        for change, hours, mode in (
            ({"quiet_hours": own}, own, "own"),
            ({"language": "ko"}, own, "own"),
            ({"quiet_hours": None}, None, "off"),
            ({"quiet_mode": "default"}, {"from": "22:00", "until": "07:00"}, "default"),
        ):
            answer = (await browser.patch("/v1/me/settings", json=change)).json()
            assert (answer["quiet_hours"], answer["quiet_mode"]) == (hours, mode)
            assert (await browser.get("/v1/me/settings")).json() == answer
        both = {"quiet_hours": None, "quiet_mode": "default"}
        assert (await browser.patch("/v1/me/settings", json=both)).status_code == 422
        unknown = {"quiet_mode": "own"}
        assert (await browser.patch("/v1/me/settings", json=unknown)).status_code == 422


async def test_domains_of_two_browsers_do_not_undo_each_other(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        async with db.transaction() as tx:
            await accounts.change_domains(tx, ada.id, add=["https://Bank.example/login"], remove=[])
            change = browser.patch("/v1/me/excluded-domains", json={"add": ["clinic.example"]})
            other = asyncio.ensure_future(change)
            await asyncio.sleep(0.5)  # it would have read the list by now, if it did not wait
        assert (await other).json()["excluded_domains"] == ["bank.example", "clinic.example"]
        assert (await browser.get("/v1/me/settings")).json() == (await other).json()


async def test_domains_are_added_and_removed_by_any_spelling(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:

        async def change(**asked: list[str]) -> object:
            answer = await browser.patch("/v1/me/excluded-domains", json=asked)
            return answer.json()["excluded_domains"]

        assert await change(add=["Bank.example", "은행.kr"]) == ["bank.example", "xn--zs5b84x.kr"]
        assert await change(remove=["*.은행.kr", "never.example"]) == ["bank.example"]
        assert await change(remove=["bank.example"], add=["bank.example"]) == ["bank.example"]
        assert await change() == ["bank.example"]


@pytest.mark.parametrize(
    "change",
    [
        {"add": ["clinic.example", "not a domain"]},
        {"remove": ["bank.example", "not a domain"]},
        {"add": [f"d{n}.example" for n in range(1000)]},
        {"add": ["x" * 301]},
        {"excluded_domains": []},
    ],
)
async def test_domains_that_cannot_be_are_refused_and_nothing_changes(
    db: Database, change: dict[str, Any]
) -> None:
    async with browser_of(db, await add(db)) as browser:
        await browser.patch("/v1/me/excluded-domains", json={"add": ["bank.example"]})
        refused = await browser.patch("/v1/me/excluded-domains", json=change)
        assert refused.status_code == 422
        kept = (await browser.get("/v1/me/settings")).json()["excluded_domains"]
        assert kept == ["bank.example"]


async def test_a_zone_that_was_only_supposed_gives_way_to_the_browsers(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        await browser.patch("/v1/me/settings", json={"language": "ko"})
        body = {"email": "ada@example.org", "password": PASSWORD, "timezone": "Europe/Berlin"}
        me = (await browser.post("/v1/auth/sign-in", json=body)).json()
        assert me["settings"]["timezone"] == "Europe/Berlin"


@pytest.mark.parametrize(
    "change",
    [
        {"timezone": "Mars/Base"},
        {"timezone": "../../etc/passwd"},
        {"language": "xx"},
        {"excluded_domains": ["not a domain"]},
        {"excluded_domains": [f"d{n}.example" for n in range(1001)]},
        {"quiet_hours": {"from": "25:00", "until": "07:00"}},
        {"quiet_hours": {"from": "22:00"}},
        {"email_notification": "perhaps"},
        {"plan": "pro"},
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_changes(
    db: Database, change: dict[str, Any]
) -> None:
    async with browser_of(db, await add(db)) as browser:
        before = (await browser.get("/v1/me/settings")).json()
        refused = await browser.patch(
            "/v1/me/settings", json={"email_notification": False} | change
        )
        assert refused.status_code == 422
        assert (await browser.get("/v1/me/settings")).json() == before


async def test_an_extension_may_read_the_settings_and_not_change_them(db: Database) -> None:
    headers = {"Authorization": f"Bearer {await token_of(db, await add(db), Scope.EXTENSION)}"}
    async with client_of(db) as client:
        assert (await client.get("/v1/me/settings", headers=headers)).status_code == 200
        changed = await client.patch("/v1/me/settings", json={}, headers=headers)
        assert changed.status_code == 403


@given(st.times(), st.times(), st.times())
def test_quiet_hours_and_their_complement_divide_the_day(at: time, start: time, end: time) -> None:
    def hours(quiet_from: time, quiet_until: time) -> Preferences:
        return Preferences(True, [], "UTC", "en", quiet_from, quiet_until, True)

    if start != end:
        assert is_quiet(hours(start, end), at) != is_quiet(hours(end, start), at)
    assert is_quiet(hours(start, end), end) is False
    assert is_quiet(Preferences(True, [], "UTC", "en", None, None, True), at) is False


async def test_somebody_invited_gets_the_language_of_their_first_browser(db: Database) -> None:
    """And keeps it in the next one, which speaks another."""
    person = await add(db)
    for language in ("ko", "en"):
        async with client_of(db) as client:
            body = {
                "email": person.email,
                "password": PASSWORD,
                "timezone": "Europe/Berlin",
                "language": language,
            }
            signed_in = (await client.post("/v1/auth/sign-in", json=body)).json()
        assert signed_in["settings"]["language"] == "ko"
        assert signed_in["settings"]["timezone"] == "Europe/Berlin"
