"""The ways in and out, as a browser goes them."""

from __future__ import annotations

import asyncio

import httpx2
import pytest

from mindhit import accounts
from mindhit.accounts import Scope, store
from mindhit.accounts.job_types import Sweep
from mindhit.db import Database
from mindhit.work import enqueue
from tests.accounts.kit import (
    OWNER,
    PASSWORD,
    URL,
    add,
    add_owner,
    browser_of,
    client_of,
    connected,
    cookie_of,
    mails,
    newest_link,
    pass_time,
    poll,
    rows,
    run_jobs,
    settings,
    start,
    token_of,
)

NEW = "another horse entirely"


async def owner_link(db: Database) -> str:
    async with db.transaction() as tx:
        link = await accounts.make_owner_link(tx, settings())
    assert link is not None
    assert link.startswith(f"{URL}/welcome#")
    return link.partition("#")[2]


def claim(token: str, email: str = OWNER) -> dict[str, str]:
    return {"token": token, "email": email, "password": PASSWORD, "timezone": "Europe/Berlin"}


async def test_the_first_person_becomes_the_owner_by_the_link(db: Database) -> None:
    token = await owner_link(db)
    async with client_of(db) as client:
        assert (await client.get("/v1/auth")).json()["has_owner"] is False
        answer = await client.post("/v1/auth/owner", json=claim(token))
        assert answer.status_code == 201
        me = (await client.get("/v1/me")).json()
        assert (me["email"], me["role"]) == (OWNER, "owner")
        assert me["settings"]["timezone"] == "Europe/Berlin"
        assert (await client.get("/v1/auth")).json()["has_owner"] is True
    async with db.transaction() as tx:
        assert await accounts.make_owner_link(tx, settings()) is None


async def test_of_two_owners_at_once_there_is_one(db: Database) -> None:
    tokens = [await owner_link(db) for _ in range(4)]
    async with client_of(db) as client:
        answers = await asyncio.gather(
            *(
                client.post("/v1/auth/owner", json=claim(token, f"owner{n}@example.org"))
                for n, token in enumerate(tokens)
            )
        )
    assert sorted(each.status_code for each in answers) == [201, 409, 409, 409]


async def test_an_owner_link_works_once_and_for_a_day(db: Database) -> None:
    token = await owner_link(db)
    await pass_time(db, days=1.01)
    async with client_of(db) as client:
        assert (await client.post("/v1/auth/owner", json=claim(token))).status_code == 403
        fresh = await owner_link(db)
        assert (await client.post("/v1/auth/owner", json=claim(fresh))).status_code == 201
        assert (await client.post("/v1/auth/owner", json=claim(fresh))).status_code == 409


async def test_a_weak_password_leaves_the_owner_link_good(db: Database) -> None:
    token = await owner_link(db)
    async with client_of(db) as client:
        for password in ("short", "aaaaaaaaaaaa", OWNER, "x" * 201):
            refused = await client.post(
                "/v1/auth/owner", json={**claim(token), "password": password}
            )
            assert refused.status_code == 422, password
        assert (await client.post("/v1/auth/owner", json=claim(token))).status_code == 201


async def test_signing_in_and_out(db: Database) -> None:
    await add(db)
    async with client_of(db) as client:
        assert (await client.get("/v1/me")).status_code == 401
        answer = await client.post(
            "/v1/auth/sign-in", json={"email": " Ada@Example.org ", "password": PASSWORD}
        )
        assert answer.status_code == 200
        assert answer.json()["email"] == "ada@example.org"
        assert (await client.get("/v1/me")).status_code == 200
        kept = dict(client.cookies)
        assert (await client.post("/v1/auth/sign-out")).status_code == 204
        assert dict(client.cookies) == {}
        client.cookies.update(kept)  # a copy of the cookie is of no use either
        assert (await client.get("/v1/me")).status_code == 401
        assert (await client.post("/v1/auth/sign-out")).status_code == 204


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("ada@example.org", "not the password"),
        ("nobody@example.org", PASSWORD),
        ("not an address", PASSWORD),
        ("", ""),
    ],
)
async def test_whatever_is_wrong_is_refused_in_the_same_words(
    db: Database, email: str, password: str
) -> None:
    await add(db)
    async with client_of(db) as client:
        answer = await client.post("/v1/auth/sign-in", json={"email": email, "password": password})
    assert answer.status_code == 401
    assert answer.json()["detail"] == "Wrong email address or password."
    assert "set-cookie" not in answer.headers


async def test_the_browsers_zone_counts_until_one_is_chosen(db: Database) -> None:
    await add(db)
    body = {"email": "ada@example.org", "password": PASSWORD}
    async with client_of(db) as client:
        me = (await client.post("/v1/auth/sign-in", json={**body, "timezone": "Mars/Base"})).json()
        assert me["settings"]["timezone"] == "Asia/Seoul"
        me = (
            await client.post("/v1/auth/sign-in", json={**body, "timezone": "Europe/Berlin"})
        ).json()
        assert me["settings"]["timezone"] == "Europe/Berlin"
        me = (await client.post("/v1/auth/sign-in", json={**body, "timezone": "Asia/Tokyo"})).json()
        assert me["settings"]["timezone"] == "Europe/Berlin"


async def test_an_old_hash_is_renewed_at_sign_in(db: Database) -> None:
    await add(db)  # with one pass
    stronger = settings(password_rounds=2)
    async with client_of(db, stronger) as client:
        body = {"email": "ada@example.org", "password": PASSWORD}
        assert (await client.post("/v1/auth/sign-in", json=body)).status_code == 200
        [known] = await db.alone(store.people.CREDENTIALS, "ada@example.org")
        assert "t=2" in (known.password_hash or "")
        assert (await client.post("/v1/auth/sign-in", json=body)).status_code == 200


async def test_sign_up_is_closed_until_it_is_opened(db: Database) -> None:
    body = {"email": "new@example.org", "password": PASSWORD}
    async with client_of(db) as client:
        assert (await client.get("/v1/auth")).json()["sign_up"] is False
        assert (await client.post("/v1/auth/sign-up", json=body)).status_code == 403
    async with client_of(db, settings(sign_up="open")) as client:
        assert (await client.get("/v1/auth")).json()["sign_up"] is True
        # Whatever password came along is not the account's: whoever opens the link chooses it.
        assert (await client.post("/v1/auth/sign-up", json=body)).status_code == 202
        page, token = await newest_link(db)
        assert page == "reset"
        assert (await client.post("/v1/auth/confirm", json={"token": token})).status_code == 403
        chosen = {"token": token, "password": NEW}
        assert (await client.post("/v1/auth/reset/confirm", json=chosen)).status_code == 204
        assert (await client.post("/v1/auth/reset/confirm", json=chosen)).status_code == 403
        assert (await client.post("/v1/auth/sign-in", json=body)).status_code == 401
        me = (await client.post("/v1/auth/sign-in", json={**body, "password": NEW})).json()
        assert (me["role"], me["verified"]) == ("user", True)
    assert await rows(db, "select from kept_mails") == []  # its link is used up


async def test_sign_up_and_reset_do_not_tell_whether_an_address_is_known(db: Database) -> None:
    await add(db)
    known, unknown = "ada@example.org", "nobody@example.org"
    async with client_of(db, settings(sign_up="open")) as client:
        for path in ("sign-up", "reset"):
            answers = [
                await client.post(f"/v1/auth/{path}", json={"email": email})
                for email in (known, unknown)
            ]
            told = [
                (
                    each.status_code,
                    each.content,
                    set(each.headers),
                )
                for each in answers
            ]
            assert told[0] == told[1]
    await run_jobs(db)
    written = [(each.recipient, each.subject) for each in await mails(db)]
    assert written == [
        (known, "MindHit: You already have an account"),
        (unknown, "MindHit: Confirm your email address"),
        (known, "MindHit: Reset your password"),
    ]
    async with client_of(db) as client:  # the sign-up with her address changed nothing
        body = {"email": known, "password": PASSWORD}
        assert (await client.post("/v1/auth/sign-in", json=body)).status_code == 200


async def test_a_reset_signs_out_everywhere_and_works_once(db: Database) -> None:
    ada = await add(db)
    program = await token_of(db, ada, Scope.API)
    async with browser_of(db, ada) as browser:
        extension = (await connected(db, browser))["access_token"]
    async with browser_of(db, ada) as browser, client_of(db) as client:
        assert (
            await client.post("/v1/auth/reset", json={"email": "ada@example.org"})
        ).status_code == 202
        page, token = await newest_link(db)
        assert page == "reset"
        weak = await client.post(
            "/v1/auth/reset/confirm", json={"token": token, "password": "short"}
        )
        assert weak.status_code == 422
        chosen = {"token": token, "password": NEW}
        assert (await client.post("/v1/auth/reset/confirm", json=chosen)).status_code == 204
        assert (await client.post("/v1/auth/reset/confirm", json=chosen)).status_code == 403
        assert (await browser.get("/v1/me")).status_code == 401
        for token in (program, extension):
            bearer = {"Authorization": f"Bearer {token}"}
            assert (await client.get("/v1/me", headers=bearer)).status_code == 401
        for password, status in ((PASSWORD, 401), (NEW, 200)):
            body = {"email": "ada@example.org", "password": password}
            assert (await client.post("/v1/auth/sign-in", json=body)).status_code == status


async def test_a_reset_link_lasts_an_hour(db: Database) -> None:
    await add(db)
    async with client_of(db) as client:
        await client.post("/v1/auth/reset", json={"email": "ada@example.org"})
        _, token = await newest_link(db)
        await pass_time(db, hours=1.01)
        chosen = {"token": token, "password": NEW}
        assert (await client.post("/v1/auth/reset/confirm", json=chosen)).status_code == 403


async def test_a_link_opens_only_what_it_was_made_for(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        await browser.post("/v1/me/verify")
        _, verify = await newest_link(db)
        chosen = {"token": verify, "password": NEW}
        assert (await browser.post("/v1/auth/reset/confirm", json=chosen)).status_code == 403
        assert (await browser.post("/v1/auth/owner", json=claim(verify))).status_code == 403
        assert (await browser.post("/v1/auth/confirm", json={"token": verify})).status_code == 200
        assert (await browser.get("/v1/me")).json()["verified"] is True


@pytest.mark.parametrize("how", ["reset", "change"])
async def test_a_new_password_ends_whatever_a_thief_had_under_way(db: Database, how: str) -> None:
    """A link to another address, asked for and not yet opened or not even written; an extension
    that was approved and has not fetched its tokens; a link to choose a password."""
    ada = await add(db)
    async with browser_of(db, ada) as browser, browser_of(db, ada) as thief, client_of(db) as c:
        moved = {"email": "thief@example.org", "password": PASSWORD}
        assert (await thief.post("/v1/me/email", json=moved)).status_code == 202
        _, written = await newest_link(db)
        assert (await thief.post("/v1/me/email", json=moved)).status_code == 202
        started = await start(c)
        approve = {"decision": "approve"}
        await thief.post(f"/v1/connect/{started['user_code']}", json=approve)
        await c.post("/v1/auth/reset", json={"email": "ada@example.org"})
        if how == "reset":
            _, token = await newest_link(db)  # this also writes the thief's second mail
            chosen = {"token": token, "password": NEW}
            assert (await c.post("/v1/auth/reset/confirm", json=chosen)).status_code == 204
        else:
            changed = {"current": PASSWORD, "new": NEW}
            assert (await browser.post("/v1/me/password", json=changed)).status_code == 204
            before = len(await mails(db))
            await run_jobs(db)
            late = [each.recipient for each in (await mails(db))[before:]]
            assert "thief@example.org" not in late  # his browser is out, and so is his wish
        assert (await c.post("/v1/auth/confirm", json={"token": written})).status_code == 403
        assert (await poll(c, started))["status"] == "expired"
        assert (await thief.get("/v1/me")).status_code == 401


async def test_the_former_address_is_notified(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        asked = {"email": "lovelace@example.org", "password": PASSWORD}
        await browser.post("/v1/me/email", json=asked)
        _, token = await newest_link(db)
        await browser.post("/v1/auth/reset", json={"email": "ada@example.org"})
        _, other = await newest_link(db)
        await browser.post("/v1/auth/confirm", json={"token": token})
        await run_jobs(db)
        told = (await mails(db))[-1]
        assert (told.recipient, told.subject) == (
            "ada@example.org",
            "MindHit: Your email address was changed",
        )
        # Links to the address that was are good for nothing any more.
        chosen = {"token": other, "password": NEW}
        assert (await browser.post("/v1/auth/reset/confirm", json=chosen)).status_code == 403


async def test_opening_one_link_uses_up_its_siblings(db: Database) -> None:
    await add(db)
    async with client_of(db) as client:
        await client.post("/v1/auth/reset", json={"email": "ada@example.org"})
        _, first = await newest_link(db)
        await client.post("/v1/auth/reset", json={"email": "ada@example.org"})
        _, second = await newest_link(db)
        for token, status in ((first, 204), (second, 403)):
            chosen = {"token": token, "password": NEW}
            answer = await client.post("/v1/auth/reset/confirm", json=chosen)
            assert answer.status_code == status


async def test_a_spare_owner_link_does_not_outlive_the_owner(db: Database) -> None:
    first, spare = await owner_link(db), await owner_link(db)
    async with client_of(db) as client:
        assert (await client.post("/v1/auth/owner", json=claim(first))).status_code == 201
        farewell = {"email": OWNER, "password": PASSWORD}
        assert (await client.post("/v1/me/erase", json=farewell)).status_code == 202
        await run_jobs(db)
        assert (await client.post("/v1/auth/owner", json=claim(spare))).status_code == 403


async def test_a_link_that_was_passed_on_by_hand_proves_no_address(db: Database) -> None:
    owner = await add_owner(db)
    async with browser_of(db, owner) as browser, client_of(db) as client:
        made = (await browser.post("/v1/admin/users", json={"email": "new@example.org"})).json()
        chosen = {"token": made["link"].partition("#")[2], "password": PASSWORD}
        await client.post("/v1/auth/reset/confirm", json=chosen)
        body = {"email": "new@example.org", "password": PASSWORD}
        assert (await client.post("/v1/auth/sign-in", json=body)).json()["verified"] is False


async def test_what_is_swept_out_is_over(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        tokens = await connected(db, browser)
        await pass_time(db, days=20)
        assert (await browser.get("/v1/me")).status_code == 200
        async with db.transaction() as tx:
            await enqueue(tx, Sweep())
        await run_jobs(db)
        assert (await browser.get("/v1/me")).status_code == 200
        refreshed = await browser.post(
            "/v1/auth/refresh", json={"refresh_token": tokens["refresh_token"]}
        )
        assert refreshed.status_code == 200


async def test_a_new_address_counts_when_its_link_is_opened(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        wrong = {"email": "lovelace@example.org", "password": "not hers at all"}
        assert (await browser.post("/v1/me/email", json=wrong)).status_code == 403
        right = {**wrong, "password": PASSWORD}
        assert (await browser.post("/v1/me/email", json=right)).status_code == 202
        _, token = await newest_link(db)
        assert (await mails(db))[-1].recipient == "lovelace@example.org"
        assert (await browser.get("/v1/me")).json()["email"] == "ada@example.org"
        confirmed = await browser.post("/v1/auth/confirm", json={"token": token})
        assert confirmed.json() == {"purpose": "email", "email": "lovelace@example.org"}
        assert (await browser.get("/v1/me")).json()["email"] == "lovelace@example.org"


async def test_a_new_address_that_somebody_has_is_refused_when_opened(db: Database) -> None:
    ada = await add(db)
    await add(db, "grace@example.org")
    async with browser_of(db, ada) as browser:
        asked = {"email": "Grace@Example.org", "password": PASSWORD}
        assert (await browser.post("/v1/me/email", json=asked)).status_code == 202
        _, token = await newest_link(db)
        assert (await browser.post("/v1/auth/confirm", json={"token": token})).status_code == 409
        assert (await browser.get("/v1/me")).json()["email"] == "ada@example.org"


async def test_a_changed_password_signs_out_the_other_browsers(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser, browser_of(db, ada) as other:
        wrong = {"current": "not hers at all", "new": NEW}
        assert (await browser.post("/v1/me/password", json=wrong)).status_code == 403
        right = {"current": PASSWORD, "new": NEW}
        assert (await browser.post("/v1/me/password", json=right)).status_code == 204
        assert (await browser.get("/v1/me")).status_code == 200
        assert (await other.get("/v1/me")).status_code == 401


async def test_where_passwords_are_off_nothing_takes_one(db: Database) -> None:
    ada = await add(db)
    config = settings(
        password_sign_in=False, sign_up="open", oidc_issuer="http://idp.test", oidc_client_id="x"
    )
    async with browser_of(db, ada, config) as browser:
        body = {"email": "ada@example.org", "password": PASSWORD}
        for path in ("sign-in", "sign-up", "reset"):
            assert (await browser.post(f"/v1/auth/{path}", json=body)).status_code == 403
        changed = {"current": PASSWORD, "new": NEW}
        assert (await browser.post("/v1/me/password", json=changed)).status_code == 403


async def test_a_browser_in_use_stays_signed_in_and_one_that_is_not_does_not(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        for _ in range(4):
            await pass_time(db, days=20)
            assert (await browser.get("/v1/me")).status_code == 200
        await pass_time(db, days=31)
        assert (await browser.get("/v1/me")).status_code == 401


async def test_the_owner_adds_a_person_who_chooses_a_password(db: Database) -> None:
    owner = await add_owner(db)
    async with browser_of(db, owner) as browser:
        made = await browser.post("/v1/admin/users", json={"email": "new@example.org"})
        assert made.status_code == 201
        assert (
            await browser.post("/v1/admin/users", json={"email": "NEW@example.org"})
        ).status_code == 409
        link = made.json()["link"]
        assert link.startswith(f"{URL}/reset#")
        assert made.json()["mailed"] is False
    async with client_of(db) as client:
        body = {"email": "new@example.org", "password": PASSWORD}
        assert (await client.post("/v1/auth/sign-in", json=body)).status_code == 401
        chosen = {"token": link.partition("#")[2], "password": PASSWORD}
        assert (await client.post("/v1/auth/reset/confirm", json=chosen)).status_code == 204
        assert (await client.post("/v1/auth/sign-in", json=body)).status_code == 200


async def test_events_tell_the_person_what_happened(db: Database) -> None:
    await add(db)
    async with client_of(db) as c:
        c.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140"
        body = {"email": "ada@example.org", "password": "not hers at all"}
        await c.post("/v1/auth/sign-in", json=body)
        await c.post("/v1/auth/sign-in", json={**body, "password": PASSWORD})
        page = (await c.get("/v1/me/events", params={"limit": 2})).json()
        assert [(e["event"], e["address"], e["device"]) for e in page["items"]] == [
            ("signed_in", "203.0.113.7", "Firefox on Linux"),
            ("sign_in_failed", "203.0.113.7", "Firefox on Linux"),
        ]
        rest = (await c.get("/v1/me/events", params={"cursor": page["next_cursor"]})).json()
        assert [e["event"] for e in rest["items"]] == ["account_created"]


async def test_a_cookie_of_another_name_or_sort_is_none(db: Database) -> None:
    ada = await add(db)
    program = await token_of(db, ada, Scope.API, Scope.EXTENSION)
    cookie = await cookie_of(db, ada)
    async with client_of(db) as client:
        client.cookies.set("mindhit", program)  # a program's token is not a browser's
        assert (await client.get("/v1/me")).status_code == 401
    async with client_of(db) as client:
        bearer = {"Authorization": f"Bearer {cookie}"}  # nor the other way round
        answer: httpx2.Response = await client.get("/v1/me", headers=bearer)
        assert answer.status_code == 401
