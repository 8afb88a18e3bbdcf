"""Syncing with WatermelonDB's own client, against a running server."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mindhit import library, wiring
from mindhit.accounts import Person, Scope
from mindhit.db import Database
from mindhit.library.pruning import prune
from tests.accounts.kit import add, browser_of, rows, settings, token_of
from tests.servers import api

HERE = Path(__file__).parent / "watermelon"
CLIENT = HERE.parents[2] / "node_modules" / "@nozbe" / "watermelondb"
LINE_BYTES = 64 * 2**20
Json = dict[str, Any]
NODE = (sys.executable, str(HERE.parents[2] / "tools" / "node.py"), "exec", "--", "node")
needs_client = pytest.mark.skipif(
    not CLIENT.is_dir() and os.environ.get("CI") != "true",
    reason="WatermelonDB is not installed: run make test",
)


class Device:
    """A process with the real client."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def ask(self, do: str, **more: Any) -> Json:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **more}).encode() + b"\n")
        await self._process.stdin.drain()
        line = await self._process.stdout.readline()
        answer: Json = json.loads(line)
        assert "error" not in answer, answer
        return answer

    async def sync(self) -> int:
        """The status of what the server refused; 200 where nothing was."""
        return int((await self.ask("sync")).get("status", 200))

    async def push(self) -> int:
        """The second half of `syncUntilPush`, told as `sync` is."""
        return int((await self.ask("push")).get("status", 200))

    async def page(self, id_: str) -> Json | None:
        pages = (await self.ask("dump"))["pages"]
        return next((each for each in pages if each["id"] == id_), None)


@asynccontextmanager
async def devices(
    db: Database, person: Person, url: str, count: int
) -> AsyncIterator[list[Device]]:
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(count):
            token = await token_of(db, person, Scope.API)
            process = await asyncio.create_subprocess_exec(
                *NODE,
                str(HERE / "device.mjs"),
                url,
                token,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_BYTES,
            )

            async def end(process: asyncio.subprocess.Process = process) -> None:
                assert process.stdin is not None
                process.stdin.close()
                await process.wait()

            stack.push_async_callback(end)
            found.append(Device(process))
        yield found


@needs_client
async def test_two_devices_edit_offline_and_agree(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    ada = await add(db)
    with api(tmp_path / "log", database_url, rate_limit=0) as url:
        async with devices(db, ada, url, 2) as [phone, desk]:
            folder = (await phone.ask("create", table="folders", values={"name": "읽을거리"}))["id"]
            page = {"address": "https://example.org/a", "title": "A", "folder_id": folder}
            made = (await phone.ask("create", table="pages", values={**page, "tags": '["x"]'}))[
                "id"
            ]
            assert await phone.sync() == 200
            assert await desk.sync() == 200
            there = await desk.page(made)
            assert there is not None
            assert (there["title"], there["folder_id"], there["kind"]) == ("A", folder, "link")
            assert json.loads(there["tags"]) == ["x"]
            # Both offline, different pages: both stay.
            other = await desk.ask("create", table="pages", values={"address": "https://b.example"})
            await phone.ask("update", table="pages", id=made, values={"title": "A, read"})
            assert [await desk.sync(), await phone.sync(), await desk.sync()] == [200, 200, 200]
            assert (await desk.page(made) or {})["title"] == "A, read"
            assert await phone.page(other["id"]) is not None
            # The same page: whoever syncs later has pulled first, and keeps its own change.
            await phone.ask("update", table="pages", id=made, values={"note": "from the phone"})
            await desk.ask("update", table="pages", id=made, values={"title": "from the desk"})
            assert await phone.sync() == 200
            assert await desk.sync() == 200
            merged = await desk.page(made) or {}
            assert (merged["note"], merged["title"]) == ("from the phone", "from the desk")
            # Deleting a folder takes what is in it, on the other device too.
            await phone.sync()
            await phone.ask("delete", table="folders", id=folder)
            assert await phone.sync() == 200
            assert await desk.sync() == 200
            left = await desk.ask("dump")
            assert left["folders"] == []
            assert [each["id"] for each in left["pages"]] == [other["id"]]
            assert await phone.sync() == 200
            assert await phone.page(made) is None


@needs_client
async def test_a_device_that_meets_a_conflict_pulls_and_pushes_again(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    """One has pulled and is about to push when the other's push comes first."""
    ada = await add(db)
    with api(tmp_path / "log", database_url, rate_limit=0) as url:
        async with devices(db, ada, url, 2) as [phone, desk]:
            for id_ in ("edited", "dropped", "lost"):
                page = {"address": f"https://example.org/{id_}", "title": id_}
                await phone.ask("create", table="pages", id=id_, values=page)
            assert [await phone.sync(), await desk.sync(), await phone.sync()] == [200, 200, 200]
            await desk.ask("update", table="pages", id="edited", values={"title": "desk"})
            await desk.ask("delete", table="pages", id="dropped")
            await desk.ask("update", table="pages", id="lost", values={"title": "desk"})
            folder = (await desk.ask("create", table="folders", values={"name": "new"}))["id"]
            await desk.ask("syncUntilPush")
            for id_ in ("edited", "dropped"):
                note = {"title": "phone", "note": "phone"}
                await phone.ask("update", table="pages", id=id_, values=note)
            await phone.ask("delete", table="pages", id="lost")
            assert await phone.sync() == 200
            assert await desk.push() == 409
            # Nothing of it is there, not even what is in nobody's way.
            assert await rows(db, "select from folders") == []
            found = await rows(db, "select sync_id, title from pages order by 1")
            assert [tuple(each) for each in found] == [("dropped", "phone"), ("edited", "phone")]
            assert [await desk.sync(), await phone.sync()] == [200, 200]
            for device in (desk, phone):
                there = await device.ask("dump")
                assert [each["id"] for each in there["folders"]] == [folder]
                # Of a page that both edited, each column is whose changed it, the desk's where both did.
                [page] = there["pages"]
                assert [page[name] for name in ("id", "title", "note")] == [
                    *("edited", "desk", "phone")
                ]
                assert page["_status"] == "synced"
    assert [tuple(each) for each in await rows(db, "select sync_id, title, note from pages")] == [
        ("edited", "desk", "phone")
    ]


@needs_client
async def test_no_row_is_missed_while_others_write(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    """10,000 rows of one device, and writers that commit while the other one pulls."""
    ada = await add(db)
    wiring.install(wiring.product(settings()))
    stop = asyncio.Event()
    written = 0

    async def write(name: int) -> None:
        nonlocal written
        number = 0
        while not stop.is_set():
            number += 1
            async with db.transaction() as tx:
                for part in range(3):
                    address = f"https://w{name}.example/{number}/{part}"
                    await library.add_page(tx, ada.id, address)
                    written += 1

    with api(tmp_path / "log", database_url, rate_limit=0) as url:
        async with devices(db, ada, url, 2) as [phone, desk]:
            many = [
                {"id": f"p{n}", "address": f"https://example.org/{n}", "position": n}
                for n in range(9_990)
            ]
            await phone.ask("createMany", table="pages", rows=many)
            assert await phone.sync() == 200
            writers = [asyncio.create_task(write(name)) for name in range(3)]
            for _ in range(6):
                assert await desk.sync() == 200
            stop.set()
            await asyncio.gather(*writers)
            assert await desk.sync() == 200
            here = await desk.ask("dump")
    expected = await rows(db, "select coalesce(sync_id, id::text) as id, address, title from pages")
    assert written > 0
    assert len(expected) == 9_990 + written
    assert {each["id"]: each["address"] for each in here["pages"]} == {
        each["id"]: each["address"] for each in expected
    }
    assert {each["_status"] for each in here["pages"]} == {"synced"}


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[httpx2.AsyncClient]:
    async with browser_of(db, await add(db)) as browser:
        yield browser


async def pull(client: httpx2.AsyncClient, last: int | None = None, **more: str) -> Json:
    query = {"last_pulled_at": "" if last is None else str(last), "schema_version": "1", **more}
    answer = await client.get("/v1/sync/pull", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def push(client: httpx2.AsyncClient, last: int, **tables: Json) -> int:
    answer = await client.post(f"/v1/sync/push?last_pulled_at={last}", json=tables)
    if answer.status_code == 200:
        assert answer.json() == {}
    return answer.status_code


def ids(pulled: Json, table: str, what: str) -> list[str]:
    return [
        each if isinstance(each, str) else each["id"] for each in pulled["changes"][table][what]
    ]


async def test_an_empty_library_is_pulled(ada: httpx2.AsyncClient) -> None:
    nothing: Json = {"created": [], "updated": [], "deleted": []}
    assert await pull(ada) == {"changes": {"folders": nothing, "pages": nothing}, "timestamp": 1}


async def test_each_id_is_told_once_as_created_updated_or_deleted(ada: httpx2.AsyncClient) -> None:
    first = (await ada.post("/v1/pages", json={"address": "https://example.org/1"})).json()["id"]
    before = await pull(ada)
    assert ids(before, "pages", "created") == [first]
    second = (await ada.post("/v1/pages", json={"address": "https://example.org/2"})).json()["id"]
    await ada.patch(f"/v1/pages/{first}", json={"title": "1"})
    await ada.patch(f"/v1/pages/{second}", json={"title": "2"})
    changed = await pull(ada, before["timestamp"])
    assert (ids(changed, "pages", "created"), ids(changed, "pages", "updated")) == (
        [second],
        [first],
    )
    await ada.delete(f"/v1/pages/{first}")
    gone = await pull(ada, changed["timestamp"])
    assert ids(gone, "pages", "deleted") == [first]
    assert ids(gone, "pages", "updated") == []
    assert ids(await pull(ada), "pages", "deleted") == []


async def test_what_a_client_pushed_comes_back_as_updated(ada: httpx2.AsyncClient) -> None:
    now = (await pull(ada))["timestamp"]
    made = {"id": "mine", "address": "https://example.org", "_status": "created", "_changed": ""}
    assert await push(ada, now, pages={"created": [made]}) == 200
    assert ids(await pull(ada, now), "pages", "updated") == ["mine"]


async def test_a_change_of_what_changed_since_is_refused_whole(
    db: Database, ada: httpx2.AsyncClient
) -> None:
    made = (await ada.post("/v1/pages", json={"address": "https://example.org/1"})).json()["id"]
    now = (await pull(ada))["timestamp"]
    await ada.patch(f"/v1/pages/{made}", json={"title": "theirs"})
    mine = {"id": made, "title": "mine"}
    new = {"id": "n", "name": "new"}
    for change in ({"updated": [mine]}, {"deleted": [made]}):
        assert await push(ada, now, folders={"created": [new]}, pages=change) == 409
    assert await rows(db, "select from folders") == []
    now = (await pull(ada))["timestamp"]
    assert await push(ada, now, pages={"updated": [mine]}) == 200
    [row] = await rows(db, "select title, address from pages")
    assert (row["title"], row["address"]) == ("mine", "https://example.org/1")


async def test_created_twice_is_an_update_unless_it_changed_since(ada: httpx2.AsyncClient) -> None:
    made = {"id": "m", "address": "https://example.org/1", "title": "one"}
    assert await push(ada, 0, pages={"created": [made]}) == 200
    again = await push(ada, 0, pages={"created": [{**made, "title": "two"}]})
    assert again == 200
    # The second was a change, so a third finds it changed since its creation.
    assert await push(ada, 0, pages={"created": [{**made, "title": "three"}]}) == 409


async def test_updated_but_missing_is_created_unless_it_was_deleted(
    ada: httpx2.AsyncClient,
) -> None:
    lost = {"id": "lost", "address": "https://example.org/1"}
    assert await push(ada, 0, pages={"updated": [lost]}) == 200
    now = (await pull(ada))["timestamp"]
    assert await push(ada, now, pages={"deleted": ["lost", "never-there"]}) == 200
    now = (await pull(ada))["timestamp"]
    assert await push(ada, now, pages={"updated": [lost]}) == 409
    assert await push(ada, now, pages={"created": [lost]}) == 200
    assert ids(await pull(ada, now), "pages", "deleted") == []


async def test_bad_values_are_corrected(db: Database, ada: httpx2.AsyncClient) -> None:
    folders = [
        {"id": "a", "name": "a", "parent_id": "b"},
        {"id": "b", "name": "b", "parent_id": "a"},
        {"id": "c", "name": "x" * 20_000, "parent_id": "nowhere", "position": "first"},
    ]
    pages = [
        {"id": "p", "address": "not an address", "folder_id": "nowhere", "tags": "no list"},
        {"id": "q", "address": "https://example.org", "title": 7, "archived_at": "now", "x": {}},
        {"id": "s", "kind": "separator", "address": ""},
    ]
    sent: Json = {
        "folders": {"created": folders},
        "pages": {"created": pages},
        "alarms": {"created": [1]},
    }
    assert await push(ada, 0, **sent) == 200
    found = {each["sync_id"]: each for each in await rows(db, "select * from folders")}
    assert len(found["c"]["name"]) == 10_000
    assert found["c"]["parent_id"] is None
    assert {found["a"]["parent_id"], found["b"]["parent_id"]} in (
        {None, found["a"]["id"]},
        {None, found["b"]["id"]},
    )
    kinds = {each["sync_id"]: each["kind"] for each in await rows(db, "select * from pages")}
    assert kinds == {"p": "other", "q": "link", "s": "separator"}


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{",
        b'{"pages": 1}',
        b'{"pages": {"created": [1]}}',
        b'{"pages": {"created": [{"id": "a/b"}]}}',
        b'{"pages": {"deleted": [""]}}',
        pytest.param(b"[" * 100_000, id="nested"),
    ],
)
async def test_what_is_no_change_is_refused(ada: httpx2.AsyncClient, body: bytes) -> None:
    answer = await ada.post("/v1/sync/push?last_pulled_at=1", content=body)
    assert answer.status_code == 422


async def test_too_many_records_are_refused(ada: httpx2.AsyncClient) -> None:
    pages = {"deleted": [str(number) for number in range(10_001)]}
    assert await push(ada, 1, pages=pages) == 413


async def test_who_was_away_too_long_starts_over(db: Database, ada: httpx2.AsyncClient) -> None:
    made = (await ada.post("/v1/pages", json={"address": "https://example.org/1"})).json()["id"]
    old = (await pull(ada))["timestamp"]
    await ada.delete(f"/v1/pages/{made}")
    newest = (await pull(ada))["timestamp"]
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update sync_tombstones set deleted_at = now() - interval '91 days'"
        )
    await prune(db)
    assert await rows(db, "select from sync_tombstones") == []
    too_old = await ada.get("/v1/sync/pull", params={"last_pulled_at": str(old)})
    assert too_old.status_code == 410
    assert too_old.json()["type"].endswith("sync-too-old")
    assert ids(await pull(ada, newest), "pages", "deleted") == []
    assert (await pull(ada))["timestamp"] == newest
    from_the_future = await ada.get("/v1/sync/pull", params={"last_pulled_at": "99999"})
    assert from_the_future.status_code == 410


async def test_a_newer_schema_gets_what_it_did_not_have(ada: httpx2.AsyncClient) -> None:
    plain = (await ada.post("/v1/pages", json={"address": "https://example.org/1"})).json()["id"]
    noted = {"address": "https://example.org/2", "note": "n"}
    with_note = (await ada.post("/v1/pages", json=noted)).json()["id"]
    folder = (await ada.post("/v1/folders", json={"name": "f"})).json()["id"]
    now = (await pull(ada))["timestamp"]
    column = json.dumps(
        {"from": 1, "tables": [], "columns": [{"table": "pages", "columns": ["note"]}]}
    )
    added = await pull(ada, now, migration=column)
    assert ids(added, "pages", "updated") == [with_note]
    table = json.dumps({"from": 1, "tables": ["folders", "unknown"], "columns": []})
    assert ids(await pull(ada, now, migration=table), "folders", "created") == [folder]
    assert plain != with_note
    bad = await ada.get("/v1/sync/pull", params={"migration": "{"})
    assert bad.status_code == 422


async def test_a_page_can_move_out_of_a_folder_that_goes(
    db: Database, ada: httpx2.AsyncClient
) -> None:
    folder = {"id": "f", "name": "f"}
    inside = {"id": str(uuid.uuid4()), "address": "https://example.org/1", "folder_id": "f"}
    assert await push(ada, 0, folders={"created": [folder]}, pages={"created": [inside]}) == 200
    now = (await pull(ada))["timestamp"]
    moved = {"updated": [{**inside, "folder_id": None}]}
    assert await push(ada, now, folders={"deleted": ["f"]}, pages=moved) == 200
    [row] = await rows(db, "select folder_id from pages")
    assert row["folder_id"] is None


def test_values_that_are_none_are_left_out_and_the_rest_is_taken() -> None:
    sent = {"id": "a", "kind": [], "position": 10**400, "created_at": 10**400, "title": "Kept"}
    body = json.dumps({"pages": {"created": [sent]}}).encode()
    [record] = library.read_changes(body).pages.records
    assert record.values["title"] == "Kept"
    assert record.values["position"] == 1e15
    assert not {"kind", "created_at"} & set(record.values)
