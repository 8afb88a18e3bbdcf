"""Bad input: each bad event is named with its reason, the good ones around it are stored, and
nothing of the bad ones is, but for their place in the log."""

from __future__ import annotations

import gzip
import json
import time
import uuid
from itertools import product
from typing import Any

import pytest

from mindhit.db import Database
from tests.accounts.kit import traces
from tests.tracking.kit import (
    START,
    Json,
    Recorder,
    activate,
    alive,
    event,
    execute,
    fetch,
    let_pass,
    nav,
    raw,
    recorder,
    session_row,
    stored_seqs,
    visits,
    work_off,
)

A, B = "https://example.org/a", "https://example.org/b"
DAY = 86_400_000
HUGE = 10**400


def mark(seq: int, at: int, url: str | None, text: Any, **more: Any) -> Json:
    return event(seq, "HIGHLIGHT", at, url=url, payload={"text": text}, **more)


def page(seq: int, at: int, url: str, **payload: Any) -> Json:
    return event(seq, "CONTENT_EXTRACTED", at, tabId=1, url=url, payload=payload)


# An event that stands at place 2, and the word its reason has to hold.
BAD: dict[str, tuple[Json, str]] = {
    "unknown type": (event(2, "TELEPORTED"), "type"),
    "our own type": (event(2, "REJECTED"), "type"),
    "no type": ({"seq": 2, "t": START}, "type"),
    "a number for type": (event(2, 7), "type"),  # type: ignore[arg-type]
    "t before 1970": (event(2, "ALIVE", -START - 1), "since 1970"),
    "t the day after tomorrow": (
        {"seq": 2, "t": (time.time() * 1000) + 2 * DAY, "type": "ALIVE"},
        "future",
    ),
    "t of 1e308": ({"seq": 2, "t": 1e308, "type": "ALIVE"}, "future"),
    "t of 400 digits": ({"seq": 2, "t": HUGE, "type": "ALIVE"}, "future"),
    "t of minus 400 digits": ({"seq": 2, "t": -HUGE, "type": "ALIVE"}, "since 1970"),
    "t not a number": ({"seq": 2, "t": float("nan"), "type": "ALIVE"}, "since 1970"),
    "t infinite": ({"seq": 2, "t": float("inf"), "type": "ALIVE"}, "future"),
    "t minus infinite": ({"seq": 2, "t": float("-inf"), "type": "ALIVE"}, "since 1970"),
    "t a word": ({"seq": 2, "t": "noon", "type": "ALIVE"}, "$.t"),
    "t null": ({"seq": 2, "t": None, "type": "ALIVE"}, "$.t"),
    "tabId of 2**40": (activate(2, 5, A, tab=2**40), "out of range"),
    "tabId of 400 digits": (activate(2, 5, A, tab=HUGE), "out of range"),
    "tabId of -2": (activate(2, 5, A, tab=-2), "out of range"),
    "tabId a word": (activate(2, 5, A, tab="one"), "$.tabId"),  # type: ignore[arg-type]
    "tabId missing": (event(2, "TAB_ACTIVATED", 5, url=A), "tabId"),
    "tabId missing of a tab that closed": (event(2, "TAB_REMOVED", 5), "tabId"),
    "windowId of 2**31": (event(2, "WINDOW_FOCUS_CHANGED", 5, windowId=2**31), "out of range"),
    "openerTabId of 2**40": (
        nav(2, 5, "https://wicked.example/", openerTabId=2**40),
        "out of range",
    ),
    "no word of the focus": (event(2, "WINDOW_FOCUS_CHANGED", 5), "focus"),
    "an unknown state": (event(2, "IDLE_STATE_CHANGED", 5, payload={"state": "asleep"}), "state"),
    "no state": (event(2, "IDLE_STATE_CHANGED", 5), "state"),
    "a threshold of two days": (
        event(2, "IDLE_STATE_CHANGED", 5, payload={"state": "idle", "thresholdMs": 2 * DAY}),
        "thresholdMs",
    ),
    "a threshold of 400 digits": (
        event(2, "IDLE_STATE_CHANGED", 5, payload={"state": "idle", "thresholdMs": HUGE}),
        "thresholdMs",
    ),
    "a negative threshold": (
        event(2, "IDLE_STATE_CHANGED", 5, payload={"state": "idle", "thresholdMs": -1}),
        "thresholdMs",
    ),
    "a highlight without text": (mark(2, 5, "https://wicked.example/", None), "text"),
    "a highlight of nothing": (mark(2, 5, "https://wicked.example/", " \n "), "text"),
    "a highlight without url": (mark(2, 5, None, "wicked words"), "url"),
    "a highlight of a file": (mark(2, 5, "file:///wicked/words", "wicked words"), "url"),
    "content without url": (
        event(2, "CONTENT_EXTRACTED", 5, payload={"content": "wicked words"}),
        "url",
    ),
    "content of a script": (page(2, 5, "javascript:wicked()", content="wicked words"), "url"),
    "content a list": (page(2, 5, A, content=["wicked words"]), "content"),
    "meta a word": (page(2, 5, A, content="wicked words", meta="wicked"), "meta"),
    "payload a list": (event(2, "ALIVE", 5, payload=["wicked"]), "payload"),
    "another session's": (event(2, "ALIVE", 5, sessionId=str(uuid.uuid4())), "another session"),
    "a session that is none": (event(2, "ALIVE", 5, sessionId="wicked"), "another session"),
}
UNPLACED = {"another session's", "a session that is none"}


async def test_one_bad_event_is_named_and_those_around_it_are_stored(db: Database) -> None:
    async with recorder(db) as ada:
        for name, (bad, word) in BAD.items():
            session = await ada.start(started_at=START)
            body = json.dumps({"events": [activate(1, 0, A), bad, nav(3, 1_000, B)]}).encode()
            answer = await raw(ada, session, body)
            assert answer.status_code == 200, (name, answer.text)
            receipt = answer.json()
            [rejected] = receipt["rejected"]
            assert (rejected["index"], rejected["seq"]) == (1, 2), name
            assert word in rejected["reason"], (name, rejected)
            assert receipt["accepted"] == 2, name
            is_placed = name not in UNPLACED
            assert receipt["ackedSeq"] == (3 if is_placed else 1), name
            assert await stored_seqs(db, session) == ([1, 2, 3] if is_placed else [1, 3]), name
            if is_placed:
                [visit] = await visits(db, session)
                assert (visit["url"], visit["duration_ms"]) == (A, 1_000), name
            again = await raw(ada, session, body)
            assert again.json()["duplicates"] == (3 if is_placed else 2), name
    assert await traces(db, "wicked") == {}


async def test_a_seq_that_no_log_has_is_named_and_takes_no_place(db: Database) -> None:
    async with recorder(db) as ada:
        for seq in (0, -1, 2**31 - 1, 2**31, 2**40, HUGE, -HUGE):
            await _send_misplaced(ada, seq)


async def _send_misplaced(ada: Recorder, seq: int) -> None:
    session = await ada.start(started_at=START)
    receipt = await ada.send(session, activate(1, 0, A), alive(seq, 5), alive(2, 10))
    assert [(each["index"], "seq" in each["reason"]) for each in receipt["rejected"]] == [(1, True)]
    assert receipt["rejected"][0]["seq"] == (seq if abs(seq) < 2**53 else None)
    assert (receipt["accepted"], receipt["ackedSeq"], receipt["missing"]) == (2, 2, [])
    assert await stored_seqs(ada.db, session) == [1, 2]


async def test_the_farthest_place_of_a_log_breaks_nothing(db: Database) -> None:
    """A hole of two thousand million places: given up, closed over, folded again."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, activate(1, 0, A), alive(2**31 - 2, 1_000))
        await let_pass(db, session, minutes=6)
        receipt = await ada.send(session, nav(2, 500, B))
        assert receipt["ackedSeq"] == 2**31 - 2
        await ada.stop(session, 2_000, 2**31 - 2)
    await work_off(db)
    row = await session_row(db, session)
    assert (row["status"], row["is_stale"]) == ("completed", False)
    assert [visit["duration_ms"] for visit in await visits(db, session)] == [500, 1_500]


BAD_URLS = {
    "javascript:alert('wicked')": "only http and https",
    "file:///home/wicked/secret.txt": "only http and https",
    "data:text/html,wicked": "only http and https",
    "about:blank#wicked": "only http and https",
    "chrome://settings/wicked": "only http and https",
    "blob:https://wicked.example/8c8f": "only http and https",
    "wicked": "not a URL",
    "https://": "not a URL",
    "https://wicked..example/": "host",
    "https://wicked example/": "not a URL",
    "https://wicked.example/" + "x" * 100_000: "too long",
}


@pytest.mark.parametrize("kind", ["NAV_COMMITTED", "TAB_ACTIVATED"])
async def test_a_page_that_is_none_ends_the_visit_before_it_and_is_not_stored(
    db: Database, kind: str
) -> None:
    async with recorder(db) as ada:
        for url, word in BAD_URLS.items():
            session = await ada.start(started_at=START)
            bad = event(2, kind, 1_000, tabId=1, url=url, payload={"title": "wicked title"})
            receipt = await ada.send(
                session, activate(1, 0, A), bad, nav(3, 3_000, B), alive(4, 4_000)
            )
            [rejected] = receipt["rejected"]
            assert (rejected["index"], rejected["seq"]) == (1, 2)
            assert word in rejected["reason"]
            assert receipt["ackedSeq"] == 4
            [visit] = await visits(db, session)
            assert (visit["url"], visit["duration_ms"]) == (A, 1_000)
            kinds = await fetch(
                db, "select kind from session_pauses where session_id = $1", uuid.UUID(session)
            )
            assert [each["kind"] for each in kinds] == ["no_page"]
    assert await traces(db, "wicked", "xxxxx") == {}


async def test_a_password_in_a_url_is_stored_nowhere(db: Database) -> None:
    urls = [
        "https://ada:hunter2@example.org/a",
        "https://hunter2@example.org/b",
        "http://ada:hunter2@www.example.org:80/c",
        "https:\\\\ada:hunter2@example.org/d",
        " https:///ada:hunter2@example.org/e",
        "https://a@b:hunter2@example.org/f",
    ]
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        events = []
        for n, url in enumerate(urls):
            meta = {"favicon": url, "ogImage": url, "canonical": url}
            events += [
                (nav if n else activate)(3 * n + 1, 1_000 * n, url, title="T"),
                page(3 * n + 2, 1_000 * n + 1, url, content="text", meta=meta),
                mark(3 * n + 3, 1_000 * n + 2, url, "marked"),
            ]
        failed = page(3 * len(urls) + 1, 9_000, urls[0] + "/crawl", extractionOk=False)
        receipt = await ada.send(session, *events, failed)
        assert (receipt["accepted"], receipt["rejected"]) == (len(events) + 1, [])
        await ada.stop(session, 10_000)
    await work_off(db)
    assert len(await visits(db, session)) == len(urls)
    assert await traces(db, "hunter2") == {}


LIMITS: dict[str, tuple[str, int]] = {
    "title": ("select title as kept from page_visits", 500),
    "content": ("select content as kept from page_contents", 10_000),
    "text": ("select text as kept from highlights", 10_000),
    "description": ("select meta->>'description' as kept from page_contents", 2_000),
    "ogTitle": ("select meta->>'ogTitle' as kept from page_contents", 2_000),
}


async def test_a_text_is_kept_up_to_its_length_and_no_further(db: Database) -> None:
    async with recorder(db) as ada:
        for name, letter in product(LIMITS, 'x\N{GRINNING FACE}"\\,'):
            sql, most = LIMITS[name]
            for length in (most, most + 1):
                await _send_texts(ada, {name: letter * length})
                assert [row["kept"] for row in await fetch(db, sql)] == [letter * most], name
                for table in ("page_visits", "page_contents", "highlights"):
                    await execute(db, f"delete from {table}")


async def _send_texts(ada: Recorder, said: Json) -> None:
    said = {"title": "T", "content": "C", "text": "M", **said}
    session = await ada.start(started_at=START)
    receipt = await ada.send(
        session,
        activate(1, 0, A, title=said["title"]),
        page(2, 1, A, content=said["content"], meta=said),
        mark(3, 2, A, said["text"]),
        nav(4, 1_000, B),
    )
    assert receipt["accepted"] == 4


async def test_a_url_is_kept_up_to_its_length_and_refused_beyond(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        longest = "https://example.org/" + "x" * (8192 - 20)
        receipt = await ada.send(session, activate(1, 0, longest), nav(2, 5, longest + "x"))
        assert receipt["accepted"] == 1
        assert [each["index"] for each in receipt["rejected"]] == [1]
        assert len(receipt["rejected"][0]["reason"]) < 100
    assert [row["url"] for row in await fetch(db, "select url from urls")] == [longest]


WORDS = ["NULL", "null", "", " ", "{}", '"', "\\", "\\\\", '\\"', ",", "{a,b}", "'; --", "\t\n\r", "%", "\x7f", "é한\N{GRINNING FACE}", "\u202e"]  # fmt: skip


async def test_any_text_comes_back_as_it_was_said(db: Database) -> None:
    """Columns are sent as literals; none of their own marks may be taken for one."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        events = []
        for n, word in enumerate(WORDS):
            said = f"{word}{n}{word}"
            events += [
                (nav if n else activate)(
                    3 * n + 1, 1_000 * n, f"https://example.org/{n}", title=said
                ),
                page(3 * n + 2, 1_000 * n, f"https://example.org/{n}", content=f"<{said}>"),
                mark(3 * n + 3, 1_000 * n, f"https://example.org/{n}", f"<{said}>"),
            ]
        receipt = await ada.send(session, *events, alive(len(events) + 1, 60_000))
        assert receipt["accepted"] == len(events) + 1
        await ada.stop(session, 60_000)
    await work_off(db)
    expected = [f"{word}{n}{word}" for n, word in enumerate(WORDS)]
    assert [visit["title"] for visit in await visits(db, session)] == expected
    marked = await fetch(db, "select text from highlights order by seq")
    assert [each["text"] for each in marked] == [f"<{each}>" for each in expected]
    read = await fetch(db, "select content from page_contents")
    assert {each["content"] for each in read} == {f"<{each}>" for each in expected}


POISON = {
    "a lone surrogate": rb'{"seq":100,"t":%d,"type":"ALIVE","payload":{"title":"\ud83d"}}',
    "NUL": rb'{"seq":100,"t":%d,"type":"ALIVE","payload":{"title":"\u0000"}}',
    "a raw NUL": b'{"seq":100,"t":%d,"type":"ALIVE","payload":{"title":"\x00"}}',
    "invalid UTF-8": b'{"seq":100,"t":%d,"type":"ALIVE","payload":{"title":"\xff\xfe"}}',
    "half an emoji": b'{"seq":100,"t":%d,"type":"ALIVE","payload":{"title":"\xf0\x9f"}}',
}
BROKEN = {
    "a value missing": b'{"seq":100,"t":%d,"type":}',
    "a quote missing": b'{"seq":100,"t":%d,"type":"ALIVE}',
    "a bracket missing": b'{"seq":100,"t":%d,"type":"ALIVE","payload":{}',
    "a wrong type": b'{"seq":100,"t":"%d","type":"ALIVE"}',
    "a wrong type and a lone surrogate": rb'{"seq":100,"t":"%d","type":"ALIVE","x":"\ud83d"}',
    "no end": b'{"seq":100,"t":%d,"type":"ALIVE","x":' + b"[" * 10_000 + b"}",
}


def hundreds(odd: bytes) -> bytes:
    """199 good events, and an odd one at place 100."""
    events = [
        json.dumps((nav if n > 1 else activate)(n, n, f"https://example.org/{n}", title="T"))
        for n in range(1, 201)
    ]
    encoded = [each.encode() for each in events]
    encoded[99] = odd % (START + 100)
    return b'{"events":[' + b",".join(encoded) + b"]}"


@pytest.mark.parametrize("name", [*POISON, *BROKEN])
async def test_one_broken_event_among_199_good_ones_stops_nobody(db: Database, name: str) -> None:
    body = gzip.compress(hundreds((POISON | BROKEN)[name]))
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        answer = await raw(ada, session, body, **{"Content-Encoding": "gzip"})
        assert answer.status_code == 200, answer.text
        receipt = answer.json()
        assert (receipt["ackedSeq"], receipt["missing"]) == (200, [])
        named = [(each["index"], each["seq"]) for each in receipt["rejected"]]
        assert named == ([(99, 100)] if name in BROKEN else [])
        assert receipt["accepted"] == (199 if name in BROKEN else 200)
        assert await stored_seqs(db, session) == list(range(1, 201))
        assert len(await visits(db, session)) == 198  # the last page is still open


async def test_text_that_the_database_cannot_hold_is_replaced_everywhere(db: Database) -> None:
    odd = "a\x00b\ud83d"
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        events = [
            activate(1, 0, f"https://example.org/{odd}?q={odd}", title=odd, transition=odd),
            page(
                2,
                1,
                A,
                content=odd,
                meta={"title": odd, "description": odd, "language": odd, odd: odd},
            ),
            mark(3, 2, A, odd),
            event(4, odd),
            {**alive(5, 10), odd: odd},
            {**alive(6, 10), "sessionId": odd},
        ]
        answer = await raw(ada, session, json.dumps({"events": events}).encode())
        assert answer.status_code == 200, answer.text
        receipt = answer.json()
        assert receipt["accepted"] == 4
        assert [each["seq"] for each in receipt["rejected"]] == [4, 6]
        assert receipt["ackedSeq"] == 5
    assert await stored_seqs(db, session) == [1, 2, 3, 4, 5]


async def test_a_text_marked_twice_is_one_highlight_of_the_visit_it_was_first_made_in(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(
            session,
            activate(1, 0, A),
            mark(2, 100, A, "a word", tabId=1),
            mark(3, 200, A, " a word ", tabId=1),
            nav(4, 1_000, B),
            mark(5, 1_100, B, "a word", tabId=1),
            mark(6, 1_200, A, "a late word", tabId=1),
            nav(7, 2_000, A),
            mark(8, 2_100, A, "a word", tabId=1),
            mark(9, 2_200, A, "another", tabId=1),
        )
        await ada.send(
            session, mark(10, 2_300, A, "another", tabId=1), mark(11, 2_400, A, "a word")
        )
        await ada.stop(session, 3_000, 11)
    await work_off(db)
    sql = "select seq, visit_seq, text from highlights where session_id = $1 order by seq"
    found = await fetch(db, sql, uuid.UUID(session))
    assert [tuple(each.values()) for each in found] == [
        (2, 1, "a word"),
        (5, 4, "a word"),
        (6, 1, "a late word"),
        (9, 7, "another"),
    ]
    assert (await session_row(db, session))["highlight_count"] == 4
