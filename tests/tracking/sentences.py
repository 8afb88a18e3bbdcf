"""Logs written by hand, and timelines as one reads them.

    told([opened(0, A), focused(10, -1)], stop=30)  →  stays: ["A 0-10", "a 10-30"]

One function for each event; its `seq` is its place in the list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from msgspec import structs

from mindhit.tracking.protocol import Event, EventType, Payload, Presence
from tests.tracking.oracle import Timeline
from tests.tracking.traces import CONTENTS, PAGES, REAL, fold_whole

A, B, C, _ = PAGES
TEXT, NEW_TEXT = CONTENTS
NAMES = dict(zip(PAGES, "ABCD", strict=True))
ACTIVE, IDLE, LOCKED = Presence.ACTIVE, Presence.IDLE, Presence.LOCKED


def told(log: Iterable[Event], *, stop: int) -> Timeline:
    """What the fold makes of a log; the oracle has to make the same of it."""
    events = [structs.replace(event, seq=seq) for seq, event in enumerate(log, 1)]
    folded = fold_whole(events, stop)
    assert folded == REAL.judge(events, stop)
    return folded


def stays(timeline: Timeline) -> list[str]:
    """The visits; in small letters where the page had no focus."""
    return [
        f"{NAMES[v.url_id] if v.is_focused else NAMES[v.url_id].lower()} {v.entered}-{v.left}"
        for v in timeline.visits
    ]


def pauses(timeline: Timeline) -> list[str]:
    return [f"{pause.kind} {pause.entered}-{pause.left}" for pause in timeline.pauses]


def opened(
    t: int, url_id: UUID | None, tab: int = 1, window: int | None = None, **more: Any
) -> Event:
    return Event(0, t, EventType.TAB_ACTIVATED, tab, window, url_id, Payload(**more))


def went(
    t: int, url_id: UUID | None, tab: int = 1, window: int | None = None, **more: Any
) -> Event:
    return Event(0, t, EventType.NAV_COMMITTED, tab, window, url_id, Payload(**more))


def read(t: int, url_id: UUID, content_id: UUID | None, tab: int | None = 1, **more: Any) -> Event:
    payload = Payload(content_id=content_id, extraction_ok=content_id is not None, **more)
    return Event(0, t, EventType.CONTENT_EXTRACTED, tab, None, url_id, payload)


def focused(t: int, window: int | None, *, is_gained: bool | None = None) -> Event:
    payload = Payload(focused=is_gained)
    return Event(0, t, EventType.WINDOW_FOCUS_CHANGED, None, window, None, payload)


def person(t: int, state: Presence, threshold_ms: int | None = None) -> Event:
    payload = Payload(state=state, threshold_ms=threshold_ms)
    return Event(0, t, EventType.IDLE_STATE_CHANGED, payload=payload)


def marked(t: int, url_id: UUID, tab: int | None = 1) -> Event:
    return Event(0, t, EventType.HIGHLIGHT, tab, None, url_id, Payload(text="marked"))


def closed(t: int, tab: int = 1) -> Event:
    return Event(0, t, EventType.TAB_REMOVED, tab)


def alive(t: int, *, is_restart: bool = False) -> Event:
    return Event(0, t, EventType.ALIVE, payload=Payload(restart=is_restart))
