"""What a session carries from one batch to the next: tabs, focus, presence, the open interval.

Encoded it takes about 100 bytes with one tab and 2 KB with thirty, titles included; nothing in it grows
with the session.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final
from uuid import UUID

import msgspec

from mindhit.tracking.model import EARLIEST, EPOCH, MILLISECOND
from mindhit.tracking.protocol import Presence

EARLIEST_MS: Final = (EARLIEST - EPOCH) // MILLISECOND


class IntervalKind(StrEnum):
    """Kinds of an open interval. Sleep is not one: it is known only when it is over."""

    FOCUSED = "focused"
    UNFOCUSED = "unfocused"
    IDLE = "idle"
    NO_PAGE = "no_page"


class TabPage(msgspec.Struct, array_like=True):
    """What a tab shows. `transition` and `from_url_id` go to its first visit, and only to that."""

    url_id: UUID
    title: str | None = None
    content_id: UUID | None = None
    transition: str | None = None
    from_url_id: UUID | None = None
    visit_seq: int | None = None


class Tab(msgspec.Struct, array_like=True):
    window_id: int
    page: TabPage | None = None


class Interval(msgspec.Struct, array_like=True):
    """The interval the session is in; tab and URL only where it is a visit."""

    kind: IntervalKind
    entered: int
    opened_by_seq: int
    tab_id: int = 0
    url_id: UUID | None = None
    title: str | None = None
    content_id: UUID | None = None
    transition: str | None = None
    from_url_id: UUID | None = None


class State(msgspec.Struct, array_like=True):
    """Everything that is carried from one batch to the next. `began`: when the first event happened."""

    clock: int | None = None
    tabs: dict[int, Tab] = msgspec.field(default_factory=dict)
    active: dict[int, int] = msgspec.field(default_factory=dict)  # window → tab
    window_id: int | None = None
    is_focused: bool = True
    is_focus_known: bool = False
    presence: Presence = Presence.ACTIVE
    current: Interval | None = None
    visits: int = 0
    is_resting: bool = False
    began: int | None = None


_encoder = msgspec.msgpack.Encoder(uuid_format="bytes")
_decoder = msgspec.msgpack.Decoder(State)


def pack(state: State) -> bytes:
    return _encoder.encode(state)


def unpack(packed: bytes | None) -> State:
    return State() if packed is None else _decoder.decode(packed)


def try_unpack(packed: bytes | None) -> State | None:
    """None where it cannot be decoded: then the log has to be folded again."""
    try:
        return unpack(packed)
    except msgspec.DecodeError:
        return None


def start_of(state: State) -> int | None:
    """When the session began by its log, but never before `EARLIEST`."""
    return None if state.began is None else max(state.began, EARLIEST_MS)


def copy(state: State) -> State:
    return unpack(pack(state))
