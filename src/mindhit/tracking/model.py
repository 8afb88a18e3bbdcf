"""Sessions, events, and what the fold makes of them.

    recording ──stop──▶ processing ──timeline closed──▶ completed
                             └────────────────────────▶ failed

Times inside the log and the fold are whole milliseconds of the recording browser's clock, as
`Date.now()` gives them. The server's own clock decides only about age: when a hole is given up,
when a silent session is closed, until when late events are taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, NewType
from uuid import UUID

import msgspec

from mindhit.errors import Conflict, Invalid, NotFound, TooLarge

SessionId = NewType("SessionId", UUID)
UrlId = NewType("UrlId", UUID)
ContentId = NewType("ContentId", UUID)

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND: Final = timedelta(milliseconds=1)
# Each month has a partition; before this no browser could have recorded.
EARLIEST: Final = datetime(2010, 1, 1, tzinfo=UTC)
MAX_SEQ: Final = 2**31 - 1


class Status(StrEnum):
    RECORDING = "recording"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"


class Type(StrEnum):
    __hash__ = str.__hash__  # an enumeration's own is written in Python, and asked for every event

    TAB_ACTIVATED = "TAB_ACTIVATED"
    NAV_COMMITTED = "NAV_COMMITTED"
    CONTENT_EXTRACTED = "CONTENT_EXTRACTED"
    WINDOW_FOCUS_CHANGED = "WINDOW_FOCUS_CHANGED"
    IDLE_STATE_CHANGED = "IDLE_STATE_CHANGED"
    HIGHLIGHT = "HIGHLIGHT"
    TAB_REMOVED = "TAB_REMOVED"
    ALIVE = "ALIVE"
    # Ours alone: the place of an event that could not be read. It says nothing about the timeline.
    REJECTED = "REJECTED"


class Presence(StrEnum):
    """Is the person at the machine?"""

    ACTIVE = "active"
    IDLE = "idle"
    LOCKED = "locked"


class Payload(msgspec.Struct, omit_defaults=True, rename="camel", frozen=True, gc=False):
    """What an event says beyond its place and time, as `raw_events.payload` keeps it.

    Of a page's text only the id is here. `restart` marks the first event of a browser that was
    started anew: tab ids from before mean nothing any more. `rejected` says why part of an event
    was not taken.
    """

    title: str | None = None
    redirect: bool = False
    transition: str | None = None
    opener_tab_id: int | None = None
    content_id: UUID | None = None
    extraction_ok: bool | None = None
    focused: bool | None = None
    state: Presence | None = None
    threshold_ms: int | None = None
    text: str | None = None
    restart: bool = False
    rejected: str | None = None


NO_PAYLOAD: Final = Payload()


class Event(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened in the browser, checked and with its URL normalised.

    No `url_id` means no page: an excluded one, or one that is not of the web.
    """

    seq: int
    t: int
    type: Type
    tab_id: int | None = None
    window_id: int | None = None
    url_id: UUID | None = None
    payload: Payload = NO_PAYLOAD


class Visit(msgspec.Struct, frozen=True, gc=False):
    """One uninterrupted stay of one page in the foreground: [entered, left), in ms.

    `transition` and `from_url_id` say how the reader came to the page, on the first visit after a
    navigation only; a return to the tab has neither.
    """

    opened_by_seq: int
    visit_order: int
    url_id: UUID
    tab_id: int
    entered: int
    left: int
    is_focused: bool
    title: str | None = None
    content_id: UUID | None = None
    transition: str | None = None
    from_url_id: UUID | None = None


class PauseKind(StrEnum):
    """Why a stretch of a session belongs to no visit."""

    IDLE = "idle"
    ASLEEP = "asleep"
    NO_PAGE = "no_page"


class Pause(msgspec.Struct, frozen=True, gc=False):
    """A stretch [entered, left) of a session that belongs to no visit."""

    kind: PauseKind
    entered: int
    left: int


class Highlight(msgspec.Struct, frozen=True, gc=False):
    """A text that was marked, and the visit it was marked in (which may turn out to be no visit:
    one that was left in the millisecond in which it was entered)."""

    seq: int
    t: int
    url_id: UUID
    text: str
    visit_seq: int | None


class Reading(msgspec.Struct, frozen=True, gc=False):
    """The text of a page arrived at `t`, or could not be had (no content)."""

    seq: int
    t: int
    url_id: UUID
    content_id: UUID | None


@dataclass(frozen=True, slots=True)
class Begun:
    """What a start or a stop answers from."""

    id: SessionId
    status: str
    title: str | None
    started_at: datetime
    ended_at: datetime | None
    month: date
    next_seq: int
    max_seq: int
    last_seq: int | None
    stopped_at: datetime | None
    is_end_guessed: bool
    parked: Any
    holes: Any


class SessionNotFound(NotFound):
    """There is no such session."""


class IconNotFound(NotFound):
    """There is no such icon."""


class SessionDeleted(Conflict):
    """This session was deleted; nothing more is taken for it."""


class SessionTaken(Conflict):
    """This id cannot be used for a session; make another."""


class SessionOver(Conflict):
    """This session stopped more than 30 days ago; nothing more is taken for it."""


class BadBatch(Invalid):
    """A batch is a JSON object with a list of events."""


class BatchTooLarge(TooLarge):
    """A batch holds more events than this server takes at once."""


class BadSession(Invalid):
    """A session cannot be started like this."""


class StillRecording(Conflict):
    """This session is still being recorded; stop it first."""


class TitleChanged(Conflict):
    """This session was given another title meanwhile."""


class LogGone(Conflict):
    """The raw events of this session are no longer kept, so it cannot be folded again."""
