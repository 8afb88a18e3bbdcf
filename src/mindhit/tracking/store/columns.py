"""Parameters that several statements share: many rows as columns, one array for each.

`ArrayLiteral` is a PostgreSQL array in writing (`array_literals.py`), which the SQL casts. Times are
milliseconds since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

ArrayLiteral = str


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlColumns:
    url_ids: ArrayLiteral
    url_hrefs: ArrayLiteral
    url_domains: ArrayLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentColumns:
    content_ids: list[UUID]
    content_titles: list[str | None]
    content_texts: list[str]
    content_metas: list[bytes]
    content_favicons: list[str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventColumns:
    event_seqs: ArrayLiteral
    event_times: ArrayLiteral
    event_types: ArrayLiteral
    event_tab_ids: ArrayLiteral
    event_window_ids: ArrayLiteral
    event_url_ids: ArrayLiteral
    event_payloads: ArrayLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReadColumns:
    """URLs, each with the newest text that was read there; nulls where none was."""

    read_url_ids: ArrayLiteral
    read_content_ids: ArrayLiteral
    read_statuses: ArrayLiteral
    read_times: ArrayLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenColumns:
    """For the URLs of `TextReadColumns`, in the same order: at which address each was seen, and
    whether it must not be fetched."""

    seen_addresses: ArrayLiteral
    seen_no_fetch: ArrayLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineColumns:
    """Visits, pauses and highlights."""

    visit_opened_by_seqs: ArrayLiteral
    visit_orders: ArrayLiteral
    visit_url_ids: ArrayLiteral
    visit_tab_ids: ArrayLiteral
    visit_entered: ArrayLiteral
    visit_left: ArrayLiteral
    visit_is_focused: ArrayLiteral
    visit_titles: ArrayLiteral
    visit_content_ids: ArrayLiteral
    visit_transitions: ArrayLiteral
    visit_from_url_ids: ArrayLiteral
    visit_addresses: ArrayLiteral
    pause_kinds: ArrayLiteral
    pause_entered: ArrayLiteral
    pause_left: ArrayLiteral
    highlight_ids: ArrayLiteral
    highlight_seqs: ArrayLiteral
    highlight_url_ids: ArrayLiteral
    highlight_visit_seqs: ArrayLiteral
    highlight_texts: ArrayLiteral
    highlight_times: ArrayLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressColumns:
    """How far a session's log and its fold have come. Null: `last_event_at` stays as it is."""

    next_seq: int
    max_seq: int
    parked: list[tuple[int, int, float]]
    holes: list[tuple[int, int]]
    hole_since_s: float | None
    fold_state: bytes
    last_event_ms: int | None
    began_ms: int | None
