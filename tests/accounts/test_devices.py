"""Devices: connected, refreshed, stolen from, revoked; and the codes that connect extensions."""

from __future__ import annotations

import asyncio

import httpx2
import pytest

from mindhit.accounts import Scope
from mindhit.db import Database
from tests.accounts.kit import (
    URL,
    Json,
    add,
    add_owner,
    browser_of,
    client_of,
    connected,
    pass_time,
    poll,
    start,
    token_of,
)


def bearer(tokens: Json) -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens['access_token']}"}


async def refresh(client: httpx2.AsyncClient, tokens: Json) -> httpx2.Response:
    return await client.post("/v1/auth/refresh", json={"refresh_token": tokens["refresh_token"]})


async def test_a_person_approves_an_extension(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        started = await start(extension)
        assert started["url"] == f"{URL}/connect#{started['user_code']}"
        assert (await poll(extension, started))["status"] == "pending"
        seen = (await browser.get(f"/v1/connect/{started['user_code'].lower()}")).json()
        assert (seen["name"], seen["address"]) == ("Chrome on Linux", "203.0.113.7")
        await browser.post(f"/v1/connect/{started['user_code']}", json={"decision": "approve"})
        polled = await poll(extension, started)
        me = (await extension.get("/v1/me", headers=bearer(polled["tokens"]))).json()
        assert (me["email"], me["device"]["kind"]) == ("ada@example.org", "extension")
        listed = (await browser.get("/v1/devices")).json()["items"]
        assert [(d["kind"], d["is_current"]) for d in listed] == [
            ("web", True),
            ("extension", False),
        ]


async def test_a_code_is_decided_once_and_by_a_signed_in_person(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        started = await start(extension)
        path = f"/v1/connect/{started['user_code']}"
        assert (await extension.get(path)).status_code == 401
        assert (await extension.post(path, json={"decision": "approve"})).status_code == 401
        assert (await browser.post(path, json={"decision": "deny"})).status_code == 204
        assert (await browser.post(path, json={"decision": "approve"})).status_code == 404
        assert (await browser.get(path)).status_code == 404
        assert await poll(extension, started) == {"status": "denied", "tokens": None}
        assert (await browser.get("/v1/connect/nonsense")).status_code == 404


async def test_a_code_is_good_for_ten_minutes(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        started = await start(extension)
        await pass_time(db, minutes=10.1)
        path = f"/v1/connect/{started['user_code']}"
        assert (await browser.get(path)).status_code == 404
        assert (await browser.post(path, json={"decision": "approve"})).status_code == 404
        assert (await poll(extension, started))["status"] == "expired"
        made_up = {"device_code": "mh_dc_made-up"}
        assert (await poll(extension, made_up))["status"] == "expired"


async def test_tokens_whose_answer_was_lost_can_be_fetched_again_for_moments(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        started = await start(extension)
        await browser.post(f"/v1/connect/{started['user_code']}", json={"decision": "approve"})
        lost = (await poll(extension, started))["tokens"]
        kept = (await poll(extension, started))["tokens"]
        assert (await extension.get("/v1/me", headers=bearer(lost))).status_code == 401
        assert (await extension.get("/v1/me", headers=bearer(kept))).status_code == 200
        devices = (await browser.get("/v1/devices")).json()["items"]
        assert [d["kind"] for d in devices] == ["web", "extension"]
        await pass_time(db, seconds=31)
        assert (await poll(extension, started))["status"] == "expired"
        assert (await extension.get("/v1/me", headers=bearer(kept))).status_code == 200


async def test_fetching_them_again_does_not_prolong_those_moments(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        started = await start(extension)
        await browser.post(f"/v1/connect/{started['user_code']}", json={"decision": "approve"})
        assert (await poll(extension, started))["status"] == "connected"
        await pass_time(db, seconds=20)
        assert (await poll(extension, started))["status"] == "connected"
        await pass_time(db, seconds=20)
        assert (await poll(extension, started))["status"] == "expired"


async def test_a_revoked_extension_cannot_reconnect_by_itself(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        started = await start(extension)
        await browser.post(f"/v1/connect/{started['user_code']}", json={"decision": "approve"})
        await poll(extension, started)
        [device] = [
            d for d in (await browser.get("/v1/devices")).json()["items"] if not d["is_current"]
        ]
        assert (await browser.delete(f"/v1/devices/{device['id']}")).status_code == 204
        assert (await poll(extension, started))["status"] == "expired"


@pytest.mark.parametrize("name", ["two\nlines", "turned \u202e round", "a\u2028b", "c\u0085d", " "])
async def test_a_name_that_could_deceive_is_refused(db: Database, name: str) -> None:
    async with client_of(db) as extension:
        assert (await extension.post("/v1/connect", json={"name": name})).status_code == 422


async def test_an_access_token_lasts_an_hour(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        tokens = await connected(db, browser)
        await pass_time(db, minutes=59)
        assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 200
        await pass_time(db, minutes=2)
        assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 401
        tokens = (await refresh(extension, tokens)).json()
        assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 200


async def test_a_stolen_refresh_token_used_twice_revokes_its_family(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        first = await connected(db, browser)
        second = (await refresh(extension, first)).json()
        assert (await extension.get("/v1/me", headers=bearer(second))).status_code == 200
        await pass_time(db, seconds=31)
        assert (await refresh(extension, first)).status_code == 401
        # Whoever of the two was the thief: both are out, at once.
        assert (await extension.get("/v1/me", headers=bearer(second))).status_code == 401
        assert (await refresh(extension, second)).status_code == 401
        events = (await browser.get("/v1/me/events")).json()["items"]
        assert events[0]["event"] == "token_reused"
        assert [d["kind"] for d in (await browser.get("/v1/devices")).json()["items"]] == ["web"]


async def test_a_thief_inside_the_grace_is_found_out_at_the_next_refresh(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        first = await connected(db, browser)
        thiefs = (await refresh(extension, first)).json()
        owners = (await refresh(extension, first)).json()
        await pass_time(db, hours=1)
        owners = (await refresh(extension, owners)).json()
        assert (await extension.get("/v1/me", headers=bearer(owners))).status_code == 200
        await pass_time(db, minutes=1)
        assert (await refresh(extension, thiefs)).status_code == 401
        events = (await browser.get("/v1/me/events")).json()["items"]
        assert events[0]["event"] == "token_reused"


async def test_the_answer_to_a_refresh_may_be_lost(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        tokens = await connected(db, browser)
        for _ in range(5):
            await refresh(extension, tokens)  # and the service worker is killed
            await pass_time(db, seconds=20)
            again = await refresh(extension, tokens)
            assert again.status_code == 200
            tokens = again.json()
            await pass_time(db, hours=1)


async def test_the_answer_to_a_refresh_may_be_lost_and_the_laptop_be_closed(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        tokens = await connected(db, browser)
        for _ in range(3):
            for _ in range(3):
                await refresh(extension, tokens)  # and the lid is closed
                await pass_time(db, hours=9)
            again = await refresh(extension, tokens)
            assert again.status_code == 200
            before, tokens = tokens, again.json()
            assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 200
            await pass_time(db, hours=9)
        assert (await refresh(extension, before)).status_code == 401


async def test_using_an_older_token_does_not_count_as_using_the_new_one(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        tokens = await connected(db, browser)
        await refresh(extension, tokens)  # the answer is lost; what is under way goes on
        assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 200
        await pass_time(db, minutes=1)
        assert (await refresh(extension, tokens)).status_code == 200


async def test_refreshes_at_the_same_moment_both_succeed(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        tokens = await connected(db, browser)
        answers = await asyncio.gather(*(refresh(extension, tokens) for _ in range(6)))
        assert [each.status_code for each in answers] == [200] * 6
        assert (await refresh(extension, answers[3].json())).status_code == 200


async def test_an_extension_stays_signed_in_for_90_days_and_more(db: Database) -> None:
    """Used every few days, once left alone for 89, with an answer lost here and there."""
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        tokens = await connected(db, browser)
        for number in range(30):
            await pass_time(db, days=3)
            if number % 7 == 0:
                await refresh(extension, tokens)
            answer = await refresh(extension, tokens)
            assert answer.status_code == 200, number
            tokens = answer.json()
            assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 200
        await pass_time(db, days=89)
        tokens = (await refresh(extension, tokens)).json()
        assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 200
        await pass_time(db, days=91)
        assert (await refresh(extension, tokens)).status_code == 401


async def test_a_revoked_device_is_out_with_its_next_request(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        tokens = await connected(db, browser)
        assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 200
        [device] = [
            d for d in (await browser.get("/v1/devices")).json()["items"] if not d["is_current"]
        ]
        assert (await browser.delete(f"/v1/devices/{device['id']}")).status_code == 204
        assert (await extension.get("/v1/me", headers=bearer(tokens))).status_code == 401
        assert (await refresh(extension, tokens)).status_code == 401
        assert (await browser.delete(f"/v1/devices/{device['id']}")).status_code == 404


async def test_a_token_for_a_program_is_shown_once_and_runs_out(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as program:
        asked = {"name": "my script", "scopes": ["api"], "expires_in_days": 7}
        made = (await browser.post("/v1/tokens", json=asked)).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        assert (await program.get("/v1/me", headers=headers)).status_code == 200
        assert made["token"] not in (await browser.get("/v1/devices")).text
        await pass_time(db, days=7.01)
        assert (await program.get("/v1/me", headers=headers)).status_code == 401


async def test_using_a_token_does_not_prolong_it_as_using_a_browser_does(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as program:
        asked = {"name": "my script", "scopes": ["api"], "expires_in_days": 40}
        made = (await browser.post("/v1/tokens", json=asked)).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        for _ in range(2):
            await pass_time(db, days=19)
            assert (await program.get("/v1/me", headers=headers)).status_code == 200
            assert (await browser.get("/v1/me")).status_code == 200
        await pass_time(db, days=3)
        assert (await program.get("/v1/me", headers=headers)).status_code == 401
        assert (await browser.get("/v1/me")).status_code == 200


async def test_only_the_owner_makes_admin_tokens(db: Database) -> None:
    asked = {"name": "watch", "scopes": ["admin"]}
    async with browser_of(db, await add(db)) as browser:
        assert (await browser.post("/v1/tokens", json=asked)).status_code == 403
    async with browser_of(db, await add_owner(db)) as browser:
        assert (await browser.post("/v1/tokens", json=asked)).status_code == 201


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "mh_at_",
        "mh_api_" + "A" * 43 + "00000000",
        "mh_api_\u00e9",
        "Basic abc",
    ],
)
async def test_what_is_no_token_is_refused(db: Database, token: str) -> None:
    async with client_of(db) as client:
        headers = [(b"authorization", b"Bearer " + token.encode("latin-1"))]
        answer = await client.get("/v1/me", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_refresh_token_opens_nothing_and_an_access_token_refreshes_nothing(
    db: Database,
) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, client_of(db) as extension:
        tokens = await connected(db, browser)
        wrong = {"Authorization": f"Bearer {tokens['refresh_token']}"}
        assert (await extension.get("/v1/me", headers=wrong)).status_code == 401
        mixed = {"refresh_token": tokens["access_token"]}
        assert (await extension.post("/v1/auth/refresh", json=mixed)).status_code == 401
        assert (await refresh(extension, tokens)).status_code == 200


async def test_nothing_that_is_kept_opens_anything(db: Database) -> None:
    """What a copy of the database would show is no key."""
    ada = await add(db)
    secret = await token_of(db, ada, Scope.API)
    async with browser_of(db, ada) as browser:
        tokens = await connected(db, browser)
        cookie = browser.cookies["mindhit"]
    async with db.read() as tx:
        text = await tx._connection.fetchval(
            "select string_agg(t::text, ' ') from (select tokens::text from tokens"
            " union all select devices::text from devices) as x(t)"
        )
    for each in (secret, cookie, tokens["access_token"], tokens["refresh_token"]):
        assert each not in text
        assert each.encode().hex() not in text
