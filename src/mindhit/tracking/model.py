"""Sessions, the parts of a timeline, and what can be wrong with a request.

    recording ──stop──▶ processing ──timeline closed, and what others make of it──▶ completed
                          ▲  └─────────────────────────────────────────────────────▶ failed
                          └──reprocess──

Times in the log and in the timeline are whole milliseconds by the recording browser's clock, as
`Date.now()` gives them. The server's clock only decides about age: when a hole is given up, when a
silent session is closed, until when late events are accepted. Events are in `protocol.py`.
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
ContentId = NewType("ContentId", UUID)

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND: Final = timedelta(milliseconds=1)
# No recording is older. Raw events have a partition for each month.
EARLIEST: Final = datetime(2010, 1, 1, tzinfo=UTC)


class Status(StrEnum):
    RECORDING = "recording"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"


class Visit(msgspec.Struct, frozen=True, gc=False):
    """One uninterrupted stay on one page in the foreground: [entered, left), in ms.

    `transition` and `from_url_id` say how the person reached the page. Only the first visit after a
    navigation has them; a return to the tab has neither. `address` is the URL as it was last seen in
    the visit, where it is not the normalised one.
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
    address: str | None = None


class PauseKind(StrEnum):
    """Why an interval of a session belongs to no visit."""

    IDLE = "idle"
    ASLEEP = "asleep"
    NO_PAGE = "no_page"


class Pause(msgspec.Struct, frozen=True, gc=False):
    """An interval [entered, left) of a session that belongs to no visit."""

    kind: PauseKind
    entered: int
    left: int


class Highlight(msgspec.Struct, frozen=True, gc=False):
    """A highlighted text, and the visit it was made in: the open one of its tab, or the one of its
    tab and URL that ended last. An open one may turn out to have zero length, and is dropped then."""

    seq: int
    t: int
    url_id: UUID
    text: str
    visit_seq: int | None


class TextRead(msgspec.Struct, frozen=True, gc=False):
    """The text of a page was extracted at `t`, or extraction failed (no content)."""

    seq: int
    t: int
    url_id: UUID
    content_id: UUID | None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """A session as starting and stopping it answers with it. The store has further views of the
    row, for batches (`BatchSession`) and for folding (`FoldSession`)."""

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


@dataclass(frozen=True, slots=True)
class RunningSession:
    """One that is being recorded, as somebody is told who can't start another."""

    session_id: UUID
    title: str | None
    started_at: datetime
    last_event_at: datetime | None
    device: str | None


class SessionNotFound(NotFound):
    """There is no such session."""


class HighlightNotFound(NotFound):
    """There is no such highlight."""


class PageNotVisited(NotFound):
    """You haven't visited this page, or it was forgotten."""


class IconNotFound(NotFound):
    """There is no such icon."""


class SessionDeleted(Conflict):
    """This session was deleted; nothing more is accepted for it."""


class SessionTaken(Conflict):
    """This id cannot be used for a session; create another."""


class SessionLimit(Conflict):
    """Your plan doesn't allow more recordings at the same time. Stop one first."""

    shown = ("running",)


class SessionOver(Conflict):
    """This session stopped more than 30 days ago; nothing more is accepted for it."""


class BadBatch(Invalid):
    """A batch is a JSON object with a list of events."""


class BatchTooLarge(TooLarge):
    """A batch has more events than this server accepts."""


class BadSession(Invalid):
    """A session can't be started with these values."""


class StillRecording(Conflict):
    """This session is still being recorded; stop it first."""


class TitleChanged(Conflict):
    """This session was renamed in the meantime."""


class LogGone(Conflict):
    """The raw events of this session are no longer kept, so its timeline can't be rebuilt."""
