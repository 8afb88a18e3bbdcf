"""Who leaves takes everything along, and leaves nothing behind: both checked against the schema."""

from __future__ import annotations

import asyncio

from mindhit import accounts, mail, wiring, work
from mindhit.accounts import Person, store
from mindhit.db import Database
from mindhit.mail import Message
from mindhit.slices import Product, Slice
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import (
    PASSWORD,
    add,
    add_owner,
    browser_of,
    client_of,
    newest_link,
    product,
    rows,
    run_jobs,
    settings,
    snapshot,
    traces,
)
from tests.contract.schema import PEOPLE
from tests.contract.schema import read as read_schema
from tests.contract.slices import contracts, live

CANARY = "of-ada-alone"
EMAIL = f"ada-{CANARY}@example.org"


async def owned(db: Database, person: Person) -> dict[str, int]:
    """How many rows of each table are a person's, by the schema alone."""
    async with db.read() as tx:
        schema = await read_schema(tx._connection)
        counts = {
            table: await tx._connection.fetchval(
                f"select count(*) from {table} t where {schema.owned(table)}", person.id
            )
            for table in {*schema.personal, PEOPLE}
        }
    return {table: count for table, count in counts.items() if count}


async def somebody_elses_life(db: Database) -> dict[str, list[str]]:
    """A server on which somebody else lives; all its rows."""
    grace = await add(db, "grace-of-grace-alone@example.org")
    await live(db, grace, "of-grace-alone")
    await run_jobs(db)
    return await snapshot(db)


async def leave(db: Database, person: Person) -> None:
    async with browser_of(db, person) as browser:
        farewell = {"email": person.email, "password": PASSWORD}
        assert (await browser.post("/v1/me/erase", json=farewell)).status_code == 202
        assert (await browser.get("/v1/me")).status_code == 401  # out at once


async def changed_since(db: Database, before: dict[str, list[str]]) -> set[str]:
    after = await snapshot(db)
    return {table for table in before.keys() | after.keys() if before.get(table) != after[table]}


async def test_a_person_who_leaves_is_nowhere(db: Database) -> None:
    """Afterwards every table is as if they had never been, with or without a trace of them: a visit
    or a pause that is left behind mentions nobody."""
    before = await somebody_elses_life(db)
    ada = await add(db, EMAIL)
    await live(db, ada, CANARY)
    filled = set(await owned(db, ada))
    await leave(db, ada)
    filled |= set(await owned(db, ada))  # the request to be erased among them
    async with db.read() as tx:
        personal = (await read_schema(tx._connection)).personal
    assert personal - filled == set(), (
        "the `life` of tests/<slice>/contract.py has to leave a row in every table of people's data"
    )
    await run_jobs(db)
    assert await traces(db, str(ada.id), CANARY) == {}
    assert await owned(db, ada) == {}
    outlives = {table for contract in contracts().values() for table in contract.outlives}
    assert await changed_since(db, before) == outlives


async def test_what_an_eraser_forgets_is_found(db: Database) -> None:
    """With no slice's help, the account goes and what it owns by foreign keys; the rest is found."""
    before = await somebody_elses_life(db)
    ada = await add(db, EMAIL)
    await live(db, ada, CANARY)
    await accounts.erase_now(db, ada.id, accounts.Origin(), Product(settings(), ()))
    left = await changed_since(db, before)
    assert left >= {"page_visits", "session_pauses", "highlights", "raw_events", "page_contents"}
    assert left >= {"reader_urls", "urls", "kept_mails", "jobs"}
    assert not left & {"users", "devices", "tokens", "sessions"}


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
    ada = await add(db, EMAIL)
    async with db.transaction() as tx:
        await tx.one(store.people.LOCKED, ada.id)
        await mail.keep(tx, Message(EMAIL, "a subject", "a text"), ada.id)
        leaving = asyncio.ensure_future(
            accounts.erase_now(db, ada.id, accounts.Origin(), product())
        )
        await asyncio.sleep(0.3)
        assert not leaving.done()
    await leaving
    assert await traces(db, str(ada.id), EMAIL) == {}


async def test_erasing_goes_on_where_it_was_cut_off(db: Database) -> None:
    ada = await add(db, EMAIL)
    await live(db, ada, CANARY)
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


async def test_leaving_requires_the_address_and_the_password(db: Database) -> None:
    ada = await add(db, EMAIL)
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
