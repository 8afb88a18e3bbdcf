"""Sessions and timelines in the shape of the API's answers.

Times are strings, ISO 8601 in UTC with milliseconds, as the statements return them: a row goes from
the database into the answer unchanged, which a timeline of 5,000 visits needs. The OpenAPI document
is generated from these structs.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from mindhit.tracking.model import PauseKind, Status

# Where the API serves site icons; a visit's `favicon` is below it.
ICON_PATH: Final = "/v1/icons/"


def _words(words: list[str]) -> Meta:
    return Meta(extra_json_schema={"enum": words})


Time = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
StatusWord = Annotated[str, _words([each.value for each in Status])]
PauseWord = Annotated[str, _words([each.value for each in PauseKind])]
TitleWord = Annotated[str, _words(["reader", "generated"])]
ContentWord = Annotated[str, _words(["pending", "extracted", "crawled", "failed"])]


class Shape(msgspec.Struct, frozen=True, gc=False):
    """Something that is encoded as it is."""


class NamedAfter(Shape, frozen=True):
    """What was read longest, and how many pages there were besides: a name until there is a title."""

    title: str
    more_pages: int


class SessionSummary(Shape, frozen=True):
    """A session in a list. `page_count` is of distinct pages that were in focus, the present one
    included; the duration is of visits that have ended."""

    id: UUID
    title: str | None
    title_by: TitleWord | None
    named_after: Annotated[
        NamedAfter | None, Meta(description="Null where there is a title, or no page.")
    ]
    status: StatusWord
    started_at: Time
    ended_at: Time | None
    last_event_at: Time | None
    total_duration_ms: int
    page_count: int
    highlight_count: int
    top_keywords: list[str]
    top_domains: list[str]
    device_id: UUID | None
    is_incomplete: Annotated[bool, Meta(description="Some of its events are missing.")]
    is_over_limit: Annotated[
        bool, Meta(description="Begun while offline, over the plan's sessions at once.")
    ]
    expires_at: Annotated[
        Time | None, Meta(description="When it will be deleted, if the plan doesn't keep it.")
    ]


class Pagination(Shape, frozen=True):
    total: int
    page: int
    limit: int
    has_next: bool


class SessionList(Shape, frozen=True, omit_defaults=True):
    """A page of sessions, newest first."""

    sessions: list[SessionSummary]
    next_cursor: Annotated[
        str | None, Meta(description="Cursor of the next page; null on the last page.")
    ]
    total: Annotated[
        int | None, Meta(description="Sessions on all pages; null where a cursor was given.")
    ]
    pagination: Annotated[
        Pagination | UnsetType, Meta(description="Absent where a cursor was given.")
    ] = UNSET
    thumbnails: Annotated[
        dict[str, list[list[int]]],
        Meta(
            description="Session id → its mind map as lines `[depth, x1, y1, x2, y2]` from 0 to 100;"
            " of those that have one."
        ),
    ] = {}


class SessionHead(SessionSummary, frozen=True):
    """A session on its own."""

    acked_seq: Annotated[
        int,
        Meta(description="All events up to here are stored, or permanently missing."),
    ]
    event_count: int
    rejected_count: int
    error: str | None


class PageVisitItem(Shape, frozen=True):
    """One stay of one page in the foreground. Its id never changes."""

    id: str
    url_id: Annotated[
        UUID, Meta(description="The page's identity: the same for all of its addresses.")
    ]
    url: Annotated[str, Meta(description="The page's address as it was seen.")]
    domain: str
    title: str | None
    favicon: Annotated[
        str | None,
        Meta(description="Path of the icon on this server, or its URL at the site."),
    ]
    summary: str | None
    keywords: list[str]
    content_status: Annotated[
        ContentWord | None, Meta(description="Null until the page's text was read.")
    ]
    entered_at: Time
    left_at: Annotated[Time | None, Meta(description="Null while the page is in the foreground.")]
    duration_ms: int
    is_focused: Annotated[
        bool, Meta(description="False while another program had the focus; not counted in totals.")
    ]
    visit_order: int
    tab_id: int
    transition: str | None
    came_from: Annotated[str | None, Meta(description="Address of the page that led here.")]


class HighlightItem(Shape, frozen=True):
    id: UUID
    text: str
    note: Annotated[str | None, Meta(description="What the reader wrote about it.")]
    url_id: UUID
    url: str
    created_at: Time
    page_visit_id: Annotated[str | None, Meta(description="The visit that it was made in, if any.")]


class ListedHighlight(HighlightItem, frozen=True):
    """A highlight outside of its session: with its page and the session's name."""

    domain: str
    title: Annotated[str | None, Meta(description="The page's.")]
    favicon: Annotated[
        str | None,
        Meta(description="Path of the icon on this server, or its URL at the site."),
    ]
    session_id: UUID
    session_title: Annotated[str | None, Meta(description="Else what was read longest in it.")]


class HighlightList(Shape, frozen=True):
    """Highlights of all sessions, newest first."""

    highlights: list[ListedHighlight]
    next_cursor: Annotated[
        str | None, Meta(description="Cursor of the next page; null on the last page.")
    ]


class HighlightedTexts(Shape, frozen=True):
    """What was highlighted on one page."""

    texts: Annotated[list[str], Meta(description="Each once, newest first.")]


class VisitOfPage(Shape, frozen=True):
    """A visit on the page's own screen: with its session's name."""

    id: str
    session_id: UUID
    session_title: Annotated[str | None, Meta(description="Else what was read longest in it.")]
    title: str | None
    entered_at: Time
    left_at: Time
    duration_ms: int
    is_focused: bool
    transition: str | None
    came_from: Annotated[str | None, Meta(description="Address of the page that led here.")]


class LinkedPage(Shape, frozen=True):
    """A page that led to another, or was opened from it, and how often."""

    url_id: UUID
    url: str
    domain: str
    title: str | None
    favicon: str | None
    visits: int


class VisitedPage(Shape, frozen=True):
    """A page in all of a person's sessions. Sums are of visits in focus."""

    url_id: UUID
    url: Annotated[str, Meta(description="The address at which it was last seen.")]
    domain: str
    title: str | None
    favicon: str | None
    summary: str | None
    keywords: list[str]
    content_status: Annotated[
        ContentWord | None, Meta(description="Null until the page's text was read.")
    ]
    text: Annotated[str | None, Meta(description="The newest that was read.")]
    read_at: Time | None
    first_at: Time | None
    last_at: Time | None
    focused_ms: int
    visit_count: int
    visits: Annotated[list[VisitOfPage], Meta(description="The newest 200, newest first.")]
    highlights: Annotated[list[ListedHighlight], Meta(description="The newest 200.")]
    reached_from: Annotated[list[LinkedPage], Meta(description="The 30 most often used.")]
    opened: Annotated[list[LinkedPage], Meta(description="The 30 most often opened from it.")]


class PauseItem(Shape, frozen=True):
    """A period without a visit."""

    kind: PauseWord
    entered_at: Time
    left_at: Annotated[Time | None, Meta(description="Null while it lasts.")]
    duration_ms: int


class Hole(Shape, frozen=True):
    """Events that have not arrived."""

    from_seq: int
    to_seq: int


class SessionDetail(Shape, frozen=True):
    session: SessionHead
    page_visits: list[PageVisitItem]
    highlights: list[HighlightItem]
    pauses: list[PauseItem]
    holes: list[Hole]


class PageNow(Shape, frozen=True):
    """The page in the foreground."""

    url: str
    title: str | None
    entered_at: Time
    is_focused: bool


class Step(Shape, frozen=True):
    """How far the processing of a session has come."""

    step: str
    done: int
    total: int


class Progress(SessionHead, frozen=True):
    """A session that is watched live."""

    version: int
    page_now: PageNow | None
    processing: Annotated[Step | None, Meta(description="Null while nothing is known of it.")]


class DomainTotal(Shape, frozen=True):
    domain: str
    focused_ms: int
    visits: int
    pages: int


class Totals(Shape, frozen=True):
    """Active time by domain, most first. The sums include domains that are not listed."""

    from_: Time = msgspec.field(name="from")
    to: Time
    focused_ms: int
    visits: int
    pages: int
    domains: list[DomainTotal]


encode = msgspec.json.Encoder().encode


def iso(at: datetime) -> str:
    """As the statements format it; `at` is in UTC."""
    return at.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
