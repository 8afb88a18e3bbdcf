"""What a fold gave, column by column, as the statements take it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from operator import attrgetter
from uuid import UUID

import msgspec

from mindhit.tracking import store
from mindhit.tracking.arrays import bools, ints, texts, uuids, words
from mindhit.tracking.fold import Folded
from mindhit.tracking.model import NO_PAYLOAD, Event, Highlight, Payload, Reading, Type

Columns = tuple[str, ...]
_encode = msgspec.json.Encoder().encode
_payload = msgspec.json.Decoder(Payload)
_number = attrgetter("int")
_UNREAD = (None, None, None)


def of_events(events: Iterable[Event]) -> Columns:
    events = list(events)
    return (
        ints([event.seq for event in events]),
        ints([event.t for event in events]),
        words([event.type for event in events]),
        ints([event.tab_id for event in events]),
        ints([event.window_id for event in events]),
        uuids([event.url_id for event in events]),
        texts([_encode_payload(event.payload) for event in events]),
    )


def event_of(row: store.ingesting.Stored) -> Event:
    """The other way: what the log has is what was folded when it came."""
    payload = _payload.decode(row.payload) if row.payload else NO_PAYLOAD
    return Event(row.seq, row.t, Type(row.type), row.tab_id, row.window_id, row.url_id, payload)


def of_timeline(session_id: UUID, folded: Folded) -> Columns:
    visits, pauses, marks = folded.visits, folded.pauses, folded.highlights
    return (
        ints([visit.opened_by_seq for visit in visits]),
        ints([visit.visit_order for visit in visits]),
        uuids([visit.url_id for visit in visits]),
        ints([visit.tab_id for visit in visits]),
        ints([visit.entered for visit in visits]),
        ints([visit.left for visit in visits]),
        bools([visit.is_focused for visit in visits]),
        texts([visit.title for visit in visits]),
        uuids([visit.content_id for visit in visits]),
        texts([visit.transition for visit in visits]),
        uuids([visit.from_url_id for visit in visits]),
        words([pause.kind for pause in pauses]),
        ints([pause.entered for pause in pauses]),
        ints([pause.left for pause in pauses]),
        uuids([highlight_id(session_id, mark) for mark in marks]),
        ints([mark.seq for mark in marks]),
        uuids([mark.url_id for mark in marks]),
        ints([mark.visit_seq for mark in marks]),
        texts([mark.text for mark in marks]),
        ints([mark.t for mark in marks]),
    )


def of_readings(pages: Iterable[UUID], readings: Iterable[Reading]) -> Columns:
    """Pages a reader met, each with the newest text that was read of it, and when."""
    met: dict[UUID, tuple[UUID | None, str | None, int | None]]
    met = dict.fromkeys(pages, _UNREAD)
    for reading in readings:
        if reading.content_id is not None:
            met[reading.url_id] = (reading.content_id, "extracted", reading.t)
        elif met.get(reading.url_id, _UNREAD)[0] is None:
            met[reading.url_id] = (None, "pending", reading.t)
    ids = in_order(met)
    return (
        uuids(ids),
        uuids([met[id_][0] for id_ in ids]),
        words([met[id_][1] for id_ in ids]),
        ints([met[id_][2] for id_ in ids]),
    )


def in_order(ids: Iterable[UUID]) -> list[UUID]:
    """One order everywhere, so that no two batches wait for each other crosswise. By the number:
    comparing the objects themselves calls Python for each pair."""
    return sorted(ids, key=_number)


def highlight_id(session_id: UUID, mark: Highlight) -> UUID:
    """The same text of the same page in the same session is one highlight."""
    hashed = sha256(session_id.bytes + mark.url_id.bytes + mark.text.encode())
    return UUID(bytes=hashed.digest()[:16])


def _encode_payload(payload: Payload) -> str | None:
    return None if payload is NO_PAYLOAD else _encode(payload).decode()
