"""Anything at all among good events: the good ones are stored, and the server never stumbles."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindhit.db import Database
from mindhit.tracking import SessionId, refold
from tests.tracking import traces
from tests.tracking.kit import (
    Json,
    Recorder,
    as_sent,
    fetch,
    recorder,
    session_row,
    timeline,
)

SURROGATES = st.characters(categories=["Cs", "Cc", "L", "So"])
WORDS = st.one_of(
    st.text(SURROGATES, max_size=12),
    st.sampled_from(
        [
            "ALIVE",
            "HIGHLIGHT",
            "idle",
            "https://example.org/",
            "javascript:x",
            "http://[",
            "null",
            "",
        ]
    ),
)
NUMBERS = st.one_of(
    st.integers(),
    st.floats(),
    st.sampled_from([0, -1, 2**31 - 1, 2**31, 2**53, 2**63, 2**64, 10**400, 1e308, float("nan")]),
)
JUNK = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("t", "type", "tabId", "windowId", "url", "payload", "zz")
SAYINGS = (
    *("title", "redirect", "transition", "openerTabId", "content", "extractionOk", "meta"),
    *("focused", "state", "thresholdMs", "text", "restart", "url", "tabId"),
)
# Byte by byte, what no encoder would write. None of it is the beginning of an event.
BROKEN = st.sampled_from(
    [
        b"{",
        b"[",
        b'"',
        b"}",
        b"\\",
        b"nul",
        b"{]",
        b'{"seq":',
        b'{"a":[1',
        b'{"x":"',
        b"\xff\x00",
        b"\xed\xa0\x80",
    ]
)


@st.composite
def mutations(draw: st.DrawFn, event: Json) -> Json:
    """A good event with one thing wrong with it, or not."""
    match draw(st.integers(0, 3)):
        case 0:
            return event | {draw(st.sampled_from(FIELDS)): draw(JUNK)}
        case 1:
            payload = event["payload"] | {draw(st.sampled_from(SAYINGS)): draw(JUNK)}
            return event | {"payload": payload}
        case 2:
            kept = dict(event)
            kept.pop(draw(st.sampled_from([*event])))
            return kept
        case _:
            return event | {"sessionId": draw(JUNK)}


@st.composite
def batches(draw: st.DrawFn) -> list[tuple[bytes, set[int]]]:
    """Bodies, each with the seqs of its good events. Other events may say any seq but theirs."""
    log = [as_sent(event) for event in traces.log(draw(st.integers(0, 10**6)), 24, traces.REAL)]
    log = [event for event in log if event["type"] != "REJECTED"]
    found = []
    for events in (log[:8], log[8:16], log[16:]):
        items, good = [], set()
        for number, event in enumerate(events):
            kind = draw(st.integers(0, 5)) if number else 5
            if kind == 0:
                items.append(json.dumps(draw(mutations(event))).encode())
            elif kind == 1:
                items.append(json.dumps(draw(JUNK)).encode())
            elif kind == 2:
                items.append(draw(BROKEN))
            else:
                items.append(json.dumps(event).encode())
                good.add(event["seq"])
        draw(st.randoms(use_true_random=False)).shuffle(items)
        found.append((b'{"events":[' + b",".join(items) + b"]}", good))
    return found


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Recorder]:
    async with recorder(db) as one:
        yield one


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
async def test_good_events_are_stored_whatever_stands_beside_them(
    db: Database, ada: Recorder, data: st.DataObject
) -> None:
    session = await ada.start(started_at=traces.START)
    for body, good in data.draw(batches()):
        path = f"/v1/sessions/{session}/events:batch"
        answer = await ada.client.post(path, content=body)
        assert answer.status_code == 200, (answer.text, body)
        receipt = answer.json()
        assert not good & {each["seq"] for each in receipt["rejected"]}
        assert all(each["reason"] for each in receipt["rejected"])
        await _check(db, session, receipt, good)
    before = await timeline(db, session)
    async with db.transaction() as tx:
        await refold(tx, ada.person.id, SessionId(UUID(session)))
    after = await timeline(db, session)
    for found in (before, after):
        found["totals"][0].pop("top_domains")  # which are counted at the end
    assert after == before


async def _check(db: Database, session: str, receipt: Json, good: set[int]) -> None:
    """What the session's row says of its log and its timeline is what they are."""
    stored = await fetch(
        db, "select seq, type from raw_events where session_id = $1 order by seq", UUID(session)
    )
    seqs = {each["seq"] for each in stored}
    fine = {each["seq"] for each in stored if each["type"] != "REJECTED"}
    assert good <= fine
    row = await session_row(db, session)
    in_order = next(seq for seq in range(1, 2**31) if seq not in seqs) - 1
    assert row["next_seq"] - 1 == receipt["ackedSeq"] == in_order
    assert row["max_seq"] == max(seqs)
    assert row["event_count"] == len(stored)
    parked = {seq for first, last, _ in row["parked"] for seq in range(first, last + 1)}
    assert parked == {seq for seq in seqs if seq > in_order}
    assert (row["holes"], row["is_stale"]) == ([], False)
    found = await timeline(db, session)
    focused = [visit for visit in found["visits"] if visit["is_focused"]]
    assert row["page_count"] == len({visit["url_id"] for visit in focused})
    assert row["total_duration_ms"] == sum(visit["duration_ms"] for visit in focused)
    assert row["highlight_count"] == len(found["highlights"])
