"""A session as a file: Markdown for reading, CSV for a spreadsheet, JSON for a program.

No I/O. Titles, URLs and highlights are whatever pages and people wrote: none of it becomes markup in
Markdown, or a formula in CSV.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Final
from urllib.parse import quote

from msgspec import structs

from mindhit.json_pieces import pieces
from mindhit.tracking.model import Status
from mindhit.tracking.shapes import PageVisitItem, PauseItem, SessionDetail, SessionSummary

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|~#&$])")
# What turns a line that begins with it into a list, a rule, a heading or a table.
_BLOCK: Final = re.compile(r"^(\d{1,9}(?=[.)])|(?=[-+=:]))")
# What spreadsheets treat as the start of a formula, full-width forms included, after any blank or
# invisible characters; at the start of a cell, and where a program splits at other separators.
_BLANK: Final = (
    r"\"\s\x00-\x1f\x7f-\xa0\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
)
_FORMULA: Final = re.compile(rf"(^|[;\t\r\n])([{_BLANK}]*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])")
PAUSES: Final = {"idle": "away", "asleep": "asleep", "no_page": "not recorded"}
_COLUMNS: Final = (
    "visit_order",
    "entered_at",
    "left_at",
    "duration_ms",
    "is_focused",
    "url",
    "domain",
    "title",
    "tab_id",
    "transition",
    "came_from",
    "content_status",
    "keywords",
    "summary",
)


class Format(StrEnum):
    JSON = "json"
    MD = "md"
    CSV = "csv"


MEDIA_TYPES: Final[Mapping[Format, str]] = {
    Format.JSON: "application/json",
    Format.MD: "text/markdown; charset=utf-8",
    Format.CSV: "text/csv; charset=utf-8",
}


def render(detail: SessionDetail, format_: Format, zone: tzinfo) -> bytes:
    return _RENDER[format_](detail, zone)


def file_name(detail: SessionDetail, format_: Format, zone: tzinfo) -> str:
    """Letters, digits, dots and dashes only, whatever the session's title."""
    started = local(detail.session.started_at, zone)
    return f"mindhit-{started:%Y-%m-%d}-{detail.session.id.hex[:8]}.{format_.value}"


def local(at: str, zone: tzinfo) -> datetime:
    return datetime.fromisoformat(at).astimezone(zone)


def time_of(at: str, zone: tzinfo) -> str:
    """Local time to the millisecond; with its offset in the hour that a change of clocks repeats,
    where the time alone names two moments."""
    moment = local(at, zone)
    is_repeated = moment.utcoffset() != moment.replace(fold=1 - moment.fold).utcoffset()
    return (moment if is_repeated else moment.replace(tzinfo=None)).isoformat(" ", "milliseconds")


def length(ms: int) -> str:
    """Exact to the millisecond: 1:02:03.456"""
    minutes, rest = divmod(ms, 60_000)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{clock}:{rest // 1000:02}.{rest % 1000:03}"


def stretches(detail: SessionDetail) -> list[PageVisitItem | PauseItem]:
    """Visits and pauses in order of time: every millisecond of the session is in one of them."""
    return sorted([*detail.page_visits, *detail.pauses], key=lambda each: each.entered_at)


def name_of(session: SessionSummary) -> str | None:
    """Its title, or what was read longest in it; None where nothing was."""
    if session.title is not None or session.named_after is None:
        return session.title
    named = session.named_after
    if not named.more_pages:
        return named.title
    return f"{named.title} and {named.more_pages} more page{'s' if named.more_pages > 1 else ''}"


def is_open(detail: SessionDetail) -> bool:
    """Whether missing events may still arrive: until the session is closed."""
    return detail.session.status in {Status.RECORDING, Status.PROCESSING}


def _json(detail: SessionDetail, _zone: tzinfo) -> bytes:
    visits = [_without_path(visit) for visit in detail.page_visits]
    return b"".join(pieces(structs.replace(detail, page_visits=visits)))


def _without_path(visit: PageVisitItem) -> PageVisitItem:
    """A path on this server is of no use in a file."""
    is_path = visit.favicon is not None and visit.favicon.startswith("/")
    return structs.replace(visit, favicon=None) if is_path else visit


def _csv(detail: SessionDetail, zone: tzinfo) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    for visit in detail.page_visits:
        writer.writerow([_cell(name, visit, zone) for name in _COLUMNS])
    return out.getvalue().encode(
        "utf-8-sig"
    )  # without the byte order mark Excel cannot read Hangul


def _cell(name: str, visit: PageVisitItem, zone: tzinfo) -> object:
    value = getattr(visit, name)
    if name.endswith("_at"):
        return value and local(value, zone).isoformat(timespec="milliseconds")
    if isinstance(value, list):
        value = ", ".join(value)
    return _FORMULA.sub(r"\1'\2", value) if isinstance(value, str) else value


def _markdown(detail: SessionDetail, zone: tzinfo) -> bytes:
    lines = [
        *_top(detail, zone),
        *_timeline(detail, zone),
        *_pages(detail),
        *_highlights(detail, zone),
    ]
    return ("\n".join(lines) + "\n").encode()


def _top(detail: SessionDetail, zone: tzinfo) -> Iterator[str]:
    session = detail.session
    started = local(session.started_at, zone)
    ended = "" if session.ended_at is None else f" – {time_of(session.ended_at, zone)}"
    yield f"# {_text(name_of(session) or f'Session on {started:%Y-%m-%d %H:%M}')}"
    yield ""
    yield f"{time_of(session.started_at, zone)}{ended} ({zone})  "
    pages = "1 page" if session.page_count == 1 else f"{session.page_count} pages"
    yield f"{length(session.total_duration_ms)} on {pages}"
    if session.top_keywords:
        yield ""
        yield f"Keywords: {', '.join(map(_text, session.top_keywords))}"
    if detail.holes:
        yield ""
        what = "have not arrived yet" if is_open(detail) else "never arrived"
        yield f"Some events of this session {what}; the timeline was built without them."


def _timeline(detail: SessionDetail, zone: tzinfo) -> Iterator[str]:
    yield ""
    yield "## Timeline"
    yield ""
    yield "| from | to | duration | page |"
    yield "|---|---|---:|---|"
    for each in stretches(detail):
        left = "" if each.left_at is None else time_of(each.left_at, zone)
        what = _pause(each) if isinstance(each, PauseItem) else _visit(each)
        yield f"| {time_of(each.entered_at, zone)} | {left} | {length(each.duration_ms)} | {what} |"


def _pages(detail: SessionDetail) -> Iterator[str]:
    """What each page says, once; pages without a summary are in the timeline alone."""
    told = {visit.url_id: visit for visit in detail.page_visits if visit.summary}
    if not told:
        return
    yield ""
    yield "## Pages"
    for visit in told.values():
        yield ""
        yield f"### {_text(visit.title or visit.url)}"
        yield ""
        yield _line(visit.summary or "")
        if visit.keywords:
            yield ""
            yield f"*{', '.join(map(_text, visit.keywords))}*"


def _visit(visit: PageVisitItem) -> str:
    aside = "" if visit.is_focused else " *(in the background)*"
    return f"[{_text(visit.title or visit.url)}](<{_address(visit.url)}>){aside}"


def _pause(pause: PauseItem) -> str:
    return f"*{PAUSES[pause.kind]}*"


def _highlights(detail: SessionDetail, zone: tzinfo) -> Iterator[str]:
    if not detail.highlights:
        return
    yield ""
    yield "## Highlights"
    for highlight in detail.highlights:
        yield ""
        for line in highlight.text.splitlines():
            yield f"> {_line(line)}"
        yield ">"
        yield f"> — <{_address(highlight.url)}>, {time_of(highlight.created_at, zone)}"
        if highlight.note:
            yield ""
            yield from (_line(line) for line in highlight.note.splitlines())


def _text(text: str) -> str:
    """One line in which nothing is markup."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _line(text: str) -> str:
    """The same at the start of a line."""
    return _BLOCK.sub(r"\1\\", _text(text))


def _address(url: str) -> str:
    return quote(url, safe="%/:?#[]@!$&'()*+,;=~-._")


_RENDER: Final[Mapping[Format, Callable[[SessionDetail, tzinfo], bytes]]] = {
    Format.JSON: _json,
    Format.MD: _markdown,
    Format.CSV: _csv,
}
