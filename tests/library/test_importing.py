"""Files of bookmarks in and out."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest

from mindhit import library, wiring
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.library import ExportFormat
from mindhit.work.testing import drain
from tests.accounts.kit import add, browser_of, rows, run_jobs, settings
from tests.library import bookmark_files as files

ROOT = Path(__file__).parents[2]
Json = dict[str, Any]
FILES = {
    "chrome_html": files.CHROME,
    "firefox_html": files.FIREFOX,
    "edge_html": files.EDGE,
    "safari_html": files.SAFARI,
    "netscape_html": files.SLOPPY,
    "karakeep_json": files.KARAKEEP,
    "linkwarden_json": files.LINKWARDEN,
}


@pytest.fixture(autouse=True)
def _wired(_no_wiring: None) -> None:
    wiring.install(wiring.product(settings()))


async def pieces(body: bytes, size: int = library.PART_BYTES) -> AsyncIterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


async def receive(
    db: Database, person: Person, body: bytes | str, size: int = library.PART_BYTES
) -> UUID:
    body = body.encode() if isinstance(body, str) else body
    async with db.transaction() as tx:
        return (await library.receive(tx, person.id, pieces(body, size))).id


async def bring_in(
    db: Database, person: Person, body: bytes | str, size: int = library.PART_BYTES
) -> library.ImportDetail:
    id_ = await receive(db, person, body, size)
    await run_jobs(db)
    async with db.read() as tx:
        return await library.show_failures(tx, person.id, library.ImportId(id_))


async def export(db: Database, person: Person, format_: ExportFormat) -> bytes:
    async with db.read() as tx:
        return b"".join([piece async for piece in library.export_library(tx, person.id, format_)])


async def tree(db: Database, person: Person) -> list[Any]:
    """Everything there is, in its order, without ids and counters."""
    found = await rows(
        db,
        """
with recursive at as (
  select null::uuid as id, array[]::text[] as path, array[]::float8[] as place
  union all
  select f.id, at.path || f.name, at.place || f.position
    from folders f join at on f.parent_id is not distinct from at.id where f.user_id = $1)
select place || array[]::float8[] as place, path, 'folder' as kind, '' as address, null as title,
       null as note, '{}'::text[] as tags, f.extra::text, null::timestamptz as archived_at,
       date_trunc('second', f.created_at) as created_at
  from at join folders f on f.id = at.id
union all
select at.place || p.position, at.path, p.kind, p.address, p.title, p.note, p.tags, p.extra::text,
       p.archived_at, date_trunc('second', p.created_at)
  from at join pages p on p.folder_id is not distinct from at.id where p.user_id = $1
order by 1, 2""",
        person.id,
    )
    return [tuple(each)[1:] for each in found]


@pytest.mark.parametrize("source", FILES)
async def test_a_file_goes_in_comes_out_and_goes_in_again_the_same(
    db: Database, source: str
) -> None:
    ada = await add(db)
    done = (await bring_in(db, ada, FILES[source])).job
    assert (done.status, done.source_type, done.last_error) == ("succeeded", source, None)
    assert done.processed_items == done.total_items == done.added_items + done.failed_items
    before = await tree(db, ada)
    for format_ in ExportFormat:
        exported = await export(db, ada, format_)
        other = await add(db, f"{format_}@example.org")
        again = (await bring_in(db, other, exported)).job
        assert (again.status, again.failed_items) == ("succeeded", 0), again.last_error
        assert await tree(db, other) == before
        assert await export(db, other, format_) == exported
        twice = (await bring_in(db, other, exported)).job
        assert (twice.added_items, twice.processed_items) == (0, again.processed_items)


@pytest.mark.parametrize("source", FILES)
async def test_the_same_file_twice_adds_nothing(db: Database, source: str) -> None:
    ada = await add(db)
    first = (await bring_in(db, ada, FILES[source])).job
    before = await tree(db, ada)
    second = (await bring_in(db, ada, FILES[source])).job
    assert first.added_items > 0
    assert second.added_items == 0
    assert second.failed_items == first.failed_items
    assert await tree(db, ada) == before


async def test_chromes_tree_and_order_are_kept(db: Database) -> None:
    ada = await add(db)
    await bring_in(db, ada, files.CHROME)
    found = await tree(db, ada)
    assert [(each[0], each[1]) for each in found] == [
        (["Bookmarks bar"], "folder"),
        (["Bookmarks bar"], "link"),
        (["Bookmarks bar", "한국어 폴더"], "folder"),
        (["Bookmarks bar", "한국어 폴더"], "link"),
        (["Bookmarks bar", "한국어 폴더", "Empty"], "folder"),
        (["Bookmarks bar"], "other"),
        (["Bookmarks bar"], "link"),
        ([], "link"),
    ]
    by_address = {each[2]: each for each in found}
    assert by_address["https://example.org/a?b=1&c=2"][3] in {"Tom & Jerry <3", "The same again"}
    assert by_address["https://example.org/long"][3] == files.LONG.strip()
    assert 'javascript:(function()%7Balert("hi")%7D)()' in by_address
    assert files.ICON in by_address["https://example.org/a?b=1&c=2"][6] or found[1][6] != "{}"


async def test_firefoxes_tags_notes_separators_and_keywords_are_kept(db: Database) -> None:
    ada = await add(db)
    await bring_in(db, ada, files.FIREFOX)
    found = await tree(db, ada)
    [page] = [each for each in found if each[3] == "Get Help"]
    assert page[4] == "A description\nwith a second line & more"
    assert page[5] == ["help", "두 번째 태그"]
    assert '"SHORTCUTURL": "h"' in page[6]
    assert [each[1] for each in found].count("separator") == 1
    assert [each[1] for each in found].count("other") == 1
    [toolbar] = [each for each in found if each[0] == ["Bookmarks Toolbar"] and each[1] == "folder"]
    assert "Add bookmarks to this folder" in toolbar[6]


async def test_broken_entries_are_told_with_their_line_and_the_rest_goes_on(db: Database) -> None:
    ada = await add(db)
    done = await bring_in(db, ada, files.SLOPPY)
    assert [(each.line, each.reason.split(".")[0]) for each in done.failures] == [
        (8, "There is no address"),
        (9, "The entry has a quotation mark that is not closed"),
        (10, "This is not the address of a page: it is not a URL"),
    ]
    assert done.job.failed_items == 3
    links = [each for each in await tree(db, ada) if each[1] == "link"]
    assert [each[2].rpartition("/")[2] for each in links] == ["1", "2", "3", "6"]
    assert [each[0] for each in links] == [["One"], ["One"], ["One"], []]
    assert links[2][3:5] == ("Third bold", "Note") or links[2][4] == "Note"


async def test_karakeeps_lists_tags_notes_and_archive_are_kept(db: Database) -> None:
    ada = await add(db)
    done = await bring_in(db, ada, files.KARAKEEP)
    assert (done.job.added_items, done.job.failed_items) == (2, 1)
    [one] = [each for each in await tree(db, ada) if each[2] == "https://example.org/1"]
    assert one[0] == ["Outer", "Inner"]
    assert (one[3], one[4], one[5]) == ("One", "my note", ["a", "b"])
    assert one[7] is not None


async def test_linkwardens_collections_tags_and_notes_are_kept(db: Database) -> None:
    ada = await add(db)
    done = await bring_in(db, ada, files.LINKWARDEN)
    assert (done.job.added_items, done.job.failed_items) == (2, 1)
    found = await tree(db, ada)
    [one] = [each for each in found if each[2] == "https://example.org/1"]
    assert (one[0], one[3], one[4], one[5]) == (["Reading"], "One", "my note", ["x", "y"])
    assert str(one[8]).startswith("2024-01-02 03:04:05")
    assert ["Reading", "Below"] in [each[0] for each in found]


async def test_what_is_no_file_of_bookmarks_says_so(db: Database) -> None:
    ada = await add(db)
    for body in (b"hello", b"\0\1\2", b'{"a": 1}', b'{"bookmarks": [', b"<html><p>no list</p>"):
        job = (await bring_in(db, ada, body)).job
        assert job.status == "failed"
        assert job.last_error
    assert await rows(db, "select from import_parts") == []


async def test_a_file_is_imported_into_a_folder_and_another_beside_it(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        folder = (await browser.post("/v1/folders", json={"name": "f"})).json()["id"]
        where = {"folder_id": folder, "file_name": "bookmarks.html"}
        sent = await browser.post("/v1/imports", params=where, content=files.EDGE.encode())
        assert sent.status_code == 202
        assert sent.json()["status"] == "queued"
        await run_jobs(db)
        shown = (await browser.get(f"/v1/imports/{sent.json()['id']}")).json()
        assert shown["job"]["file_name"] == "bookmarks.html"
        assert shown["job"]["status"] == "succeeded"
        assert (await browser.post("/v1/imports", content=b"")).status_code == 422
        nowhere = {"folder_id": "00000000-0000-0000-0000-000000000000"}
        refused = await browser.post("/v1/imports", params=nowhere, content=b"x")
        assert refused.status_code == 404
        over = await browser.post(f"/v1/imports/{sent.json()['id']}/cancel")
        assert over.status_code == 409
    assert {tuple(each[0][:1]) for each in await tree(db, ada)} == {("f",)}


async def test_an_import_can_be_canceled_and_watched(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        sent = await browser.post("/v1/imports", content=files.many(1_200))
        where = f"/v1/imports/{sent.json()['id']}"
        canceled = await browser.post(f"{where}/cancel")
        assert canceled.json()["status"] == "canceled"
        await run_jobs(db)
        assert await rows(db, "select from pages") == []
        assert await rows(db, "select from import_parts") == []
        events = (await browser.get(f"{where}/progress")).text
    assert "event: progress" in events
    assert events.rstrip().endswith('event: end\ndata: {"status":"canceled"}')


async def test_an_import_that_is_canceled_half_way_stops_there(db: Database) -> None:
    """Between two of its transactions."""
    from mindhit.library.importing import running
    from mindhit.library.importing.storing import NotRunning

    ada = await add(db)
    id_ = library.ImportId(await receive(db, ada, files.many(1_200)))
    first = True
    async with db.read() as tx:
        assert (await library.show_import(tx, ada.id, id_)).status == "queued"
    with pytest.raises(NotRunning):
        async for batch in _batches(db, ada.id, id_):
            async with db.transaction() as tx:
                await batch(tx)
            if first:
                first = False
                async with db.transaction() as tx:
                    await library.cancel_import(tx, ada.id, id_)
    [row] = await rows(db, "select count(*) as n from pages")
    assert row["n"] == running.ITEMS_AT_ONCE


async def _batches(db: Database, user_id: UUID, id_: library.ImportId) -> AsyncIterator[Any]:
    """The steps of `read_file`, one at a time."""
    from mindhit.library import store
    from mindhit.library.importing import running
    from mindhit.library.importing.storing import Storing

    first = await running._part(db, user_id, id_, 0)
    assert first is not None
    reader = running._reader_of(first)
    async with db.transaction() as tx:
        await tx.one(store.imports.START, user_id, id_, reader.source_type, 0)
        storing = Storing(user_id, id_, None, 0, 0)
        await storing.begin(tx)
    async for batch in running._batches(db, user_id, id_, reader):
        yield lambda tx, batch=batch: storing.store(tx, batch)


async def test_distinct_urls_are_counted_exactly(db: Database) -> None:
    ada = await add(db)
    done = (await bring_in(db, ada, files.many(3_000, duplicates=0.12))).job
    assert done.added_items == 3_000
    [row] = await rows(db, "select count(distinct url_id) as urls, count(*) as pages from pages")
    assert (row["urls"], row["pages"]) == (2_640, 3_000)
    [links] = await rows(db, "select count(*) as n from urls")
    assert links["n"] == 2_640


async def test_an_import_killed_in_the_middle_finishes_exactly(
    db: Database, database_url: str
) -> None:
    """By kill -9, after its first transaction."""
    ada = await add(db)
    body = files.many(2_500, folders=30, duplicates=0.1)
    id_ = await receive(db, ada, body)
    reached = 0
    for _ in range(1):
        worker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.library.farm_worker", database_url, cwd=ROOT,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        async with asyncio.timeout(60):
            while await processed(db, id_) <= reached:
                await asyncio.sleep(0.005)
        os.kill(worker.pid, signal.SIGKILL)
        await worker.wait()
        reached = await processed(db, id_)
        async with db.transaction() as tx:  # as if the lease had expired
            await tx._connection.execute(
                "update jobs set status = 'queued', locked_at = null, locked_by = null,"
                " lease_id = null, lease_until = null, attempts = 0 where status = 'running'"
            )
    assert 0 < reached < 2_500
    await drain(db, wiring.product(settings()).jobs)
    other = await add(db, "other@example.org")
    whole = (await bring_in(db, other, body)).job
    async with db.read() as tx:
        done = await library.show_import(tx, ada.id, library.ImportId(id_))
    assert (done.status, done.processed_items, done.added_items) == ("succeeded", 2_500, 2_500)
    assert whole.added_items == 2_500
    assert await tree(db, ada) == await tree(db, other)


async def processed(db: Database, id_: UUID) -> int:
    [row] = await rows(db, "select processed_items from import_jobs where id = $1", id_)
    return int(row["processed_items"])


async def test_the_routes_refuse_what_is_too_large(db: Database, monkeypatch: Any) -> None:
    from mindhit.api.library import imports

    monkeypatch.setattr(imports, "LARGEST_FILE", 1_000)
    async with browser_of(db, await add(db)) as browser:
        answer: httpx2.Response = await browser.post("/v1/imports", content=b"x" * 1_001)
    assert answer.status_code == 413
    assert answer.json()["type"].endswith("import-too-large")
