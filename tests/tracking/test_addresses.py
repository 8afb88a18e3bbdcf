"""The address as seen: wherever a page is shown, linked or exported, it is where it was visited."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from mindhit import urls
from mindhit.db import Database
from mindhit.tracking.rendering import time_of
from tests.accounts.kit import run_jobs
from tests.tracking.kit import START, activate, alive, event, execute, fetch, nav
from tests.tracking.readers import Reader, reader

PLAIN = "http://nas.example/a"
WWW = "https://www.only.example/"
ROUTE = "https://app.example/mail#/inbox/3"
PDF = "https://files.example/On%20Sleep.pdf"
SEEN = [PLAIN, WWW, ROUTE, PDF]


async def a_session(ada: Reader, title: str | None = None) -> str:
    session = await ada.record(
        title,
        activate(1, 0, f"{PLAIN}?utm_source=mail", title="NAS"),
        nav(2, 10_000, WWW, title="Only", transition="link"),
        event(3, "HIGHLIGHT", 11_000, tabId=1, url=WWW, payload={"text": "marked"}),
        nav(4, 12_000, "https://app.example/mail#/start", title="Mail", transition="typed"),
        nav(5, 13_000, ROUTE, title="Inbox"),
        nav(6, 14_000, PDF, transition="link"),
        alive(7, 15_000),
    )
    await run_jobs(ada.records.db)
    return session


async def test_every_answer_and_file_has_the_address_as_seen(db: Database) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        shown = await ada.show(session)
        files = {
            kind: (await ada.browser.get(f"/v1/sessions/{session}/export?format={kind}")).text
            for kind in ("csv", "md", "json")
        }
    visits = shown["page_visits"]
    assert [each["url"] for each in visits] == SEEN
    assert [each["url_id"] for each in visits] == [str(urls.normalise(u).id) for u in SEEN]
    assert [each["came_from"] for each in visits] == [None, PLAIN, None, ROUTE]
    assert [each["url"] for each in shown["highlights"]] == [WWW]
    rows = list(csv.DictReader(io.StringIO(files["csv"].removeprefix("\ufeff"))))
    assert [row["url"] for row in rows] == SEEN
    assert rows[1]["came_from"] == PLAIN
    for address in SEEN:
        assert f"(<{address}>)" in files["md"]
        assert f'"{address}"' in files["json"]
    assert "utm_source" not in "".join(files.values())


async def test_a_document_without_a_title_is_named_after_its_file(db: Database) -> None:
    async with reader(db) as ada:
        visits = (await ada.show(await a_session(ada)))["page_visits"]
    assert [each["title"] for each in visits] == ["NAS", "Only", "Inbox", "On Sleep.pdf"]


async def test_a_route_is_not_named_after_the_text_of_another(db: Database) -> None:
    async with reader(db) as ada:
        text: dict[str, Any] = {"content": "a text", "extractionOk": True, "title": "Inbox"}
        session = await ada.record(
            None,
            activate(1, 0, None),
            nav(2, 1_000, "https://app.example/mail#/sent"),
            nav(3, 2_000, WWW, title="Only"),
            nav(4, 3_000, ROUTE, **text),
            alive(5, 4_000),
        )
        visits = (await ada.show(session))["page_visits"]
    assert [each["title"] for each in visits] == [None, "Only", "Inbox"]


async def test_a_highlight_has_the_address_of_its_visit(db: Database) -> None:
    """Not of a route of the same page that was opened later."""
    async with reader(db) as ada:
        session = await ada.record(
            None,
            activate(1, 0, ROUTE, title="Inbox"),
            event(2, "HIGHLIGHT", 1_000, tabId=1, url=ROUTE, payload={"text": "marked"}),
            nav(3, 2_000, WWW, title="Only"),
            nav(4, 3_000, "https://app.example/mail#/sent", title="Sent"),
            alive(5, 4_000),
        )
        [shown] = (await ada.show(session))["highlights"]
        [listed] = (await ada.get("/highlights"))["highlights"]
    assert [shown["url"], listed["url"]] == [ROUTE, ROUTE]


async def test_rows_from_before_have_the_address_of_the_identity(db: Database) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        await execute(db, "update page_visits set address = null")
        await execute(db, "update reader_urls set address = null")
        visits = (await ada.show(session))["page_visits"]
    assert visits[0]["url"] == "https://nas.example/a"
    assert visits[1]["came_from"] == "https://nas.example/a"


async def test_a_session_without_a_title_is_named_after_what_was_read_longest(
    db: Database,
) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        [listed] = (await ada.get("/sessions"))["sessions"]
        assert listed["named_after"] == {"title": "NAS", "more_pages": 3}
        assert (await ada.show(session))["session"]["named_after"] == listed["named_after"]
        named = await ada.browser.patch(f"/v1/sessions/{session}", json={"title": "Mine"})
        assert (named.json()["named_after"], named.json()["title_by"]) == (None, "reader")
        running = await ada.records.start(started_at=START)
        await ada.records.send(running, activate(1, 0, PDF), alive(2, 9), nav(3, 10, WWW))
        open_one = (await ada.show(running))["session"]
        assert open_one["named_after"] == {"title": "On Sleep.pdf", "more_pages": 1}


async def test_a_page_seen_again_at_another_address_keeps_its_text(db: Database) -> None:
    text = {"content": "text", "extractionOk": True}
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        await ada.records.send(
            session,
            activate(1, 0, WWW),
            event(2, "CONTENT_EXTRACTED", 5, tabId=1, url=WWW, payload=text),
        )
        await ada.records.send(session, activate(3, 10, "http://only.example/"))
    [page] = await fetch(db, "select address, content_status from reader_urls")
    assert page == {"address": "http://only.example/", "content_status": "extracted"}


def test_times_in_the_hour_that_a_change_of_clocks_repeats_have_an_offset() -> None:
    zone = ZoneInfo("Europe/Berlin")
    moments = [datetime(2025, 10, 26, hour, 30, tzinfo=UTC) for hour in range(3)]
    written = [time_of(each.isoformat(), zone) for each in moments]
    assert written == [
        "2025-10-26 02:30:00.000+02:00",
        "2025-10-26 02:30:00.000+01:00",
        "2025-10-26 03:30:00.000",
    ]
