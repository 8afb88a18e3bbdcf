"""One page in all sessions: its text, its visits, its highlights, and the pages around it."""

from __future__ import annotations

from uuid import uuid4

from mindhit import urls
from mindhit.db import Database
from tests.accounts.kit import run_jobs
from tests.tracking.kit import Json, activate, alive, event, nav
from tests.tracking.readers import Reader, iso, reader

A, B, C = "https://example.org/a", "https://example.org/b", "https://other.example/c"
HOUR = 3_600_000


def path_of(url: str) -> str:
    return f"/visited/{urls.normalise(url).id}"


def walk(at: int) -> list[Json]:
    """From A to B, where something is highlighted, and on to C; then B again, behind another program."""
    text = {"content": "What B says.", "extractionOk": True, "title": "Page B"}
    return [
        event(1, "WINDOW_FOCUS_CHANGED", at, windowId=1, payload={"focused": True}),
        activate(2, at, A, title="Page A"),
        nav(3, at + 1_000, B, title="Page B", transition="link"),
        event(4, "CONTENT_EXTRACTED", at + 1_100, tabId=1, url=B, payload=text),
        event(5, "HIGHLIGHT", at + 1_500, tabId=1, url=B, payload={"text": f"marked {at}"}),
        nav(6, at + 3_000, C, title="Page C", transition="link"),
        nav(7, at + 4_000, B, title="Page B again", transition="link"),
        event(8, "WINDOW_FOCUS_CHANGED", at + 4_500, windowId=-1),
        alive(9, at + 5_000),
    ]


async def recorded(ada: Reader, sessions: int = 2) -> list[str]:
    ids = [await ada.record(f"Walk {n}", *walk(n * HOUR), at=n * HOUR) for n in range(sessions)]
    await run_jobs(ada.records.db)
    return ids


async def test_a_page_has_its_visits_of_all_sessions_and_what_is_around_it(db: Database) -> None:
    async with reader(db) as ada:
        first, second = await recorded(ada)
        page = await ada.get(path_of(B))
    assert (page["url"], page["domain"], page["title"]) == (B, "example.org", "Page B again")
    assert (page["text"], page["content_status"]) == ("What B says.", "extracted")
    assert (page["summary"], page["keywords"]) == (None, [])
    assert (page["first_at"], page["last_at"]) == (iso(1_000), iso(HOUR + 4_500))
    assert (page["visit_count"], page["focused_ms"]) == (4, 5_000)
    assert [
        (each["session_title"], each["entered_at"], each["is_focused"]) for each in page["visits"]
    ] == [
        ("Walk 1", iso(HOUR + 4_500), False),
        ("Walk 1", iso(HOUR + 4_000), True),
        ("Walk 1", iso(HOUR + 1_000), True),
        ("Walk 0", iso(4_500), False),
        ("Walk 0", iso(4_000), True),
        ("Walk 0", iso(1_000), True),
    ]
    assert {each["session_id"] for each in page["visits"]} == {first, second}
    assert (page["visits"][-1]["came_from"], page["visits"][-1]["transition"]) == (A, "link")
    assert [each["text"] for each in page["highlights"]] == [f"marked {HOUR}", "marked 0"]
    around = {
        name: {(each["url"], each["title"]) for each in page[name]}
        for name in ("reached_from", "opened")
    }
    assert around["opened"] == {(C, "Page C")}
    assert {url for url, _ in around["reached_from"]} == {A, C}


async def test_what_is_forgotten_is_no_page_any_more(db: Database) -> None:
    async with reader(db) as ada:
        await recorded(ada)
        answer = await ada.browser.post("/v1/forget", json={"url": B})
        assert answer.status_code == 200, answer.text
        assert (await ada.browser.get(f"/v1{path_of(B)}")).status_code == 404
        left = await ada.get(path_of(C))
        assert (left["reached_from"], left["visit_count"]) == ([], 2)


async def test_others_pages_and_pages_never_visited_are_not_found(db: Database) -> None:
    async with reader(db) as ada, reader(db, "eve@example.org") as eve:
        await recorded(ada, 1)
        await eve.record("Hers", activate(1, 0, B, title="Eve's B"), alive(2, 1_000))
        await run_jobs(db)
        for path in (path_of(A), f"/visited/{uuid4()}"):
            answer = await eve.browser.get(f"/v1{path}")
            assert (answer.status_code, answer.json()["type"]) == (
                404,
                "urn:mindhit:problem:page-not-visited",
            )
        hers = await eve.get(path_of(B))
        assert (hers["text"], hers["highlights"], hers["visit_count"]) == (None, [], 1)
