"""Who leaves takes everything along, and leaves nothing behind: both checked against the schema."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from typing import Any

import httpx2

from mindhit import accounts, mail, wiring, work
from mindhit.accounts import Person, Scope, store
from mindhit.accounts.jobs import MailVerifyLink
from mindhit.db import Database
from mindhit.mail import Message
from mindhit.slices import Product, Slice
from mindhit.work import enqueue
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import (
    PASSWORD,
    add,
    add_owner,
    browser_of,
    client_of,
    connected,
    mails,
    newest_link,
    rows,
    run_jobs,
    settings,
    token_of,
    traces,
)

EMAIL = "ada@example.org"


async def a_full_life(db: Database, person: Person) -> None:
    """Something of this person in every table that can hold it."""
    async with browser_of(db, person, settings(sign_up="open")) as browser:
        await connected(db, browser)
        await token_of(db, person, Scope.API)
        change = {"excluded_domains": ["bank.example"], "timezone": "Europe/Berlin"}
        assert (await browser.patch("/v1/me/settings", json=change)).status_code == 200
        body = {"email": EMAIL, "password": PASSWORD}
        for path in ("sign-up", "reset", "sign-in"):
            await browser.post(f"/v1/auth/{path}", json=body)
        await run_jobs(db)
        await browser.post("/v1/auth/sign-up", json=body)  # one whose mail is not written yet
    await recorded(db, person)
    async with db.transaction() as tx:
        await enqueue(tx, MailVerifyLink(person.id))
        await mail.keep(tx, Message(EMAIL, "a subject", "a text"), None)
        await tx._connection.execute(
            "insert into identities (issuer, subject, user_id) values ('http://idp', '1', $1)",
            person.id,
        )


async def recorded(db: Database, person: Person) -> None:
    """A session with a page, its text and a highlight, and one that was deleted."""
    page = {"tabId": 1, "url": "https://example.org/of-ada@example.org", "t": 1_750_000_000_000}
    text = {"content": "a text", "extractionOk": True, "title": "a title"}
    events = [
        {**page, "seq": 1, "type": "NAV_COMMITTED", "payload": text},
        {**page, "seq": 2, "type": "HIGHLIGHT", "payload": {"text": "marked"}},
        {"seq": 3, "t": 1_750_000_001_000, "type": "ALIVE"},
    ]
    async with browser_of(db, person) as browser:
        for is_kept in (True, False):
            began = {"startedAt": 1_750_000_000_000, "title": EMAIL}
            session = (await browser.post("/v1/sessions/start", json=began)).json()["sessionId"]
            path = f"/v1/sessions/{session}"
            sent = await browser.post(f"{path}/events:batch", json={"events": events})
            assert sent.json()["ackedSeq"] == 3
            await browser.post(f"{path}/stop", json={"lastSeq": 3})
            if not is_kept:
                assert (await browser.delete(path)).status_code == 204


async def test_a_person_who_leaves_is_nowhere(db: Database) -> None:
    ada, grace = await add(db), await add(db, "grace@example.org")
    await a_full_life(db, ada)
    before = await traces(db, str(ada.id), EMAIL)
    of_others = await traces(db, str(grace.id), "grace@example.org")
    expected = {
        *("users", "user_settings", "devices", "tokens", "links", "sign_ups", "connections"),
        *("identities", "security_events", "jobs", "kept_mails"),
        *("sessions", "deleted_sessions", "page_contents", "reader_urls", "urls"),
    }
    assert expected <= set(before)
    async with browser_of(db, ada) as browser:
        farewell = {"email": EMAIL, "password": PASSWORD}
        assert (await browser.post("/v1/me/erase", json=farewell)).status_code == 202
        assert (await browser.get("/v1/me")).status_code == 401  # out at once
        assert (await browser.post("/v1/auth/sign-in", json=farewell)).status_code == 401
    await run_jobs(db)
    assert await traces(db, str(ada.id), EMAIL) == {}
    assert await traces(db, str(grace.id), "grace@example.org") == of_others


async def test_no_spelling_and_no_former_address_is_left(db: Database) -> None:
    old, new = "Müller@BÜCHER.example", "neu@example.org"
    person = await add(db, old)
    async with browser_of(db, person, settings(sign_up="open")) as browser:
        for path in ("sign-up", "reset"):
            await browser.post(f"/v1/auth/{path}", json={"email": old})
        await run_jobs(db)
        moved = {"email": new, "password": PASSWORD}
        assert (await browser.post("/v1/me/email", json=moved)).status_code == 202
        _, token = await newest_link(db)
        assert (await browser.post("/v1/auth/confirm", json={"token": token})).status_code == 200
        await browser.post("/v1/auth/sign-up", json={"email": old})
        await browser.post("/v1/auth/reset", json={"email": old})
        words = ("müller@bücher.example", "müller@xn--bcher-kva.example", new, str(person.id))
        assert {"jobs", "kept_mails", "sign_ups", "users"} <= set(await traces(db, *words))
        farewell = {"email": new, "password": PASSWORD}
        assert (await browser.post("/v1/me/erase", json=farewell)).status_code == 202
    await run_jobs(db)
    assert await traces(db, *words) == {}


async def test_others_with_a_like_address_keep_what_is_theirs(db: Database) -> None:
    short = await add(db, "a@example.org")
    await add(db, "maria@example.org")
    async with browser_of(db, short) as browser:
        await browser.post("/v1/auth/reset", json={"email": "maria@example.org"})
        async with db.transaction() as tx:
            await mail.erase(tx, short.id, short.email)
            await work.erase(tx, short.id, short.email)
    [job] = await rows(db, "select kind from jobs")
    assert job["kind"] == "accounts:mail_reset"


async def test_a_mail_that_is_being_written_is_not_left_behind(db: Database) -> None:
    """Erasing waits for the transaction that keeps the mail, and then sees it."""
    ada = await add(db)
    async with db.transaction() as tx:
        await tx.one(store.people.LOCKED, ada.id)
        await mail.keep(tx, Message(EMAIL, "a subject", "a text"), ada.id)
        leaving = asyncio.ensure_future(
            accounts.erase_now(db, ada.id, accounts.Origin(), wiring.product(settings()))
        )
        await asyncio.sleep(0.3)
        assert not leaving.done()
    await leaving
    assert await traces(db, str(ada.id), EMAIL) == {}


async def test_every_table_with_peoples_rows_lets_them_go(db: Database) -> None:
    """A table with a user_id that no slice empties would keep people; a new one fails here."""
    ada = await add(db)
    await a_full_life(db, ada)
    personal = await rows(
        db,
        "select table_name from information_schema.columns"
        " where table_schema = 'public' and column_name = 'user_id'",
    )
    filled = set(await traces(db, str(ada.id)))
    assert {each[0] for each in personal} - filled == {"erasures"}, (
        "a_full_life has to leave a row in every table of people's, so that this test sees it go"
    )


async def test_erasing_goes_on_where_it_was_cut_off(db: Database) -> None:
    ada = await add(db)
    await a_full_life(db, ada)
    calls = 0

    async def fails_once(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise RuntimeError("cut off")

    planted = Slice("planted", erase=fails_once)
    jobs = Product(settings(), (*wiring.SLICES, planted)).jobs
    async with browser_of(db, ada) as browser:
        farewell = {"email": EMAIL, "password": PASSWORD}
        assert (await browser.post("/v1/me/erase", json=farewell)).status_code == 202
    await drain(db, jobs)
    assert "users" in await traces(db, EMAIL)
    async with client_of(db) as client:
        body = {"email": EMAIL, "password": PASSWORD}
        assert (await client.post("/v1/auth/sign-in", json=body)).status_code == 401
    await pass_time(db, 60)
    await drain(db, jobs)
    assert await traces(db, str(ada.id), EMAIL) == {}


async def test_leaving_wants_the_address_and_the_password(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        for body, status in (
            ({"email": "other@example.org", "password": PASSWORD}, 422),
            ({"email": EMAIL, "password": "not hers at all"}, 403),
            ({"email": EMAIL}, 403),
        ):
            assert (await browser.post("/v1/me/erase", json=body)).status_code == status
        assert (await browser.get("/v1/me")).status_code == 200


async def test_the_owner_stays_while_others_are_here(db: Database) -> None:
    owner = await add_owner(db)
    await add(db)
    farewell = {"email": owner.email, "password": PASSWORD}
    async with browser_of(db, owner) as browser:
        assert (await browser.post("/v1/me/erase", json=farewell)).status_code == 409
    async with browser_of(db, owner) as browser:
        await rows(db, "select 1")
        async with db.transaction() as tx:
            await tx._connection.execute("delete from users where role = 'user'")
        assert (await browser.post("/v1/me/erase", json=farewell)).status_code == 202
    await run_jobs(db)
    assert await rows(db, "select from users") == []


def unpack(answer: httpx2.Response) -> dict[str, Any]:
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    assert "README.txt" in archive.namelist()
    return {
        name.removesuffix(".json"): json.loads(archive.read(name))
        for name in archive.namelist()
        if name.endswith(".json")
    }


async def test_an_export_holds_everything_and_needs_nothing_to_be_read(db: Database) -> None:
    ada, grace = await add(db), await add(db, "grace@example.org")
    await a_full_life(db, ada)
    await a_full_life_of_somebody_else(db, grace)
    async with browser_of(db, ada) as browser:
        answer = await browser.get("/v1/me/export")
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"].startswith('attachment; filename="mindhit-')
    files = unpack(answer)
    # As many rows as each table has of this person; tokens are counted with their device.
    expected = {
        {"reader_urls": "pages"}.get(table, table): len(hits)
        for table, hits in (await traces(db, str(ada.id))).items()
        if table not in {"jobs", "tokens", "users", "user_settings", "security_events"}
    }
    assert {name: len(found) for name, found in files.items() if name in expected} == expected
    assert files["account"][0]["email"] == EMAIL
    assert files["settings"][0]["excluded_domains"] == ["bank.example"]
    assert sum(device["tokens"] for device in files["devices"]) == len(
        await rows(db, "select from tokens where user_id = $1", ada.id)
    )
    assert {each["event"] for each in files["security_events"]} >= {"signed_in", "token_made"}
    text = json.dumps(files)
    assert {each["type"] for each in files["raw_events"]} == {"NAV_COMMITTED", "HIGHLIGHT", "ALIVE"}
    assert [each["text"] for each in files["highlights"]] == ["marked"]
    assert "grace" not in text
    assert "argon2" not in text


async def a_full_life_of_somebody_else(db: Database, person: Person) -> None:
    async with browser_of(db, person) as browser:
        await connected(db, browser)
    assert await mails(db) != []
