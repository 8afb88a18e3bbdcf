"""Lists of sessions and totals: what is on them, in which order, and what a search finds."""

from __future__ import annotations

import unicodedata
import uuid
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Any

import pytest

from mindhit.api.http import paging
from mindhit.db import Database
from mindhit.tracking import store
from tests.accounts.kit import run_jobs
from tests.tracking.kit import START, Json, activate, alive, event, nav
from tests.tracking.readers import Reader, iso, reader

DAY = 86_400_000
A, B = "https://example.org/a", "https://docs.example.com/b"


async def test_sessions_are_listed_newest_first_a_page_at_a_time(db: Database) -> None:
    async with reader(db) as ada:
        for n in range(5):
            await ada.record(f"no. {n}", at=n * DAY)
        first = await ada.get("/sessions", limit=2, page=1)
        last = await ada.get("/sessions", limit=2, page=3)
        beyond = await ada.get("/sessions", limit=2, page=4)
    assert [each["title"] for each in first["sessions"]] == ["no. 4", "no. 3"]
    assert first["pagination"] == {"total": 5, "page": 1, "limit": 2, "has_next": True}
    assert [each["title"] for each in last["sessions"]] == ["no. 0"]
    assert last["pagination"] == {"total": 5, "page": 3, "limit": 2, "has_next": False}
    assert beyond["sessions"] == []
    assert beyond["pagination"] == {"total": 5, "page": 4, "limit": 2, "has_next": False}


async def pages(ada: Reader, **query: Any) -> list[list[str | None]]:
    """Titles, page by page, as a caller who follows the cursors gets them."""
    found: list[list[str | None]] = []
    cursor: str | None = None
    while cursor is not None or not found:
        page = await ada.get("/sessions", **query, **({"cursor": cursor} if cursor else {}))
        found.append([each["title"] for each in page["sessions"]])
        cursor = page["next_cursor"]
    return found


async def test_cursors_lead_through_the_whole_list_once(db: Database) -> None:
    async with reader(db) as ada:
        for n in range(5):
            await ada.record(f"no. {n}", at=n * DAY)
        first = await ada.get("/sessions", limit=2)
        second = await ada.get("/sessions", limit=2, cursor=first["next_cursor"])
        assert (first["total"], second["total"]) == (5, None)
        assert first["pagination"] == {"total": 5, "page": 1, "limit": 2, "has_next": True}
        assert "pagination" not in second
        by_two = [["no. 4", "no. 3"], ["no. 2", "no. 1"], ["no. 0"]]
        assert await pages(ada, limit=2) == by_two
        assert await pages(ada, limit=5) == [[title for page in by_two for title in page]]
        numbered = await ada.get("/sessions", limit=2, page=2)
        assert await ada.titles(limit=2, cursor=numbered["next_cursor"]) == ["no. 0"]


async def test_sessions_of_the_same_moment_are_all_listed(db: Database) -> None:
    async with reader(db) as ada:
        for n in range(7):
            await ada.record(f"no. {n}")
        found = await pages(ada, limit=2)
    assert sorted(title for page in found for title in page if title) == [
        f"no. {n}" for n in range(7)
    ]


async def test_a_cursor_is_exact_to_the_microsecond(db: Database) -> None:
    async with reader(db) as ada:
        for n in range(4):
            await ada.records.start(started_at=f"2025-06-15T12:00:00.00100{n}Z", title=f"no. {n}")
        assert await pages(ada, limit=1) == [["no. 3"], ["no. 2"], ["no. 1"], ["no. 0"]]


async def test_what_comes_and_goes_while_paging_repeats_and_hides_nothing(db: Database) -> None:
    async with reader(db) as ada:
        ids = [await ada.record(f"no. {n}", at=n * DAY) for n in range(6)]
        first = await ada.get("/sessions", limit=2)
        await ada.record("newer", at=9 * DAY)
        for deleted in (ids[4], ids[3]):  # the last that was shown, and one that was not
            assert (await ada.browser.delete(f"/v1/sessions/{deleted}")).status_code == 204
        second = await ada.get("/sessions", limit=2, cursor=first["next_cursor"])
        await ada.record("older", at=-DAY)
        third = await ada.get("/sessions", limit=2, cursor=second["next_cursor"])
    assert [[each["title"] for each in page["sessions"]] for page in (first, second, third)] == [
        ["no. 5", "no. 4"],
        ["no. 2", "no. 1"],
        ["no. 0", "older"],
    ]
    assert third["next_cursor"] is None


async def test_cursors_keep_to_the_filters(db: Database) -> None:
    async with reader(db) as ada, reader(db, "eve@example.org") as eve:
        for n in range(8):
            await ada.record(f"no. {n}", activate(1, n * DAY, A if n % 2 else B), at=n * DAY)
        await eve.record("no. 9", activate(1, 0, A), at=DAY)
        await run_jobs(db)
        await ada.records.start(started_at=START + 9 * DAY, title="no. 8")
        span = {"from": iso(DAY), "to": iso(6 * DAY)}
        for query, expected in (
            ({"search": "no. "}, [8, 7, 6, 5, 4, 3, 2, 1, 0]),
            ({"search": "no. ", "domain": "example.org"}, [7, 5, 3, 1]),
            ({"domain": "example.com"}, [6, 4, 2, 0]),
            ({"status": "completed", **span}, [5, 4, 3, 2, 1]),
            ({"domain": "example.org", "status": "completed", "search": "no", **span}, [5, 3, 1]),
            ({"status": "recording"}, [8]),
        ):
            found = await pages(ada, limit=2, **query)
            assert [title for page in found for title in page] == [f"no. {n}" for n in expected]
            assert [len(page) for page in found[:-1]] == [2] * (len(found) - 1), query
        [beyond, *_] = await pages(eve, limit=1)
        assert beyond == ["no. 9"]


async def test_a_page_deep_in_the_list_reads_no_more_than_the_first(db: Database) -> None:
    """Whatever the server plans: with the values that it is given, and without."""
    reader_id, last_id = uuid.uuid4(), uuid.uuid4()
    values = f"'{reader_id}', null, null, '{datetime.now(UTC)}', '{last_id}', 0, 21"
    async with db.transaction() as tx:
        connection = tx._connection
        await connection.execute(
            "set local enable_seqscan = off; set local enable_bitmapscan = off"
        )
        await connection.execute(f"prepare listed as {store.session_list.LIST.sql}")
        for mode in ("force_custom_plan", "force_generic_plan"):
            await connection.execute(f"set local plan_cache_mode = {mode}")
            rows = await connection.fetch(f"explain execute listed({values})")
            plan = "\n".join(row[0] for row in rows)
            listed = plan[plan.index("Limit") :]
            assert "Index Only Scan using sessions_by_start" in listed, plan
            [condition] = [line for line in listed.splitlines() if "ROW(" in line]
            assert "Index Cond" in condition, plan
            assert "TokenType" not in listed.partition("Index Only Scan")[0], plan
        await connection.execute("deallocate listed")


async def test_a_cursor_that_was_not_given_out_is_refused(db: Database) -> None:
    async with reader(db) as ada:
        await ada.record("any")
        for cursor in (
            "???",
            "AAAA",
            paging.encode(5),
            paging.encode((5, "x")),
            paging.encode((2**62, uuid.uuid4())),
            paging.encode(("2026-01-01T00:00:00Z", uuid.uuid4())),
        ):
            answer = await ada.browser.get("/v1/sessions", params={"cursor": cursor})
            assert answer.status_code == 422, cursor
        cursor = paging.encode_time(datetime.now(UTC), uuid.uuid4())
        answer = await ada.browser.get("/v1/sessions", params={"cursor": cursor, "page": 1})
        assert answer.status_code == 422


async def test_a_summary_has_what_the_writes_keep(db: Database) -> None:
    async with reader(db) as ada:
        closed = await ada.record("closed", activate(1, 0, A), nav(2, 2_000, B), alive(3, 2_500))
        await run_jobs(db)
        running = await ada.records.start(started_at=START + DAY)
        await ada.records.send(running, activate(1, DAY, B), nav(2, DAY + 10, A))
        listed = (await ada.get("/sessions"))["sessions"]
        device = (await ada.get("/devices"))["items"]
    assert [each["id"] for each in listed] == [running, closed]
    assert listed[0]["top_domains"] == ["docs.example.com"]
    assert (listed[0]["ended_at"], listed[0]["last_event_at"]) == (None, iso(DAY + 10))
    assert listed[1] == {
        "id": closed,
        "title": "closed",
        "title_by": "reader",
        "named_after": None,
        "status": "completed",
        "started_at": iso(0),
        "ended_at": iso(3_500),
        "last_event_at": iso(2_500),
        "total_duration_ms": 3_500,
        "page_count": 2,
        "highlight_count": 0,
        "top_keywords": [],
        "top_domains": ["example.org", "docs.example.com"],
        "device_id": next(each["id"] for each in device if each["name"] == "a program"),
        "is_incomplete": False,
        "is_over_limit": False,
        "expires_at": None,
    }


async def test_lists_have_nothing_of_others(db: Database) -> None:
    async with reader(db) as ada, reader(db, "eve@example.org") as eve:
        await ada.record("secret", activate(1, 0, A), alive(2, 100))
        assert await eve.titles() == []
        assert await eve.titles(search="secret") == []
        assert await eve.titles(domain="example.org") == []
        totals = await eve.get("/totals", **{"from": iso(-DAY), "to": iso(DAY)})
        assert (totals["domains"], totals["focused_ms"]) == ([], 0)


async def a_library(ada: Reader) -> None:
    """Sessions that differ in what a search could find them by."""
    await ada.record("Sourdough 100%", activate(1, 0, A), at=0)
    await ada.record("under_score", activate(1, 1, B, title="Straße und ÉCLAIRS"), at=1)
    await ada.record("back\\slash", activate(1, 2, B, title="한국어 위키백과 🎈"), at=2)
    await ada.record(
        'it\'s "quoted"', activate(1, 3, "https://쇼핑.example/", title="A page"), at=3
    )
    await ada.record(None, activate(1, 4, "https://old.reddit.com/r/x"), at=4)
    await run_jobs_of(ada)


async def run_jobs_of(ada: Reader) -> None:
    await run_jobs(ada.records.db)


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("sourdough", ["Sourdough 100%"]),
        ("100%", ["Sourdough 100%"]),
        ("%", ["Sourdough 100%"]),
        ("_", ["under_score"]),
        ("\\", ["back\\slash"]),
        ("éclairs", ["under_score"]),
        ("위키백과", ["back\\slash"]),
        ("🎈", ["back\\slash"]),
        ("it's", ['it\'s "quoted"']),
        ('"', ['it\'s "quoted"']),
        ("'; drop table sessions; --", []),
        ("REDDIT.com", [None]),
        ("docs.example", ["back\\slash", "under_score"]),
        ("a page", ['it\'s "quoted"']),
        ("  ", [None, 'it\'s "quoted"', "back\\slash", "under_score", "Sourdough 100%"]),
    ],
)
async def test_a_search_finds_what_was_written_and_nothing_else(
    db: Database, search: str, found: list[str | None]
) -> None:
    async with reader(db) as ada:
        await a_library(ada)
        assert await ada.titles(search=search) == found


async def test_decomposed_hangul_finds_what_is_composed(db: Database) -> None:
    async with reader(db) as ada:
        await a_library(ada)
        assert await ada.titles(search="\u1112\u1161\u11ab국어") == ["back\\slash"]


async def test_composed_hangul_finds_what_was_decomposed(db: Database) -> None:
    """As a file's name is on some machines, and so the title of a page that shows it."""
    async with reader(db) as ada:
        jamo = unicodedata.normalize("NFD", "한국어 문서")
        assert jamo != "한국어 문서"
        await ada.record("page", activate(1, 0, A, title=jamo), nav(2, 10, B))
        await ada.record("text", activate(1, 0, A), text_named(2, 5, A, jamo), at=1)
        await ada.record(jamo, at=2)
        for search in ("한국어", unicodedata.normalize("NFD", "한국어")):
            assert sorted(await ada.titles(search=search), key=str) == [
                "page",
                "text",
                "한국어 문서",
            ]


def text_named(seq: int, at: int, url: str, title: str) -> Json:
    payload = {"content": "text", "meta": {"title": title}}
    return event(seq, "CONTENT_EXTRACTED", at, tabId=1, url=url, payload=payload)


async def test_the_page_that_is_open_now_is_found(db: Database) -> None:
    async with reader(db) as ada, reader(db, "eve@example.org") as eve:
        session = await ada.records.start(started_at=START, title="now")
        await ada.records.send(session, activate(1, 0, B, title="Axolotls"), alive(2, 100))
        for query in (
            {"search": "axolotl"},
            {"search": "docs.example"},
            {"domain": "example.com"},
            {"search": "AXO", "domain": "docs.example.com"},
        ):
            assert await ada.titles(**query) == ["now"], query
            assert await eve.titles(**query) == [], query
        assert await ada.titles(search="axolotl", domain="example.org") == []
        await ada.records.send(session, nav(3, 200, A, title="Newts"))
        assert await ada.titles(search="newts") == ["now"]
        assert await ada.titles(search="axolotl") == ["now"]
        await ada.records.stop(session, 300, 3)
        assert await ada.titles(search="newts") == ["now"]


async def test_what_cannot_be_a_search_is_refused(db: Database) -> None:
    async with reader(db) as ada:
        for query in (
            {"search": "a\x00b"},
            {"search": "x" * 201},
            {"page": 0},
            {"page": "many"},
            {"page": 10**9},
            {"limit": 0},
            {"limit": 101},
            {"status": "done"},
            {"from": "yesterday"},
            {"from": "2026-01-01T00:00:00"},
            {"to": "0.5"},
            {"to": "2026-01-01"},
        ):
            answer = await ada.browser.get("/v1/sessions", params=query)
            assert answer.status_code == 422, query
            assert answer.headers["content-type"] == "application/problem+json"


async def test_filters_narrow_the_list(db: Database) -> None:
    async with reader(db) as ada:
        await ada.record("first", activate(1, 0, A), at=0)
        await ada.record("second", activate(1, DAY, B), at=DAY)
        await run_jobs(db)
        await ada.records.start(started_at=START + 2 * DAY, title="third")
        assert await ada.titles(status="recording") == ["third"]
        assert await ada.titles(status="completed", search="s") == ["second", "first"]
        assert await ada.titles(**{"from": iso(DAY)}) == ["third", "second"]
        assert await ada.titles(to=iso(DAY)) == ["first"]
        assert await ada.titles(**{"from": iso(2 * DAY), "to": iso(DAY)}) == []
        assert await ada.titles(domain="example.com") == ["second"]
        assert await ada.titles(domain="https://WWW.example.org/x") == ["first"]
        assert await ada.titles(domain="xample.com") == []
        assert await ada.titles(domain="no domain at all") == []
        listed = await ada.get("/sessions", status="completed", limit=1)
        assert listed["total"] == 2


async def test_moments_at_the_ends_of_the_calendar_are_moments(db: Database) -> None:
    async with reader(db) as ada:
        await ada.record("any", activate(1, 0, A))
        await run_jobs(db)
        ends = {"from": "0001-01-01T00:00:00+14:00", "to": "9999-12-31T23:59:59.999999-14:00"}
        assert await ada.titles(**ends) == ["any"]
        assert (await ada.get("/totals", **ends))["visits"] == 1
        assert (await ada.get("/totals", to=ends["from"]))["visits"] == 0


async def test_totals_count_visits_up_to_the_edges_of_the_range(db: Database) -> None:
    async with reader(db) as ada:
        await ada.record(
            None,
            activate(1, 0, A),
            nav(2, 10_000, B),
            nav(3, 10_500, "https://example.org/other"),
            event(4, "WINDOW_FOCUS_CHANGED", 12_000, windowId=-1),
            alive(5, 20_000),
        )
        await run_jobs(db)
        totals = await ada.get("/totals", **{"from": iso(9_000), "to": iso(11_000)})
        top = await ada.get("/totals", **{"from": iso(0), "to": iso(DAY), "limit": 1})
        nothing = await ada.get("/totals", **{"from": iso(11_000), "to": iso(9_000)})
    assert totals == {
        "from": iso(9_000),
        "to": iso(11_000),
        "focused_ms": 2_000,
        "visits": 3,
        "pages": 3,
        "domains": [
            {"domain": "example.org", "focused_ms": 1_500, "visits": 2, "pages": 2},
            {"domain": "docs.example.com", "focused_ms": 500, "visits": 1, "pages": 1},
        ],
    }
    assert [each["domain"] for each in top["domains"]] == ["example.org"]
    assert (top["focused_ms"], top["visits"]) == (12_000, 3)
    assert (nothing["focused_ms"], nothing["domains"]) == (0, [])


async def test_totals_are_of_the_last_week_unless_said_otherwise(db: Database) -> None:
    async with reader(db) as ada:
        totals = await ada.get("/totals")
    until = datetime.fromisoformat(totals["to"])
    assert abs(datetime.now(UTC) - until) < timedelta(minutes=1)
    assert until - datetime.fromisoformat(totals["from"]) == timedelta(days=7)


async def test_a_visit_over_midnight_counts_on_both_days_of_the_calendar(db: Database) -> None:
    async with reader(db) as ada:
        await ada.browser.patch("/v1/me/settings", json={"timezone": "Asia/Seoul"})
        seoul = timezone(timedelta(hours=9))
        began = datetime.fromtimestamp(START / 1000, seoul)
        midnight = datetime.combine(began.date() + timedelta(days=1), time(), seoul)
        late = int(midnight.timestamp() * 1000) - START - 4_000
        await ada.record(None, activate(1, late, A), alive(2, late + 10_000), at=late)
        await run_jobs(db)
        found = await ada.get("/totals/calendar", **{"from": str(began.date()), "count": 2})
    assert found["days"] == [
        {"date": str(began.date()), "focused_ms": 4_000, "visits": 1},
        {"date": str(midnight.date()), "focused_ms": 7_000, "visits": 1},
    ]
