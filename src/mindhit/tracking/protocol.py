"""The event protocol: everything a recording browser and the server must agree on, declared once.

    SentEvent, SentPayload, PageMeta   an event as a browser sends it; decoding goes straight into these
    EVENTS                             the event types: what each one means, carries and requires
    Event, Payload                     an event as the log keeps it, checked and with its URL normalised
    SHARED                             the limits and times that both sides use

`tools/generated.py` writes from it `clients/ts/src/protocol.ts` and the tables of `docs/events.md`; the
request body in the OpenAPI document is the schema of `EventBatch`. To add an event type: declare it
here, say in `timeline/fold.py` what it changes, and have the extension send it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

IDLE_THRESHOLD_MS: Final = 60_000
SILENCE_MS: Final = 180_000
ALIVE_AFTER_MS: Final = 45_000
BATCH_LIMIT: Final = 200
MAX_BODY_BYTES: Final = 8 * 1024 * 1024
MAX_SEQ: Final = 2**31 - 2
MAX_AHEAD_MS: Final = 86_400_000
MAX_THRESHOLD_MS: Final = 86_400_000
MAX_TAB_ID: Final = 2**31 - 1
MAX_CONTENT: Final = 10_000
MAX_HIGHLIGHT: Final = 10_000
MAX_TITLE: Final = 500
MAX_META: Final = 2_000
MAX_LANGUAGE: Final = 35
MAX_URL: Final = 8_000
MAX_ICON: Final = 4_000
MAX_ICON_SIDE: Final = 64
ICON_PREFIX: Final = "data:image/png;base64,"
NO_WINDOW: Final = -1

# Constants of this module that browsers use too, with what they mean.
SHARED: Final[Mapping[str, str]] = {
    "IDLE_THRESHOLD_MS": "Without input for this long, the person counts as idle;"
    " assumed where `thresholdMs` is absent.",
    "SILENCE_MS": "A longer gap between two events counts as sleep and belongs to no page.",
    "ALIVE_AFTER_MS": "A browser that had nothing to report for this long sends `ALIVE`.",
    "BATCH_LIMIT": "Events in one batch; the operator can set another limit"
    " (`MINDHIT_BATCH_LIMIT`).",
    "MAX_BODY_BYTES": "Bytes of a batch, decompressed.",
    "MAX_SEQ": "The highest `seq`.",
    "MAX_AHEAD_MS": "How far `t` may be ahead of the server's clock.",
    "MAX_THRESHOLD_MS": "The highest `thresholdMs`.",
    "MAX_TAB_ID": "The highest `tabId`, `windowId` and `openerTabId`.",
    "MAX_CONTENT": "Characters of a page's text that are kept.",
    "MAX_HIGHLIGHT": "Characters of a highlight that are kept.",
    "MAX_TITLE": "Characters of a title that are kept.",
    "MAX_META": "Characters of each text in `meta` that are kept; a longer address is dropped.",
    "MAX_LANGUAGE": "Characters of `meta.language` that are kept.",
    "MAX_URL": "Characters of a URL that is sent; a page with a longer one is not recorded.",
    "MAX_ICON": "Characters of an icon as a `data:` address; a longer one is dropped.",
    "MAX_ICON_SIDE": "Width and height of an icon, in pixels.",
    "ICON_PREFIX": "How an icon's address begins: the icon itself, a PNG.",
    "NO_WINDOW": "`windowId` when no window of the browser has the focus.",
}


class EventType(StrEnum):
    __hash__ = str.__hash__  # StrEnum's own hash is written in Python, and called for every event

    TAB_ACTIVATED = "TAB_ACTIVATED"
    NAV_COMMITTED = "NAV_COMMITTED"
    CONTENT_EXTRACTED = "CONTENT_EXTRACTED"
    WINDOW_FOCUS_CHANGED = "WINDOW_FOCUS_CHANGED"
    IDLE_STATE_CHANGED = "IDLE_STATE_CHANGED"
    HIGHLIGHT = "HIGHLIGHT"
    TAB_REMOVED = "TAB_REMOVED"
    ALIVE = "ALIVE"
    # Never sent: stored under the number of an event of which not even the time could be used, so
    # that it is not missing. The timeline ignores it. Other events that could not be used are stored
    # as `ALIVE`: they show that the browser was awake.
    REJECTED = "REJECTED"


@dataclass(frozen=True, slots=True)
class EventSpec:
    """One event type. `fields` and `payload` are what it carries, `requires` those without which it
    is rejected. `reads_no_payload`: that the payload is absent says something too."""

    meaning: str
    fields: tuple[str, ...] = ()
    payload: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    reads_no_payload: bool = False


EVENTS: Final[Mapping[EventType, EventSpec]] = {
    EventType.TAB_ACTIVATED: EventSpec(
        "A tab came to the front of its window.",
        fields=("tab_id", "window_id", "url"),
        payload=("title", "no_fetch"),
        requires=("tab_id",),
    ),
    EventType.NAV_COMMITTED: EventSpec(
        "A tab shows another page. With `content` or `extractionOk` it also brings the page's text."
        " It never brings a tab to the front: a window shows no page until a tab of it is activated.",
        fields=("tab_id", "window_id", "url"),
        payload=(
            "title",
            "redirect",
            "transition",
            "opener_tab_id",
            "new_document",
            "content",
            "extraction_ok",
            "meta",
            "no_fetch",
        ),
        requires=("tab_id",),
    ),
    EventType.CONTENT_EXTRACTED: EventSpec(
        "The text of a page was extracted, or could not be.",
        fields=("tab_id", "url"),
        payload=("title", "content", "extraction_ok", "meta", "no_fetch"),
        requires=("url",),
        reads_no_payload=True,
    ),
    EventType.WINDOW_FOCUS_CHANGED: EventSpec(
        "A window gained or lost the focus. One of `windowId` and `focused` is required.",
        fields=("window_id",),
        payload=("focused",),
        reads_no_payload=True,
    ),
    EventType.IDLE_STATE_CHANGED: EventSpec(
        "The person went idle, locked the screen, or came back.",
        payload=("state", "threshold_ms"),
        requires=("state",),
        reads_no_payload=True,
    ),
    EventType.HIGHLIGHT: EventSpec(
        "The person highlighted a text.",
        fields=("tab_id", "url"),
        payload=("text",),
        requires=("url", "text"),
        reads_no_payload=True,
    ),
    EventType.TAB_REMOVED: EventSpec("A tab was closed.", fields=("tab_id",), requires=("tab_id",)),
    EventType.ALIVE: EventSpec("The browser is running and had nothing else to report."),
}


class Presence(StrEnum):
    """Is the person at the machine?"""

    ACTIVE = "active"
    IDLE = "idle"
    LOCKED = "locked"


def _described(description: str) -> Meta:
    return Meta(description=description)


# Values are described to clients, not enforced while decoding: one event with a wrong value must
# not cost the others. `ingest/validation.py` checks them event by event.
_Seq = Annotated[
    int,
    Meta(
        description="1, 2, 3 … within a session, without gaps.",
        extra_json_schema={"minimum": 1, "maximum": MAX_SEQ},
    ),
]
_Time = Annotated[
    int | float,
    Meta(
        description="When it happened: milliseconds since 1970 by the browser's clock.",
        extra_json_schema={"minimum": 0},
    ),
]
_TypeName = Annotated[
    str,
    Meta(
        description="What happened.",
        extra_json_schema={"title": "EventType", "enum": [each.value for each in EVENTS]},
    ),
]
_PresenceName = Annotated[
    str, Meta(extra_json_schema={"title": "Presence", "enum": [each.value for each in Presence]})
]
_Id = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]


class PageMeta(msgspec.Struct, rename="camel", gc=False):
    """What a page says about itself in its head."""

    title: str | None = None
    description: str | None = None
    og_image: str | None = None
    og_title: str | None = None
    language: str | None = None
    canonical: str | None = None
    favicon: Annotated[
        str | None, _described("The icon itself as a `data:` address, or its address at the site.")
    ] = None


class SentPayload(msgspec.Struct, rename="camel", gc=False):
    """What an event says beyond its number, time, tab and URL."""

    title: Annotated[str | None, _described("The page's title.")] = None
    redirect: Annotated[
        bool | None,
        _described(
            "The page before it in this tab was only a step on the way here. Sent also where this"
            " page is not recorded: then the step is no visit either."
        ),
    ] = None
    transition: Annotated[
        str | None,
        _described(
            "How the page was reached, in the browser's own words: `link`, `typed`, `form_submit` …;"
            " `forward_back` for the history's buttons, however it was first reached."
        ),
    ] = None
    opener_tab_id: Annotated[int | None, _described("The tab from which this one was opened.")] = (
        None
    )
    new_document: Annotated[
        bool | None,
        _described(
            "A navigation that was no reload brought a new document. Where the tab had this URL"
            " already (a form that posts to its own address) and the title or the text that follows"
            " differs, a new visit begins here."
        ),
    ] = None
    content: Annotated[str | None, _described("The page's text.")] = None
    extraction_ok: Annotated[
        bool | None, _described("False where the text could not be extracted.")
    ] = None
    meta: Annotated[PageMeta | None, _described("What the page says about itself.")] = None
    no_fetch: Annotated[
        bool | None,
        _described(
            "The server must not fetch this page: credentials were taken out of its address, or it"
            " has fields for a password or a card."
        ),
    ] = None
    focused: Annotated[bool | None, _described("Whether the window has the focus now.")] = None
    state: Annotated[_PresenceName | None, _described("Whether the person is there.")] = None
    threshold_ms: Annotated[
        int | float | None, _described("How long there was no input before `idle` was reported.")
    ] = None
    text: Annotated[str | None, _described("The highlighted text.")] = None
    url: Annotated[str | None, _described("Used where the event itself has none.")] = None
    tab_id: Annotated[int | None, _described("Used where the event itself has none.")] = None
    restart: Annotated[
        bool | None,
        _described("On the first event after the browser started: earlier tab ids are void."),
    ] = None


class SentEvent(msgspec.Struct, rename="camel", gc=False):
    """An event as a browser sends it."""

    seq: _Seq
    t: _Time
    type: _TypeName
    session_id: Annotated[
        _Id | None, _described("Needed where the address of the request does not name the session.")
    ] = None
    tab_id: Annotated[
        int | None, _described("The tab it happened in, by the browser's number.")
    ] = None
    window_id: Annotated[
        int | None, _described(f"The window it happened in; {NO_WINDOW}: none of the browser's.")
    ] = None
    url: Annotated[
        str | None,
        _described(
            "The page's address, with the fragment where it is a route (`#/…`, `#!…`). Absent: a"
            " page that is not recorded."
        ),
    ] = None
    payload: Annotated[SentPayload | None, _described("What the type says beyond that.")] = None


class EventBatch(msgspec.Struct):
    """The body of a request."""

    events: list[SentEvent]


class Payload(msgspec.Struct, omit_defaults=True, rename="camel", frozen=True, gc=False):
    """The payload of a checked event, as `raw_events.payload` keeps it.

    Of a page's text it has only the id. `address` is the URL as it was seen, where it differs from
    the normalised one. `rejected` says why part of an event was not used. `forgotten`: what the event
    opens is no page, since the person wants it forgotten.
    """

    title: str | None = None
    redirect: bool = False
    transition: str | None = None
    opener_tab_id: int | None = None
    new_document: bool = False
    content_id: UUID | None = None
    extraction_ok: bool | None = None
    focused: bool | None = None
    state: Presence | None = None
    threshold_ms: int | None = None
    text: str | None = None
    restart: bool = False
    rejected: str | None = None
    address: str | None = None
    no_fetch: bool = False
    forgotten: bool = False


NO_PAYLOAD: Final = Payload()


class Event(msgspec.Struct, frozen=True, gc=False):
    """A checked event. No `url_id`: a page that is excluded, or not on the web."""

    seq: int
    t: int
    type: EventType
    tab_id: int | None = None
    window_id: int | None = None
    url_id: UUID | None = None
    payload: Payload = NO_PAYLOAD
