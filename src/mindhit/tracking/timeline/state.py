"""What a session carries from one batch to the next: tabs, focus, presence, the open interval.

Encoded it takes about 100 bytes with one tab and 2 KB with thirty, titles included, and up to 500 for
the visits that ended last; nothing in it grows with the session. New fields go to the end and have a
default: what an earlier version wrote is still read.
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


class Renewal(msgspec.Struct, array_like=True):
    """A navigation brought a new document at the URL that the tab showed already: what was known of
    the one before, and how the person came to this one. Whether it is another page shows when its title
    or text arrives."""

    seq: int
    t: int
    title: str | None
    content_id: UUID | None
    address: str | None
    transition: str | None
    from_url_id: UUID | None


class TabPage(msgspec.Struct, array_like=True):
    """What a tab shows. `transition` and `from_url_id` go to its first visit, and only to that."""

    url_id: UUID
    title: str | None = None
    content_id: UUID | None = None
    transition: str | None = None
    from_url_id: UUID | None = None
    visit_seq: int | None = None
    address: str | None = None
    renewal: Renewal | None = None
    is_hidden: bool = False  # its present visit is forgotten


class Tab(msgspec.Struct, array_like=True):
    window_id: int
    page: TabPage | None = None


class Interval(msgspec.Struct, array_like=True):
    """The interval the session is in; tab and URL only where it is a visit. `covers`: kind, tab and URL of
    the visit that it would be if that were not forgotten."""

    kind: IntervalKind
    entered: int
    opened_by_seq: int
    tab_id: int = 0
    url_id: UUID | None = None
    title: str | None = None
    content_id: UUID | None = None
    transition: str | None = None
    from_url_id: UUID | None = None
    address: str | None = None
    covers: tuple[IntervalKind, int, UUID] | None = None


class State(msgspec.Struct, array_like=True):
    """Everything that is carried from one batch to the next. `began`: when the first event happened.
    `ended`: the visits that ended last, one for each tab and URL, the latest at the end."""

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
    ended: list[tuple[int, UUID, int]] = msgspec.field(default_factory=list)


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


def open_page(state: State) -> UUID | None:
    """The page of a focused visit that has not ended."""
    now = state.current
    return now.url_id if now is not None and now.kind is IntervalKind.FOCUSED else None


def copy(state: State) -> State:
    return unpack(pack(state))
