"""Cookies, origins and other sites; and how often anybody may try."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest
from pwdlib.hashers.argon2 import Argon2Hasher

from mindhit.accounts import Scope
from mindhit.accounts.sign_in import limits
from mindhit.accounts.sign_in.limits import Limit
from mindhit.db import Database, Tx
from mindhit.errors import TooMany
from tests import servers
from tests.accounts.kit import (
    PASSWORD,
    add,
    add_owner,
    browser_of,
    client_of,
    cookie_of,
    pass_time,
    settings,
    token_of,
)

BODY = {"email": "ada@example.org", "password": PASSWORD}


async def signed_in(client: httpx2.AsyncClient, **headers: str) -> httpx2.Response:
    return await client.post("/v1/auth/sign-in", json=BODY, headers=headers)


def flags(answer: httpx2.Response) -> tuple[str, set[str]]:
    name, *rest = answer.headers["set-cookie"].split("; ")
    return name.partition("=")[0], {each.lower() for each in rest}


async def test_the_cookie_on_a_plain_network_is_usable_there(db: Database) -> None:
    await add(db)
    lan = "http://192.0.2.5:8787"
    async with client_of(db, settings(base_url=None), url=lan) as client:
        name, said = flags(await signed_in(client))
        assert name == "mindhit"
        assert {"httponly", "samesite=lax", "path=/"} <= said
        assert "secure" not in said
        assert (await client.get("/v1/me")).status_code == 200
        assert (await client.post("/v1/me/verify")).status_code == 202


@pytest.mark.parametrize(
    ("base_url", "url"),
    [
        (None, "https://mind.example"),  # the proxy says so (X-Forwarded-Proto)
        ("https://mind.example", "http://mind.example"),  # the proxy says nothing
    ],
)
async def test_the_cookie_behind_tls_is_secure_and_bound_to_the_host(
    db: Database, base_url: str | None, url: str
) -> None:
    await add(db)
    origin = "https://mind.example"
    async with client_of(db, settings(base_url=base_url), url=url, Origin=origin) as client:
        answer = await signed_in(client)
        name, said = flags(answer)
        assert name == "__Host-mindhit"
        assert {"secure", "httponly", "samesite=lax", "path=/"} <= said
        assert not any(each.startswith("domain") for each in said)
        value = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    async with client_of(db, settings(base_url=base_url), url=url, Origin=origin) as client:
        # The same value under the name for plain connections, which anybody could set, is none.
        plain = await client.get("/v1/me", headers={"Cookie": f"mindhit={value}"})
        assert plain.status_code == 401
        right = await client.get("/v1/me", headers={"Cookie": f"__Host-mindhit={value}"})
        assert right.status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://mindhit.test.evil.example",
        "http://evil-mindhit.test",
        "http://mindhit.test:81",
        "null",
        "",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    ],
)
async def test_other_sites_cannot_act_with_our_cookie(db: Database, origin: str) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        foreign = {"Origin": origin}
        for method, path, body in (
            ("PATCH", "/v1/me/settings", {"language": "ko"}),
            ("POST", "/v1/me/erase", {"email": "ada@example.org", "password": PASSWORD}),
            ("POST", "/v1/tokens", {"name": "x", "scopes": ["api"]}),
            ("POST", "/v1/auth/sign-in", BODY),  # nor sign somebody in as somebody else
            ("POST", "/v1/auth/sign-out", None),
        ):
            answer = await browser.request(method, path, json=body, headers=foreign)
            assert answer.status_code == 403, path
            assert "set-cookie" not in answer.headers
        me = (await browser.get("/v1/me")).json()
        assert me["settings"]["language"] == "en"


async def test_behind_tls_a_plain_origin_is_foreign(db: Database) -> None:
    """Somebody on the wire can speak for http:// pages of the host, not for https:// ones."""
    ada = await add(db)
    url = "https://mind.example"
    async with client_of(db, settings(base_url=None), url=url) as client:
        cookie = {"Cookie": f"__Host-mindhit={await cookie_of(db, ada)}"}
        for origin, status in (("http://mind.example", 403), (url, 202)):
            headers = {**cookie, "Origin": origin}
            assert (await client.post("/v1/me/verify", headers=headers)).status_code == status


@pytest.mark.parametrize("base_url", ["https://Mind.Example", "https://mind.example:443/"])
async def test_a_base_url_is_read_as_browsers_write_it(db: Database, base_url: str) -> None:
    await add(db)
    config = settings(base_url=base_url)
    assert config.public_url == "https://mind.example"
    url, origin = "http://mind.example", "https://mind.example"
    async with client_of(db, config, url=url, Origin=origin) as client:
        assert flags(await signed_in(client))[0] == "__Host-mindhit"


async def test_figures_are_for_this_machine_and_the_owner(db: Database) -> None:
    owner, ada = await add_owner(db), await add(db)
    async with browser_of(db, owner) as browser:
        assert (await browser.get("/metrics")).status_code == 200
    async with browser_of(db, ada) as browser:
        assert (await browser.get("/metrics")).status_code == 403
    async with client_of(db) as client:
        assert (await client.get("/metrics")).status_code == 403
        for scope, status in ((Scope.ADMIN, 200), (Scope.API, 403)):
            headers = {"Authorization": f"Bearer {await token_of(db, owner, scope)}"}
            assert (await client.get("/metrics", headers=headers)).status_code == status
    async with client_of(db, address="127.0.0.1") as client:
        assert (await client.get("/metrics")).status_code == 200


async def test_an_old_hash_costs_what_hashes_cost_today(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add(db)  # with one pass
    asked: list[str] = []
    verify = Argon2Hasher.verify

    def noting(self: Argon2Hasher, password: str, known: str) -> bool:
        asked.append(known.split("$")[3])
        return verify(self, password, known)

    monkeypatch.setattr(Argon2Hasher, "verify", noting)
    async with client_of(db, settings(password_rounds=2)) as client:
        wrong = {**BODY, "password": "not hers at all"}
        await client.post("/v1/auth/sign-in", json=wrong)
    assert asked == ["m=8192,t=1,p=4", "m=8192,t=2,p=4"]


async def test_without_an_origin_only_fetch_metadata_can_vouch(db: Database) -> None:
    ada = await add(db)
    cookie = {"Cookie": f"mindhit={await cookie_of(db, ada)}"}
    async with client_of(db) as client:
        del client.headers["origin"]
        for site, status in ((None, 403), ("cross-site", 403), ("none", 403), ("same-origin", 202)):
            headers = {**cookie, **({"Sec-Fetch-Site": site} if site else {})}
            answer = await client.post("/v1/me/verify", headers=headers)
            assert answer.status_code == status, site


async def test_tokens_need_no_origin_and_work_from_anywhere(db: Database) -> None:
    ada = await add(db)
    headers = {
        "Authorization": f"Bearer {await token_of(db, ada, Scope.API)}",
        "Origin": "https://elsewhere.example",
    }
    async with client_of(db) as client:
        changed = await client.patch("/v1/me/settings", json={"language": "ko"}, headers=headers)
        assert changed.status_code == 200


async def test_a_cookie_that_was_planted_is_not_taken_over(db: Database) -> None:
    """Session fixation: signing in makes a new key, and the one before is void."""
    ada = await add(db)
    mallory = await add(db, "mallory@example.org")
    planted = await cookie_of(db, mallory)
    async with client_of(db) as client:
        client.cookies.set("mindhit", planted)
        answer = await signed_in(client)
        assert answer.status_code == 200
        assert planted not in answer.headers["set-cookie"]
    async with client_of(db) as client:
        me = await client.get("/v1/me", headers={"Cookie": f"mindhit={planted}"})
        assert me.status_code == 401  # and with it went whoever had planted it
    made_up = "mh_web_" + "A" * 43 + "12345678"
    async with client_of(db) as client:
        client.cookies.set("mindhit", made_up)
        answer = await signed_in(client)
        assert made_up not in answer.headers["set-cookie"]
    del ada


async def test_an_account_and_an_address_are_guarded_against_each_other(db: Database) -> None:
    await add(db)
    async with client_of(db, settings(sign_in_limit=1)) as client:
        wrong = {**BODY, "password": "not hers at all"}
        told = [(await client.post("/v1/auth/sign-in", json=wrong)).status_code for _ in range(12)]
        assert told == [401] * 10 + [429] * 2
        refused = await signed_in(client)  # not even with the right one, from here
        assert refused.status_code == 429
        assert refused.json()["type"].endswith(":too-many-attempts")
        assert 80 <= int(refused.headers["retry-after"]) <= 90
        others = [
            (
                await client.post(
                    "/v1/auth/sign-in", json={**wrong, "email": f"nobody{n}@example.org"}
                )
            ).status_code
            for n in range(60)
        ]
        assert others.count(401) == 60 - 13  # what was refused above came from this address too
        assert others[-1] == 429
    async with client_of(db, settings(sign_in_limit=1), address="198.51.100.9") as elsewhere:
        assert (await signed_in(elsewhere)).status_code == 200  # nobody is locked out from afar


async def test_an_account_is_guarded_against_many_addresses(db: Database) -> None:
    await add(db)
    wrong = {**BODY, "password": "not hers at all"}
    told = []
    for host in range(60):
        config = settings(sign_in_limit=1)
        async with client_of(db, config, address=f"198.51.100.{host}") as client:
            told.append((await client.post("/v1/auth/sign-in", json=wrong)).status_code)
    assert told == [401] * 50 + [429] * 10


async def test_a_household_with_ipv6_is_one_party(db: Database) -> None:
    told = []
    for host in range(1, 70):
        config = settings(sign_in_limit=1)
        async with client_of(db, config, address=f"2001:db8::{host:x}") as client:
            body = {**BODY, "email": f"nobody{host}@example.org"}
            told.append((await client.post("/v1/auth/sign-in", json=body)).status_code)
    assert told == [401] * 60 + [429] * 9


async def test_the_right_password_clears_an_accounts_count(db: Database) -> None:
    await add(db)
    async with client_of(db, settings(sign_in_limit=1)) as client:
        wrong = {**BODY, "password": "not hers at all"}
        for _ in range(3):
            for _ in range(8):
                assert (await client.post("/v1/auth/sign-in", json=wrong)).status_code == 401
            assert (await signed_in(client)).status_code == 200


async def test_tries_are_not_saved_up_beyond_the_limit(db: Database) -> None:
    """However long nobody tried: as many at once as the limit says, and no more."""
    limit = Limit("tries", calls=3, per_s=90)
    await limits.spend(db, limit, "ada")
    await pass_time(db, hours=10)
    for _ in range(3):
        await limits.spend(db, limit, "ada")
    with pytest.raises(TooMany):
        await limits.spend(db, limit, "ada")
    await pass_time(db, seconds=31)
    await limits.spend(db, limit, "ada")
    with pytest.raises(TooMany):
        await limits.spend(db, limit, "ada")


async def test_links_and_mails_are_limited_too(db: Database) -> None:
    await add(db)
    async with client_of(db, settings(sign_in_limit=1, sign_up="open")) as client:
        asked = [
            (await client.post("/v1/auth/reset", json={"email": "ada@example.org"})).status_code
            for _ in range(5)
        ]
        assert asked == [202, 202, 202, 429, 429]
        tried = [
            (await client.post("/v1/auth/confirm", json={"token": f"mh_link_{n}"})).status_code
            for n in range(61)
        ]
        assert (tried[0], tried[-1]) == (403, 429)


@pytest.mark.parametrize(
    ("path", "body", "calls"),
    [
        ("/v1/auth/owner", {"token": "mh_link_x", "email": "a@b.cd", "password": PASSWORD}, 60),
        ("/v1/auth/reset/confirm", {"token": "mh_link_x", "password": PASSWORD}, 60),
        ("/v1/connect", {"name": "x"}, 60),
        ("/v1/connect/BCDF-GHJK", {"decision": "approve"}, 60),
        ("/v1/me/verify", None, 3),
        ("/v1/me/email", {"email": "new@example.org", "password": PASSWORD}, 3),
        ("/v1/me/password", {"current": "wrong on purpose", "new": PASSWORD}, 10),
        ("/v1/me/erase", {"email": "ada@example.org", "password": "wrong on purpose"}, 10),
    ],
)
async def test_every_credential_route_has_its_limit(
    db: Database, path: str, body: dict[str, str] | None, calls: int
) -> None:
    ada = await add(db)
    async with browser_of(db, ada, settings(sign_in_limit=1)) as browser:
        told = [(await browser.post(path, json=body)).status_code for _ in range(calls + 1)]
    assert 429 not in told[:calls]
    assert told[-1] == 429


async def test_refreshing_and_polling_have_their_limits(db: Database) -> None:
    async with client_of(db, settings(sign_in_limit=0.01)) as client:  # a hundredth of 600 and 1200
        for path, body, calls in (
            ("/v1/auth/refresh", {"refresh_token": "mh_rt_x"}, 6),
            ("/v1/connect/poll", {"device_code": "mh_dc_x"}, 12),
        ):
            told = [(await client.post(path, json=body)).status_code for _ in range(calls + 1)]
            assert 429 not in told[:calls], path
            assert told[-1] == 429, path


def test_limits_hold_across_processes(tmp_path: Path, database_url: str) -> None:
    common = {"password_memory": 8, "password_rounds": 1, "rate_limit": 0}
    with (
        servers.api(tmp_path / "one.log", database_url, **common) as one,
        servers.api(tmp_path / "two.log", database_url, **common) as two,
    ):
        told = []
        for number in range(14):
            url = (one, two)[number % 2]
            answer = httpx2.post(
                f"{url}/v1/auth/sign-in", json=BODY, headers={"Origin": url}, timeout=30
            )
            told.append(answer.status_code)
    assert told == [401] * 10 + [429] * 4


async def test_known_and_unknown_addresses_cost_the_same(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted as work, not as time (bench/sign_in.py has the time): one hash, one set of statements."""
    await add(db)
    done: list[str] = []
    verify, alone, run = Argon2Hasher.verify, Database.alone, Tx.run

    def counted_verify(self: Argon2Hasher, password: str, known: str) -> bool:
        done.append("hash")
        return verify(self, password, known)

    async def counted_alone(self: Database, statement: Any, *values: object, **more: Any) -> Any:
        done.append(statement.sql)
        return await alone(self, statement, *values, **more)

    async def counted_run(self: Tx, statement: Any, *values: object) -> int:
        done.append(statement.sql)
        return await run(self, statement, *values)

    monkeypatch.setattr(Argon2Hasher, "verify", counted_verify)
    monkeypatch.setattr(Database, "alone", counted_alone)
    monkeypatch.setattr(Tx, "run", counted_run)
    costs = []
    async with client_of(db, settings(sign_in_limit=1)) as client:
        for email in ("ada@example.org", "nobody@example.org"):
            body = {"email": email, "password": "not the right one"}
            assert (await client.post("/v1/auth/sign-in", json=body)).status_code == 401
            costs.append(done[:])
            done.clear()
    assert costs[0] == costs[1]
    assert costs[0].count("hash") == 1


async def test_the_owner_has_the_queue_and_others_have_not(db: Database) -> None:
    owner, ada = await add_owner(db), await add(db)
    paths = ("/v1/jobs", "/v1/queues", "/v1/admin/users", "/v1/admin/mails")
    async with browser_of(db, owner) as browser:
        assert [(await browser.get(path)).status_code for path in paths] == [200] * 4
    async with browser_of(db, ada) as browser:
        assert [(await browser.get(path)).status_code for path in paths] == [403] * 4
    async with client_of(db) as client:
        for person, scope, status in (
            (owner, Scope.ADMIN, 200),
            (owner, Scope.API, 403),
            (owner, Scope.EXTENSION, 403),
            (ada, Scope.ADMIN, 403),  # made by hand in the database: still not the owner
        ):
            headers = {"Authorization": f"Bearer {await token_of(db, person, scope)}"}
            told = {(await client.get(path, headers=headers)).status_code for path in paths}
            assert told == {status}, scope
