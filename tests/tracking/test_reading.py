"""One session as its reader sees it: the timeline, and what is done to it."""

from __future__ import annotations

import uuid

from mindhit import urls
from mindhit.db import Database
from tests.accounts.kit import run_jobs
from tests.tracking.kit import START, Json, activate, alive, event, fetch, nav, session_row
from tests.tracking.readers import iso, reader

A, B, C = "https://example.org/a", "https://example.org/b", "https://news.example.com/c"


def text_of(seq: int, at: int, url: str, text: str, title: str | None = None, **meta: str) -> Json:
    payload = {"content": text, "extractionOk": True, "title": title, "meta": meta}
    return event(seq, "CONTENT_EXTRACTED", at, tabId=1, url=url, payload=payload)


async def test_the_page_in_the_foreground_is_counted_before_its_visit_has_ended(
    db: Database,
) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        counts = []
        for seq, url in enumerate([A, B, A], 1):
            show = nav if seq > 1 else activate
            receipt = await ada.records.send(session, show(seq, seq * 1_000, url))
            shown = await ada.show(session)
            counts.append((shown["session"]["page_count"], len(shown["page_visits"])))
            [listed] = (await ada.get("/sessions"))["sessions"]
            assert listed["page_count"] == receipt["pageCount"] == counts[-1][0]
        await ada.records.send(session, event(4, "WINDOW_FOCUS_CHANGED", 4_000, windowId=-1))
        await ada.records.send(session, nav(5, 5_000, C))  # behind another program
        assert (await ada.show(session))["session"]["page_count"] == 2
    assert counts == [(1, 1), (2, 2), (2, 3)]


async def test_a_session_is_shown_with_its_timeline(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record(
            "Reading",
            activate(1, 0, A),
            text_of(2, 100, A, "What A says.", "Page A", favicon="https://example.org/i.png"),
            nav(3, 1_250, B, title="Page B", transition="link"),
            event(4, "HIGHLIGHT", 2_000, tabId=1, url=B, payload={"text": "well said"}),
            event(5, "WINDOW_FOCUS_CHANGED", 3_000, windowId=-1),
            event(6, "IDLE_STATE_CHANGED", 4_000, payload={"state": "locked"}),
            alive(7, 5_000),
        )
        await run_jobs(db)
        shown = await ada.show(session)
    head = shown["session"]
    assert head["title"] == "Reading"
    assert (head["status"], head["started_at"], head["ended_at"]) == (
        "completed",
        iso(0),
        iso(6_000),
    )
    assert (head["total_duration_ms"], head["page_count"], head["highlight_count"]) == (3_000, 2, 1)
    assert (head["acked_seq"], head["event_count"], head["rejected_count"]) == (7, 7, 0)
    assert head["top_domains"] == ["example.org"]
    assert (head["top_keywords"], head["is_incomplete"], head["error"]) == ([], False, None)
    first, second, third = shown["page_visits"]
    assert first == {
        "id": f"{session}:1",
        "url_id": str(urls.normalise(A).id),
        "url": A,
        "domain": "example.org",
        "title": "Page A",
        "favicon": "https://example.org/i.png",
        "summary": None,
        "keywords": [],
        "content_status": "extracted",
        "entered_at": iso(0),
        "left_at": iso(1_250),
        "duration_ms": 1_250,
        "is_focused": True,
        "visit_order": 1,
        "tab_id": 1,
        "transition": None,
        "came_from": None,
    }
    assert (second["title"], second["transition"], second["came_from"]) == ("Page B", "link", A)
    assert (second["content_status"], second["is_focused"]) == (None, True)  # read for under 3 s
    assert (third["url"], third["is_focused"], third["duration_ms"]) == (B, False, 1_000)
    [highlight] = shown["highlights"]
    assert (highlight["text"], highlight["url"], highlight["created_at"]) == (
        "well said",
        B,
        iso(2_000),
    )
    assert highlight["page_visit_id"] == second["id"]
    assert shown["pauses"] == [
        {"kind": "idle", "entered_at": iso(4_000), "left_at": iso(6_000), "duration_ms": 2_000}
    ]
    assert shown["holes"] == []


async def test_the_page_in_the_foreground_is_shown_before_it_is_left(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        await ada.records.send(
            session,
            activate(1, 0, A),
            nav(2, 1_000, B, title="B"),
            event(3, "HIGHLIGHT", 1_200, tabId=1, url=B, payload={"text": "here"}),
            alive(4, 1_500),
        )
        shown = await ada.show(session)
        await ada.records.send(session, nav(5, 2_000, A))
        later = await ada.show(session)
    ended, now = shown["page_visits"]
    assert ended["left_at"] == iso(1_000)
    assert (now["url"], now["title"], now["visit_order"]) == (B, "B", 2)
    assert (now["left_at"], now["duration_ms"], now["is_focused"]) == (None, 500, True)
    assert shown["highlights"][0]["page_visit_id"] == now["id"]
    assert shown["session"]["status"] == "recording"
    assert shown["session"]["top_domains"] == ["example.org"]
    assert [each["id"] for each in later["page_visits"][:2]] == [ended["id"], now["id"]]
    assert later["page_visits"][1]["duration_ms"] == 1_000


async def test_a_pause_that_lasts_is_shown_without_an_end(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        locked = event(2, "IDLE_STATE_CHANGED", 1_000, payload={"state": "locked"})
        await ada.records.send(session, activate(1, 0, A), locked, alive(3, 1_600))
        shown = await ada.show(session)
    assert [each["left_at"] for each in shown["page_visits"]] == [iso(1_000)]
    assert shown["pauses"] == [
        {"kind": "idle", "entered_at": iso(1_000), "left_at": None, "duration_ms": 600}
    ]


async def test_what_never_came_is_shown_as_holes(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        await ada.records.send(session, activate(1, 0, A), nav(4, 3_000, B))
        await ada.records.stop(session, 5_000, 9)
        shown = await ada.show(session)
    assert shown["holes"] == [{"from_seq": 2, "to_seq": 3}, {"from_seq": 5, "to_seq": 9}]
    assert shown["session"]["is_incomplete"] is True
    assert shown["session"]["acked_seq"] == 1


async def test_a_title_is_looked_for_where_the_visit_has_none(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record(None, activate(1, 0, A), nav(2, 1_000, B), alive(3, 2_000))
        [row] = await fetch(db, "select id from urls where url = $1", B)
        async with db.transaction() as tx:
            public = uuid.uuid4()
            await tx._connection.execute(
                "insert into page_contents (id, user_id, title, content, status, summary, keywords)"
                " values ($1, null, 'From the crawl', 'text', 'crawled', 'In short.', '{a,b}')",
                public,
            )
            await tx._connection.execute(
                "update reader_urls set content_id = $1, content_status = 'crawled'"
                " where user_id = $2 and url_id = $3",
                public,
                ada.records.person.id,
                row["id"],
            )
        visits = (await ada.show(session))["page_visits"]
    assert visits[0]["title"] is None
    second = visits[1]
    assert (second["title"], second["content_status"]) == ("From the crawl", "crawled")
    assert (second["summary"], second["keywords"]) == ("In short.", ["a", "b"])


async def test_a_text_of_another_reader_is_never_shown(db: Database) -> None:
    """Not even where a row refers to it, which none should."""
    async with reader(db) as ada, reader(db, "eve@example.org") as eve:
        await ada.record(None, activate(1, 0, A), text_of(2, 10, A, "Ada's mail", "Ada's inbox"))
        session = await eve.record(None, activate(1, 0, A), alive(2, 500))
        await run_jobs(db)
        async with db.transaction() as tx:
            await tx._connection.execute(
                "update page_visits set content_id = c.id from page_contents c"
                " where page_visits.session_id = $1",
                uuid.UUID(session),
            )
            await tx._connection.execute(
                "update reader_urls r set content_id = c.id, content_status = 'extracted'"
                " from page_contents c where r.user_id = $1",
                eve.records.person.id,
            )
        [visit] = (await eve.show(session))["page_visits"]
        assert (visit["title"], visit["favicon"], visit["summary"]) == (None, None, None)
        assert await eve.titles(search="inbox") == []


async def test_a_highlight_outside_of_any_visit_has_none(db: Database) -> None:
    async with reader(db) as ada:
        mark = event(2, "HIGHLIGHT", 10, url=C, payload={"text": "from another place"})
        session = await ada.record(None, activate(1, 0, A), mark)
        [shown] = (await ada.show(session))["highlights"]
    assert (shown["url"], shown["page_visit_id"]) == (C, None)


async def test_a_session_of_5000_visits_is_shown_whole(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        for first in range(1, 5_002, 200):
            events = [
                (nav if n > 1 else activate)(
                    n, n * 100, f"https://example.org/{n % 700}", title=f"제목 {n} 🎈"
                )
                for n in range(first, min(first + 200, 5_002))
            ]
            await ada.records.send(session, *events)
        visits = (await ada.show(session))["page_visits"]
    assert len(visits) == 5_001
    assert [each["visit_order"] for each in visits] == list(range(1, 5_002))
    assert visits[4_999]["title"] == "제목 5000 🎈"


async def test_a_session_is_named_and_loses_its_name(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record("old", activate(1, 0, A))
        path = f"/v1/sessions/{session}"
        named = await ada.browser.patch(path, json={"title": "  한국어 🎈 <b>  "})
        assert (named.status_code, named.json()["title"]) == (200, "한국어 🎈 <b>")
        unnamed = await ada.browser.patch(path, json={"title": None})
        assert unnamed.json()["title"] is None
        for bad in ({}, {"title": ""}, {"title": "x" * 256}, {"title": "a\u0000b"}, {"name": "x"}):
            assert (await ada.browser.patch(path, json=bad)).status_code == 422


async def test_a_deleted_session_is_nowhere(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record("gone", activate(1, 0, A))
        path = f"/v1/sessions/{session}"
        assert (await ada.browser.delete(path)).status_code == 204
        for part in ("", "/mindmap", "/export?format=md", "/progress"):
            assert (await ada.browser.get(path + part)).status_code == 404
        assert (await ada.browser.delete(path)).status_code == 404
        assert (await ada.get("/sessions"))["total"] == 0


async def test_a_session_is_processed_again_once_it_has_stopped(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        path = f"/v1/sessions/{session}/reprocess"
        assert (await ada.browser.post(path)).status_code == 409
        await ada.records.stop(session, 1_000, 0)
        await run_jobs(db)
        again = await ada.browser.post(path)
        assert (again.status_code, again.json()["status"]) == (202, "processing")
    await run_jobs(db)
    assert (await session_row(db, session))["status"] == "completed"


async def test_there_is_no_mind_map_yet(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record(None, activate(1, 0, A))
        assert await ada.get(f"/sessions/{session}/mindmap") == {"mindmap": None}


async def test_nobody_elses_session_is_there(db: Database) -> None:
    async with reader(db) as ada, reader(db, "eve@example.org") as eve:
        session = await ada.record("mine", activate(1, 0, A))
        path = f"/v1/sessions/{session}"
        refused = [
            await eve.browser.get(path),
            await eve.browser.get(f"{path}/mindmap"),
            await eve.browser.get(f"{path}/progress"),
            await eve.browser.get(f"{path}/export?format=json"),
            await eve.browser.patch(path, json={"title": "hers"}),
            await eve.browser.post(f"{path}/reprocess"),
            await eve.browser.delete(path),
        ]
        unknown = await eve.browser.get(f"/v1/sessions/{uuid.uuid4()}")
        assert {each.status_code for each in refused} == {404}
        told = {each.json()["detail"] for each in [*refused, unknown]}
        assert told == {"There is no such session."}
        assert (await ada.show(session))["session"]["title"] == "mine"


async def test_an_answer_that_is_known_is_not_sent_again(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record(None, activate(1, 0, A))
        first = await ada.browser.get(f"/v1/sessions/{session}")
        known = {"If-None-Match": first.headers["etag"]}
        second = await ada.browser.get(f"/v1/sessions/{session}", headers=known)
    assert (second.status_code, second.content) == (304, b"")


async def test_start_is_no_session(db: Database) -> None:
    async with reader(db) as ada:
        for method in ("GET", "PATCH", "DELETE"):
            answer = await ada.browser.request(method, "/v1/sessions/start")
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert (await ada.browser.get("/v1/sessions/nonsense")).status_code == 422
