"""Folders and pages over the API, and how long they stay."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from mindhit import library, wiring
from mindhit.db import Database
from mindhit.work import enqueue
from mindhit.work.testing import pass_time
from tests.accounts.kit import PASSWORD, add, browser_of, rows, run_jobs, settings
from tests.tracking.contract import record

Json = dict[str, Any]


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[httpx2.AsyncClient]:
    async with browser_of(db, await add(db)) as browser:
        yield browser


async def folder(client: httpx2.AsyncClient, name: str, **more: Any) -> Json:
    answer = await client.post("/v1/folders", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def page(client: httpx2.AsyncClient, address: str, **more: Any) -> Json:
    answer = await client.post("/v1/pages", json={"address": address, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def listed(client: httpx2.AsyncClient, **query: Any) -> list[Json]:
    answer = await client.get("/v1/pages", params=query)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["pages"])


async def test_folders_make_a_tree_in_order(ada: httpx2.AsyncClient) -> None:
    b = await folder(ada, "b")
    a = await folder(ada, "a", position=b["position"] - 0.5)
    inner = await folder(ada, "inner", parent_id=b["id"])
    found = (await ada.get("/v1/folders")).json()["folders"]
    assert [each["name"] for each in found] == ["a", "b", "inner"]
    moved = await ada.patch(f"/v1/folders/{a['id']}", json={"parent_id": inner["id"]})
    assert moved.json()["parent_id"] == inner["id"]
    renamed = await ada.patch(f"/v1/folders/{a['id']}", json={"name": " A  is\nhere "})
    assert (renamed.json()["name"], renamed.json()["parent_id"]) == ("A is here", inner["id"])
    into_itself = await ada.patch(f"/v1/folders/{b['id']}", json={"parent_id": a["id"]})
    assert into_itself.status_code == 422
    assert into_itself.json()["type"].endswith("bad-folder")
    top = await ada.patch(f"/v1/folders/{a['id']}", json={"parent_id": None})
    assert top.json()["parent_id"] is None


async def test_a_deleted_folder_takes_all_that_is_in_it(
    db: Database, ada: httpx2.AsyncClient
) -> None:
    outer = await folder(ada, "outer")
    inner = await folder(ada, "inner", parent_id=outer["id"])
    await page(ada, "https://example.org/in", folder_id=inner["id"])
    kept = await page(ada, "https://example.org/kept")
    await page(ada, "https://example.org/kept", folder_id=outer["id"])
    assert (await ada.delete(f"/v1/folders/{outer['id']}")).status_code == 204
    assert [each["id"] for each in await listed(ada)] == [kept["id"]]
    buried = await rows(db, "select table_name, count(*) as n from sync_tombstones group by 1")
    assert {each["table_name"]: each["n"] for each in buried} == {"folders": 2, "pages": 2}
    held = await rows(db, "select u.url, r.holders from reader_urls r join urls u on u.id = url_id")
    assert {each["url"]: each["holders"] for each in held} == {
        "https://example.org/in": [],
        "https://example.org/kept": ["library"],
    }


async def test_a_page_is_saved_once_in_a_folder(ada: httpx2.AsyncClient) -> None:
    """At whichever address: the page is the same."""
    first = await page(ada, "http://www.example.org/a?utm_source=x", title="A", tags=["x", "x"])
    again = await ada.post("/v1/pages", json={"address": "https://example.org/a", "title": "B"})
    assert (again.status_code, again.json()) == (200, first)
    assert first["address"] == "http://www.example.org/a?utm_source=x"
    assert first["tags"] == ["x"]
    elsewhere = await page(ada, "example.org/a", folder_id=(await folder(ada, "f"))["id"])
    assert elsewhere["url_id"] == first["url_id"]
    assert elsewhere["address"] == "https://example.org/a"


async def test_what_is_no_link_is_kept_as_text(ada: httpx2.AsyncClient) -> None:
    script = await page(ada, "javascript:alert(1)")
    assert (script["kind"], script["url_id"], script["enrichment"]) == ("other", None, None)
    refused = await ada.post(f"/v1/pages/{script['id']}/enrich")
    assert refused.status_code == 400
    for address in ("https://", "http://[::1", "   "):
        bad = await ada.post("/v1/pages", json={"address": address})
        assert bad.status_code == 422


async def test_a_page_is_changed_field_by_field(db: Database, ada: httpx2.AsyncClient) -> None:
    made = await page(ada, "https://example.org/a", title="A", note="n\r\nm", tags=["t"])
    assert made["note"] == "n\nm"
    where = f"/v1/pages/{made['id']}"
    for change, expected in (
        ({"title": "B"}, {"title": "B", "note": "n\nm", "tags": ["t"]}),
        ({"note": ""}, {"title": "B", "note": None}),
        ({"tags": ["u", "v"]}, {"tags": ["u", "v"], "title": "B"}),
        ({"position": 7.5}, {"position": 7.5}),
        ({"address": "https://example.net/b"}, {"domain": "example.net", "title": "B"}),
    ):
        changed = (await ada.patch(where, json=change)).json()
        assert {name: changed[name] for name in expected} == expected
    assert (await ada.patch(where, json={"archived": True})).json()["archived_at"] is not None
    assert await listed(ada) == []
    assert len(await listed(ada, archived="true")) == 1
    assert (await ada.patch(where, json={"archived": False})).json()["archived_at"] is None
    held = await rows(
        db, "select u.url from reader_urls r join urls u on u.id = url_id where r.holders <> '{}'"
    )
    assert [each["url"] for each in held] == ["https://example.net/b"]


async def test_lists_go_on_behind_their_cursor(ada: httpx2.AsyncClient) -> None:
    inside = await folder(ada, "f")
    made = [
        await page(ada, f"https://example.org/{n}", folder_id=inside["id"], position=10 - n)
        for n in range(5)
    ]
    for query, expected in (
        ({}, [each["id"] for each in reversed(made)]),
        ({"folder": inside["id"]}, [each["id"] for each in reversed(made)]),
    ):
        found: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            more = {"cursor": cursor} if cursor else {}
            answer = (await ada.get("/v1/pages", params={**query, "limit": 2, **more})).json()
            found += [each["id"] for each in answer["pages"]]
            cursor = answer["next_cursor"]
        assert found == expected
    assert await listed(ada, folder="top") == []
    assert len(await listed(ada, domain="example.org")) == 5
    assert len(await listed(ada, domain="ample.org")) == 0


async def test_several_pages_are_changed_at_once(ada: httpx2.AsyncClient) -> None:
    made = [(await page(ada, f"https://example.org/{n}", tags=["old"]))["id"] for n in range(3)]
    there = await folder(ada, "f")
    change = {"ids": made, "folder_id": there["id"], "add_tags": ["new"], "remove_tags": ["old"]}
    assert (await ada.post("/v1/pages/batch", json=change)).status_code == 204
    moved = await listed(ada, folder=there["id"])
    assert [each["id"] for each in moved] == made
    assert {tuple(each["tags"]) for each in moved} == {("new",)}
    assert (await ada.get("/v1/pages/tags")).json() == {"tags": [{"tag": "new", "pages": 3}]}
    nobodys = {"ids": [*made, there["id"]], "delete": True}
    assert (await ada.post("/v1/pages/batch", json=nobodys)).status_code == 404
    assert len(await listed(ada)) == 3
    assert (await ada.post("/v1/pages/batch", json={"ids": made, "delete": True})).is_success
    assert await listed(ada) == []


async def test_an_address_is_looked_up(ada: httpx2.AsyncClient) -> None:
    made = await page(ada, "https://example.org/a")
    known = await ada.post("/v1/pages/lookup", json={"address": "http://example.org/a#top"})
    assert [each["id"] for each in known.json()["pages"]] == [made["id"]]
    assert known.json()["seen"] is None
    unknown = await ada.post("/v1/pages/lookup", json={"address": "https://example.org/b"})
    assert unknown.json() == {"pages": [], "seen": None}


async def test_counters_grow_with_every_change(db: Database, ada: httpx2.AsyncClient) -> None:
    made = await page(ada, "https://example.org/a")
    await ada.patch(f"/v1/pages/{made['id']}", json={"title": "B"})
    [row] = await rows(db, "select created_seq, seq from pages")
    [state] = await rows(db, "select seq, floor from user_sync_state")
    assert row["created_seq"] == 2
    assert row["seq"] == state["seq"] == 3
    assert state["floor"] == 0


async def sweep(db: Database) -> None:
    """Everything that the scheduler ever starts, and what waits for a quiet moment."""
    async with db.transaction() as tx:
        for each in wiring.product(settings()).schedules:
            await enqueue(tx, each.job)
    await pass_time(db, 86_400)
    await run_jobs(db)


async def test_a_saved_page_outlives_its_sessions_the_sweeps_and_other_people(db: Database) -> None:
    ada, eve = await add(db), await add(db, "eve@example.org")
    saved = {"address": "https://example.org/met", "tags": ["mine"]}
    for person in (ada, eve):
        async with browser_of(db, person) as browser:
            session = await record(browser, "met")
            page = {**saved, "note": person.email}
            assert (await browser.post("/v1/pages", json=page)).status_code == 201
            await run_jobs(db)
            known = await browser.post("/v1/pages/lookup", json={"address": saved["address"]})
            assert known.json()["seen"]["visits"] == 1
            assert known.json()["seen"]["highlights"] == 1
            assert (await browser.delete(f"/v1/sessions/{session}")).status_code == 204
    async with db.transaction() as tx:  # as if it had been read
        await tx._connection.execute(
            "insert into link_metadata (url_id, state, title, enriched_at)"
            " select distinct url_id, 'enriched', 'Its title', now() from pages"
        )
    await sweep(db)
    async with browser_of(db, eve) as browser:
        farewell = {"email": eve.email, "password": PASSWORD}
        assert (await browser.post("/v1/me/erase", json=farewell)).status_code == 202
    await run_jobs(db)
    await sweep(db)
    assert await rows(db, "select from users where id = $1", eve.id) == []
    async with db.read() as tx:
        [left] = await library.list_pages(tx, ada.id, library.PageFilter(), limit=5)
    assert (left.address, left.domain, left.note, left.tags) == (
        *("https://example.org/met", "example.org"),
        *(ada.email, ["mine"]),
    )
    assert left.link is not None
    assert left.link.title == "Its title"
    assert len(await rows(db, "select from urls")) == 1
    async with browser_of(db, ada) as browser:
        assert (await browser.delete(f"/v1/pages/{left.id}")).status_code == 204
    await sweep(db)
    assert await rows(db, "select from urls") == []
