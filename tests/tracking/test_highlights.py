"""Highlights of all sessions and the notes on them: listed, kept by refolds, gone with what is forgotten."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import pytest

from mindhit import tracking
from mindhit.db import Database
from mindhit.tracking import HighlightNotFound, SessionId, refold
from mindhit.tracking.forgetting import forget as forgetting
from tests.accounts.kit import rows, run_jobs
from tests.tracking.kit import Json, activate, alive, event, nav
from tests.tracking.readers import Reader, iso, reader

A, B = "https://example.org/a", "https://other.example/b"
HOUR = 3_600_000


def marked(at: int = 0) -> list[Json]:
    """A text highlighted on each of two pages."""
    return [
        activate(1, at, A, title="Page A"),
        event(2, "HIGHLIGHT", at + 1_000, tabId=1, url=A, payload={"text": f"first {at}"}),
        nav(3, at + 2_000, B, title="Page B"),
        event(4, "HIGHLIGHT", at + 3_000, tabId=1, url=B, payload={"text": f"second {at}"}),
        alive(5, at + 4_000),
    ]


async def recorded(ada: Reader, sessions: int = 1) -> list[str]:
    ids = [
        await ada.record(f"Session {n}", *marked(n * HOUR), at=n * HOUR) for n in range(sessions)
    ]
    await run_jobs(ada.records.db)
    return ids


async def highlights(ada: Reader) -> list[Json]:
    found: list[Json] = (await ada.get("/highlights"))["highlights"]
    return found


async def write(ada: Reader, highlight: Json, note: str | None) -> Json:
    answer = await ada.browser.patch(f"/v1/highlights/{highlight['id']}", json={"note": note})
    assert answer.status_code == 200, answer.text
    changed: Json = answer.json()
    return changed


async def notes(db: Database) -> list[str]:
    return [
        each["note"] for each in await rows(db, "select note from highlight_notes order by seq")
    ]


async def test_highlights_of_all_sessions_come_newest_first_and_page_by_page(db: Database) -> None:
    async with reader(db) as ada:
        sessions = await recorded(ada, 3)
        cursor: Json = {}
        texts: list[str] = []
        for _ in range(3):
            listed = await ada.get("/highlights", limit=2, **cursor)
            texts += [each["text"] for each in listed["highlights"]]
            cursor = {"cursor": listed["next_cursor"]}
        assert cursor == {"cursor": None}
        at = [2 * HOUR, HOUR, 0]
        assert texts == [f"{which} {n}" for n in at for which in ("second", "first")]
        newest = (await highlights(ada))[0]
        newest.pop("id")
        assert newest == {
            "text": f"second {2 * HOUR}",
            "note": None,
            "url_id": newest["url_id"],
            "url": B,
            "domain": "other.example",
            "title": "Page B",
            "favicon": None,
            "created_at": iso(2 * HOUR + 3_000),
            "page_visit_id": f"{sessions[2]}:3",
            "session_id": sessions[2],
            "session_title": "Session 2",
        }


async def looked_up(ada: Reader, address: str) -> list[str]:
    path = "/v1/highlights/lookup"
    answer = await ada.records.client.post(path, json={"address": address})
    assert answer.status_code == 200, answer.text
    found: list[str] = answer.json()["texts"]
    return found


async def test_an_extension_looks_up_what_was_highlighted_on_a_page(db: Database) -> None:
    async with reader(db) as ada, reader(db, "eve@example.org") as eve:
        await recorded(ada, 2)
        assert await looked_up(ada, f"{A}?utm_source=news#part") == [f"first {HOUR}", "first 0"]
        assert await looked_up(ada, B) == [f"second {HOUR}", "second 0"]
        assert await looked_up(ada, "https://example.org/other") == []
        assert await looked_up(ada, "about:blank") == []
        assert await looked_up(eve, A) == []


async def test_a_note_is_written_changed_and_deleted(db: Database) -> None:
    async with reader(db) as ada:
        [session] = await recorded(ada)
        second, first = await highlights(ada)
        assert (await write(ada, first, "  why it matters\n두 번째 줄 "))["note"] == (
            "why it matters\n두 번째 줄"
        )
        assert [each["note"] for each in (await ada.show(session))["highlights"]] == [
            "why it matters\n두 번째 줄",
            None,
        ]
        await write(ada, first, "changed")
        await write(ada, second, "another")
        assert [each["note"] for each in await highlights(ada)] == ["another", "changed"]
        assert (await write(ada, first, ""))["note"] is None
        await write(ada, second, None)
        assert await notes(db) == []


@pytest.mark.parametrize("note", ["x" * 10_001, "a\x00b", 7])
async def test_a_note_that_cannot_be_kept_is_refused(db: Database, note: object) -> None:
    async with reader(db) as ada:
        await recorded(ada)
        path = f"/v1/highlights/{(await highlights(ada))[0]['id']}"
        assert (await ada.browser.patch(path, json={"note": note})).status_code == 422
        assert await notes(db) == []


async def test_a_refold_leaves_notes_as_they_are(db: Database) -> None:
    async with reader(db) as ada:
        [session] = await recorded(ada)
        for each in await highlights(ada):
            await write(ada, each, f"on {each['text']}")
        before = await highlights(ada)
        async with db.transaction() as tx:
            await refold(tx, ada.records.person.id, SessionId(UUID(session)))
        assert await highlights(ada) == before
        assert await notes(db) == ["on first 0", "on second 0"]


@pytest.mark.parametrize("is_later", [False, True])
async def test_a_forgotten_highlight_takes_its_note_along(
    db: Database, monkeypatch: pytest.MonkeyPatch, is_later: bool
) -> None:
    """In the request, whether the rest is done there or by a job."""
    if is_later:
        monkeypatch.setattr(forgetting, "MOST_EVENTS", 0)
    async with reader(db) as ada:
        await recorded(ada)
        for each in await highlights(ada):
            await write(ada, each, f"on {each['text']}")
        answer = await ada.browser.post("/v1/forget", json={"domain": "other.example"})
        assert answer.status_code == 200, answer.text
        assert await notes(db) == ["on first 0"]
        await run_jobs(db)
        assert await notes(db) == ["on first 0"]
        assert [each["note"] for each in await highlights(ada)] == ["on first 0"]


async def test_a_note_that_waited_for_forgetting_is_not_written(db: Database) -> None:
    async with reader(db) as ada:
        [session] = await recorded(ada)
        highlight = UUID((await highlights(ada))[0]["id"])
        user_id = ada.records.person.id

        async def write_late() -> None:
            async with db.transaction() as tx:
                await tracking.write_note(tx, user_id, highlight, "too late")

        async with db.transaction() as tx:
            await tx._connection.execute(
                "select from sessions where id = $1 for no key update", UUID(session)
            )
            waiting = asyncio.create_task(write_late())
            while not await rows(db, "select 1 from pg_locks where not granted"):
                await asyncio.sleep(0)
            await tx._connection.execute("delete from highlights where id = $1", highlight)
        with pytest.raises(HighlightNotFound):
            await waiting
        assert await notes(db) == []


async def test_a_deleted_session_takes_its_notes_along(db: Database) -> None:
    async with reader(db) as ada:
        [session] = await recorded(ada)
        await write(ada, (await highlights(ada))[0], "mine")
        assert (await ada.browser.delete(f"/v1/sessions/{session}")).status_code == 204
        assert await notes(db) == []
        assert await highlights(ada) == []


async def test_others_highlights_are_neither_listed_nor_noted(db: Database) -> None:
    async with reader(db) as ada, reader(db, "eve@example.org") as eve:
        await recorded(ada)
        assert await highlights(eve) == []
        for id_ in ((await highlights(ada))[0]["id"], str(uuid4())):
            answer = await eve.browser.patch(f"/v1/highlights/{id_}", json={"note": "x"})
            assert (answer.status_code, answer.json()["type"]) == (
                404,
                "urn:mindhit:problem:highlight-not-found",
            )
        assert await notes(db) == []
