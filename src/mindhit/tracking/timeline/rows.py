"""Events and timelines as the columns that the statements take, and back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from operator import attrgetter
from uuid import UUID

import msgspec

from mindhit.tracking.model import Highlight, TextRead
from mindhit.tracking.protocol import NO_PAYLOAD, Event, EventType, Payload
from mindhit.tracking.store.array_literals import bools, ints, texts, uuids, words
from mindhit.tracking.store.columns import (
    EventColumns,
    ProgressColumns,
    SeenColumns,
    TextReadColumns,
    TimelineColumns,
)
from mindhit.tracking.store.raw_events import StoredEvent
from mindhit.tracking.timeline.fold import Folded
from mindhit.tracking.timeline.holes import Log
from mindhit.tracking.timeline.state import State, pack, start_of

_encode = msgspec.json.Encoder().encode
_payload = msgspec.json.Decoder(Payload)
_number = attrgetter("int")
_NOT_READ = (None, None, None)
_TEXTLESS = (None, "pending", None)


def of_events(events: Iterable[Event]) -> EventColumns:
    events = list(events)
    return EventColumns(
        event_seqs=ints([event.seq for event in events]),
        event_times=ints([event.t for event in events]),
        event_types=words([event.type for event in events]),
        event_tab_ids=ints([event.tab_id for event in events]),
        event_window_ids=ints([event.window_id for event in events]),
        event_url_ids=uuids([event.url_id for event in events]),
        event_payloads=texts([_encode_payload(event.payload) for event in events]),
    )


def event_of(row: StoredEvent) -> Event:
    """The reverse of `of_events`."""
    payload = _payload.decode(row.payload) if row.payload else NO_PAYLOAD
    type_ = EventType(row.type)
    return Event(row.seq, row.t, type_, row.tab_id, row.window_id, row.url_id, payload)


def of_timeline(session_id: UUID, folded: Folded) -> TimelineColumns:
    visits, pauses, highlights = folded.visits, folded.pauses, folded.highlights
    return TimelineColumns(
        visit_opened_by_seqs=ints([visit.opened_by_seq for visit in visits]),
        visit_orders=ints([visit.visit_order for visit in visits]),
        visit_url_ids=uuids([visit.url_id for visit in visits]),
        visit_tab_ids=ints([visit.tab_id for visit in visits]),
        visit_entered=ints([visit.entered for visit in visits]),
        visit_left=ints([visit.left for visit in visits]),
        visit_is_focused=bools([visit.is_focused for visit in visits]),
        visit_titles=texts([visit.title for visit in visits]),
        visit_content_ids=uuids([visit.content_id for visit in visits]),
        visit_transitions=texts([visit.transition for visit in visits]),
        visit_from_url_ids=uuids([visit.from_url_id for visit in visits]),
        visit_addresses=texts([visit.address for visit in visits]),
        pause_kinds=words([pause.kind for pause in pauses]),
        pause_entered=ints([pause.entered for pause in pauses]),
        pause_left=ints([pause.left for pause in pauses]),
        highlight_ids=uuids([highlight_id(session_id, each) for each in highlights]),
        highlight_seqs=ints([each.seq for each in highlights]),
        highlight_url_ids=uuids([each.url_id for each in highlights]),
        highlight_visit_seqs=ints([each.visit_seq for each in highlights]),
        highlight_texts=texts([each.text for each in highlights]),
        highlight_times=ints([each.t for each in highlights]),
    )


def of_texts_read(
    url_ids: Iterable[UUID], texts_read: Iterable[TextRead], textless: Iterable[UUID] = ()
) -> TextReadColumns:
    """The URLs that a person visited, each with the newest text that was read there, and when.
    `textless` were visited too, and wait for a text where none is known."""
    visited: dict[UUID, tuple[UUID | None, str | None, int | None]]
    visited = dict.fromkeys(url_ids, _NOT_READ)
    visited |= dict.fromkeys(textless, _TEXTLESS)
    for read in texts_read:
        if read.content_id is not None:
            visited[read.url_id] = (read.content_id, "extracted", read.t)
        elif visited.get(read.url_id, _NOT_READ)[0] is None:
            visited[read.url_id] = (None, "pending", read.t)
    ids = in_order(visited)
    return TextReadColumns(
        read_url_ids=uuids(ids),
        read_content_ids=uuids([visited[id_][0] for id_ in ids]),
        read_statuses=words([visited[id_][1] for id_ in ids]),
        read_times=ints([visited[id_][2] for id_ in ids]),
    )


def of_seen(addresses: Mapping[UUID, str | None], no_fetch: Collection[UUID]) -> SeenColumns:
    """The address at which each URL of `of_texts_read` was seen, in the same order."""
    ids = in_order(addresses)
    return SeenColumns(
        seen_addresses=texts([addresses[id_] for id_ in ids]),
        seen_no_fetch=bools([id_ in no_fetch for id_ in ids]),
    )


def of_progress(log: Log, state: State, last_event_ms: int | None) -> ProgressColumns:
    return ProgressColumns(
        next_seq=log.next_seq,
        max_seq=log.max_seq,
        parked=log.parked,
        holes=log.holes,
        hole_since_s=log.hole_since,
        fold_state=pack(state),
        last_event_ms=last_event_ms,
        began_ms=start_of(state),
    )


def in_order(ids: Iterable[UUID]) -> list[UUID]:
    """The order in which every statement locks rows, so that no two batches deadlock. Sorted by the
    integer: comparing the UUIDs themselves calls Python for each pair."""
    return sorted(ids, key=_number)


def highlight_id(session_id: UUID, highlight: Highlight) -> UUID:
    """The same text on the same URL in the same session is one highlight."""
    hashed = sha256(session_id.bytes + highlight.url_id.bytes + highlight.text.encode())
    return UUID(bytes=hashed.digest()[:16])


def _encode_payload(payload: Payload) -> str | None:
    return None if payload is NO_PAYLOAD else _encode(payload).decode()
