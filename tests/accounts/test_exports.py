"""Exports of everything: made once by a job, kept for a day, downloaded in as many requests as it takes."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from mindhit import accounts, work
from mindhit.accounts import ExportId, ExportNotFound
from mindhit.accounts.job_types import Sweep
from mindhit.accounts.leaving.export import PART_BYTES
from mindhit.api.http.ranges import NoSuchRange, Span, wanted
from mindhit.db import Database
from mindhit.work.testing import claim, drain
from mindhit.work.testing import pass_time as pass_queue_time
from tests.accounts.kit import (
    Json,
    add,
    browser_of,
    export,
    pass_time,
    product,
    rows,
    run_exports,
    settings,
    unpack,
)

EXPORTS = "/v1/me/exports"
FULL = 10**9  # MB: no disk has so much free


async def ask(browser: httpx2.AsyncClient, **params: Any) -> Json:
    answer = await browser.post(EXPORTS, params=params)
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


async def shown(browser: httpx2.AsyncClient) -> Json:
    [found] = (await browser.get(EXPORTS)).json()["exports"]
    return dict(found)


async def test_an_export_is_queued_made_and_downloaded(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        asked = await ask(browser)
        assert (asked["status"], asked["files"], asked["expires_at"]) == ("queued", 0, None)
        path = f"{EXPORTS}/{asked['id']}"
        early = await browser.get(f"{path}/archive")
        assert (early.status_code, early.json()["type"]) == (
            409,
            "urn:mindhit:problem:export-not-ready",
        )
        assert await run_exports(db) == 1
        made = (await browser.get(path)).json()
        assert made["status"] == "ready"
        assert made["files"] == made["files_done"] == len(product().exports)
        assert made == await shown(browser)
        answer = await browser.get(f"{path}/archive")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-disposition"].startswith('attachment; filename="mindhit-20')
    assert int(answer.headers["content-length"]) == made["size_bytes"] == len(answer.content)
    files = unpack(answer.content)
    assert files["account"][0]["email"] == ada.email
    assert "export_asked" in {each["event"] for each in files["security_events"]}
    events = await rows(db, "select event from security_events order by id desc limit 1")
    assert events == [("exported",)]


async def test_asking_again_gives_the_same_one_unless_a_new_one_is_wanted(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        first = await ask(browser)
        assert (await ask(browser, new=True))["id"] == first["id"]  # it is new already
        await run_exports(db)
        assert (await ask(browser))["status"] == "ready"
        again = await ask(browser, new=True)
        assert (again["status"], again["id"] == first["id"]) == ("queued", False)
        assert (await browser.get(f"{EXPORTS}/{first['id']}/archive")).status_code == 404
        assert await rows(db, "select from export_parts") == []


async def test_two_that_ask_at_once_get_one(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        asked = await asyncio.gather(*(ask(browser) for _ in range(4)))
    assert len({each["id"] for each in asked}) == 1
    assert await run_exports(db) == 1


async def test_a_broken_download_goes_on_where_it_ended(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        whole = await export(db, browser)
        path = f"{EXPORTS}/{(await shown(browser))['id']}/archive"
        head = await browser.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["accept-ranges"] == "bytes"
        etag, at = head.headers["etag"], len(whole) // 2
        rest = await browser.get(path, headers={"Range": f"bytes={at}-", "If-Range": etag})
        assert (rest.status_code, rest.content) == (206, whole[at:])
        assert rest.headers["content-range"] == f"bytes {at}-{len(whole) - 1}/{len(whole)}"
        other = await browser.get(path, headers={"Range": f"bytes={at}-", "If-Range": '"old"'})
        assert (other.status_code, other.content) == (200, whole)
        beyond = await browser.get(path, headers={"Range": f"bytes={len(whole)}-"})
        assert (beyond.status_code, beyond.headers["content-range"]) == (
            416,
            f"bytes */{len(whole)}",
        )
        known = await browser.get(path, headers={"If-None-Match": etag})
        assert (known.status_code, known.content) == (304, b"")
        # Downloads are noted, what only continues one is not, nor a look at its size.
        noted = await rows(db, "select from security_events where event = 'exported'")
        assert len(noted) == 2


def test_every_range_is_answered_as_the_standard_says() -> None:
    tag = '"x"'
    assert wanted(10, tag) is None
    for range_, span in {
        "bytes=0-": (0, 10),
        "bytes=3-": (3, 10),
        "bytes=3-3": (3, 4),
        "bytes=0-99": (0, 10),
        "bytes=-4": (6, 10),
        "bytes=-99": (0, 10),
    }.items():
        assert wanted(10, tag, range_=range_) == Span(*span), range_
        assert wanted(10, tag, range_=range_, if_range=tag) == Span(*span)
        assert wanted(10, tag, range_=range_, if_range='W/"x"') is None
    for ignored in (
        "",
        "bytes=-",
        "bytes=5-3",
        "bytes=0-1,3-4",
        "lines=0-1",
        "bytes=x-",
        "bytes=٣-",
    ):
        assert wanted(10, tag, range_=ignored) is None, ignored
    for beyond in ("bytes=10-", "bytes=10-20", "bytes=-0", f"bytes={10**17}-"):
        with pytest.raises(NoSuchRange):
            wanted(10, tag, range_=beyond)


async def test_an_archive_of_several_parts_is_read_without_holding_a_connection(
    db: Database,
) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        id_ = ExportId((await ask(browser))["id"])
    whole = bytes(range(256)) * (PART_BYTES // 256) * 2 + b"the end"
    await hand_made(db, str(id_), whole)
    spans = [(0, len(whole)), (PART_BYTES - 3, PART_BYTES + 3), (len(whole) - 2, len(whole))]
    readers = [accounts.read_archive(db, ada.id, id_, *span) for span in spans for _ in range(10)]
    begun = [await anext(reader) for reader in readers]
    assert db._pool.get_idle_size() == db._pool.get_size()
    for reader, first, span in zip(
        readers, begun, [s for s in spans for _ in range(10)], strict=True
    ):
        assert first + b"".join([piece async for piece in reader]) == whole[slice(*span)]
    await pass_time(db, days=1)
    with pytest.raises(ExportNotFound):
        await anext(accounts.read_archive(db, ada.id, id_, 0, 10))


async def hand_made(db: Database, id_: str, archive: bytes) -> None:
    async with db.transaction() as tx:
        for number, at in enumerate(range(0, len(archive), PART_BYTES)):
            part = archive[at : at + PART_BYTES]
            await tx._connection.execute(
                "insert into export_parts values ($1, $2, $3)", id_, number, part
            )
        await tx._connection.execute(
            "update exports set status = 'ready', size_bytes = $2, digest = 'x', finished_at = now(),"
            " expires_at = now() + interval '1 day' where id = $1",
            id_,
            len(archive),
        )


async def test_after_a_day_it_is_gone(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        await export(db, browser)
        path = f"{EXPORTS}/{(await shown(browser))['id']}"
        await pass_time(db, hours=23)
        assert (await browser.get(f"{path}/archive")).status_code == 200
        await pass_time(db, hours=1)
        for gone in (path, f"{path}/archive"):
            assert (await browser.get(gone)).status_code == 404
        assert (await browser.get(EXPORTS)).json() == {"exports": []}
        assert await rows(db, "select from export_parts") != []
        await sweep(db)
        assert await rows(db, "select from exports") == []
        assert await rows(db, "select from export_parts") == []


async def sweep(db: Database) -> None:
    async with db.transaction() as tx:
        await work.enqueue(tx, Sweep())
    assert await drain(db, {Sweep: product().jobs[Sweep]}) == 1


async def test_nobody_else_can_read_it(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        await export(db, browser)
        path = f"{EXPORTS}/{(await shown(browser))['id']}"
    async with browser_of(db, await add(db, "eve@example.org")) as browser:
        for method, of_ada in (
            ("GET", path),
            ("GET", f"{path}/archive"),
            ("HEAD", f"{path}/archive"),
        ):
            assert (await browser.request(method, of_ada)).status_code == 404
        assert (await browser.get(EXPORTS)).json() == {"exports": []}


async def test_two_are_made_at_once_and_the_others_wait(db: Database) -> None:
    for name in ("ada", "bob", "eve"):
        async with browser_of(db, await add(db, f"{name}@example.org")) as browser:
            await ask(browser)
    kinds = ["accounts:export"]
    assert len(await claim(db, 10, kinds=kinds)) == 2
    assert await claim(db, 10, kinds=kinds, worker="on another machine") == []


async def test_what_is_interrupted_is_made_again_and_never_served_in_part(db: Database) -> None:
    """Its connection is ended in the middle of the archive."""
    ada = await add(db)
    before = list(product().exports).index("connections")
    async with browser_of(db, ada) as browser, db.transaction() as tx:
        path = f"{EXPORTS}/{(await ask(browser))['id']}"
        await tx._connection.execute("lock table connections in access exclusive mode")
        making = asyncio.create_task(run_exports(db))
        blocked = await waiting_for_a_lock(db, making)
        half = (await browser.get(path)).json()
        assert (half["status"], half["files_done"]) == ("running", before)
        assert (await browser.get(f"{path}/archive")).status_code == 409
        await rows(db, "select pg_terminate_backend($1)", blocked)
        assert await making == 1
        assert (await browser.get(f"{path}/archive")).status_code == 409
        assert await rows(db, "select from export_parts") == []
    async with browser_of(db, ada) as browser:
        await pass_queue_time(db, 600)
        assert await run_exports(db) == 1
        unpack((await browser.get(f"{path}/archive")).content)


async def waiting_for_a_lock(db: Database, making: asyncio.Task[int]) -> int:
    while not making.done():
        found = await rows(
            db,
            "select pid from pg_stat_activity where datname = current_database()"
            " and wait_event_type = 'Lock'",
        )
        if found:
            return int(found[0][0])
        await asyncio.sleep(0.01)
    pytest.fail("it was made without waiting")


async def test_without_space_it_fails_and_works_again_with_some(db: Database) -> None:
    full = settings(min_free_space=FULL)
    async with browser_of(db, await add(db)) as browser:
        await ask(browser)
        assert await run_exports(db, full) == 1
        failed = await shown(browser)
        assert (failed["status"], failed["reason"]) == ("failed", "no-space")
        [job] = await rows(db, "select status from jobs where kind = 'accounts:export'")
        assert job == ("dead",)
        unpack(await export(db, browser))


async def test_a_full_disk_of_the_database_fails_it(db: Database) -> None:
    """The part that cannot be written is the database's own error."""
    async with browser_of(db, await add(db)) as browser:
        await ask(browser)
        async with db.transaction() as tx:
            await tx._connection.execute(
                "create function refuse() returns trigger language plpgsql as"
                " $$ begin raise exception 'No space left' using errcode = '53100'; end $$"
            )
            await tx._connection.execute(
                "create trigger full_disk before insert on export_parts for each row"
                " execute function refuse()"
            )
        await run_exports(db)
        assert (await shown(browser))["reason"] == "no-space"
        async with db.transaction() as tx:
            await tx._connection.execute("drop trigger full_disk on export_parts")
        unpack(await export(db, browser))


async def test_one_whose_job_is_gone_has_failed(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        first = await ask(browser)
        [[job_id]] = await rows(db, "select id from jobs where kind = 'accounts:export'")
        await sweep(db)
        assert (await shown(browser))["status"] == "queued"
        async with db.transaction() as tx:
            await work.cancel(tx, job_id)
        await sweep(db)
        failed = await shown(browser)
        assert (failed["status"], failed["reason"]) == ("failed", "broken")
        assert (await ask(browser))["id"] != first["id"]


async def test_what_is_forgotten_is_in_no_archive(db: Database) -> None:
    """Neither in one that is ready, nor in one that is being made."""
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        await export(db, browser)
        path = f"{EXPORTS}/{(await shown(browser))['id']}"
        assert (await browser.post("/v1/forget", json={"last": "1h"})).status_code == 200
        assert (await shown(browser))["reason"] == "forgotten"
        assert (await browser.get(f"{path}/archive")).status_code == 409
        assert await rows(db, "select from export_parts") == []
        async with db.transaction() as tx:
            await ask(browser)
            await tx._connection.execute("lock table connections in access exclusive mode")
            making = asyncio.create_task(run_exports(db))
            await waiting_for_a_lock(db, making)
            assert (await browser.post("/v1/forget", json={"last": "1h"})).status_code == 200
        assert await making == 1
        assert (await shown(browser))["reason"] == "forgotten"
        assert await rows(db, "select from export_parts") == []


async def test_an_export_that_is_asked_for_meanwhile_waits_for_the_forgetting(db: Database) -> None:
    """Its snapshot is of afterwards, so it has nothing of what was forgotten."""
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        asked = await ask(browser)
        async with db.transaction() as tx:
            await accounts.revoke_exports(tx, ada.id)
            making = asyncio.create_task(run_exports(db))
            await waiting_for_a_lock(db, making)
            assert (await shown(browser))["status"] == "queued"
        assert await making == 1
        assert (await shown(browser)) | {"id": asked["id"], "status": "ready"} == await shown(
            browser
        )
