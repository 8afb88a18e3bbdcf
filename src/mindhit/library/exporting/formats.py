"""How each format writes a library. What is written, `importing` reads back without loss. Pure."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from html import escape
from typing import Any, Final, Protocol

import msgspec

from mindhit.library.exporting.walking import Enter, Item, Leave, Step
from mindhit.library.importing.documents import CSV_COLUMNS, FORMULA, VERSION
from mindhit.library.importing.netscape import ARCHIVED, DESCRIPTION
from mindhit.library.model import PageKind

_NAME: Final = re.compile(r"[A-Za-z_][\w:-]*")


class ExportFormat(StrEnum):
    HTML = "html"
    JSON = "json"
    CSV = "csv"


MEDIA_TYPES: Final[Mapping[ExportFormat, str]] = {
    ExportFormat.HTML: "text/html; charset=utf-8",
    ExportFormat.JSON: "application/json",
    ExportFormat.CSV: "text/csv; charset=utf-8",
}


class Writer(Protocol):
    def begin(self) -> bytes: ...

    def write(self, steps: Iterable[Step]) -> bytes: ...

    def end(self) -> bytes: ...


def writer_of(format_: ExportFormat) -> Writer:
    match format_:
        case ExportFormat.HTML:
            return _Html()
        case ExportFormat.JSON:
            return _Json()
        case ExportFormat.CSV:
            return _Csv()


class _Html:
    """As browsers write and read it."""

    def begin(self) -> bytes:
        return (
            b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"
            b'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n'
            b"<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n"
        )

    def write(self, steps: Iterable[Step]) -> bytes:
        return "".join(map(self._step, steps)).encode()

    def end(self) -> bytes:
        return b"</DL><p>\n"

    def _step(self, step: Step) -> str:
        match step:
            case Leave(depth):
                return f"{'    ' * depth}</DL><p>\n"
            case Enter(folder, _, _, path):
                margin = "    " * len(path)
                extra = dict(folder.extra)
                note = str(extra.pop(DESCRIPTION, ""))
                attributes = _attributes({"ADD_DATE": _seconds(folder.created_at), **extra})
                said = f"<DD>{escape(note, quote=False)}\n" if note else ""
                return f"{margin}<DT><H3{attributes}>{_text(folder.name)}</H3>\n{said}{margin}<DL><p>\n"
            case Item(page, _, path):
                return f"{'    ' * (len(path) + 1)}{self._page(page)}"

    def _page(self, page: Any) -> str:
        if page.kind == PageKind.SEPARATOR:
            return f"<HR{_attributes({'ADD_DATE': _seconds(page.created_at), **page.extra})}>\n"
        attributes: dict[str, Any] = {"HREF": page.address, "ADD_DATE": _seconds(page.created_at)}
        if page.tags:
            attributes["TAGS"] = ",".join(page.tags)
        if page.archived_at:
            attributes[ARCHIVED] = _seconds(page.archived_at)
        written = _attributes({**attributes, **page.extra})
        note = f"<DD>{escape(page.note, quote=False)}\n" if page.note else ""
        return f"<DT><A{written}>{_text(page.title or '')}</A>\n{note}"


class _Json:
    def __init__(self) -> None:
        self._is_first = True

    def begin(self) -> bytes:
        return b'{"mindhit":"bookmarks","version":%d,"items":[\n' % VERSION

    def write(self, steps: Iterable[Step]) -> bytes:
        lines = [msgspec.json.encode(item) for item in map(_record, steps) if item]
        if not lines:
            return b""
        before = b"" if self._is_first else b",\n"
        self._is_first = False
        return before + b",\n".join(lines)

    def end(self) -> bytes:
        return b"\n]}\n"


class _Csv:
    def begin(self) -> bytes:
        return ",".join(CSV_COLUMNS).encode() + b"\r\n"

    def write(self, steps: Iterable[Step]) -> bytes:
        out = io.StringIO(newline="")
        rows = csv.writer(out)
        for record in filter(None, map(_record, steps)):
            record["tags"] = _compact(record.get("tags") or [])
            record["extra"] = _compact(record["extra"])
            rows.writerow([_cell(record.get(name)) for name in CSV_COLUMNS])
        return out.getvalue().encode()

    def end(self) -> bytes:
        return b""


def _record(step: Step) -> dict[str, Any] | None:
    match step:
        case Enter(folder, number, parent, path):
            return {
                "type": "folder",
                "number": number,
                "folder": parent,
                "path": "/".join(path[:-1]),
                "title": folder.name,
                "created_at": folder.created_at,
                "extra": folder.extra,
            }
        case Item(page, folder, path):
            return {
                "type": page.kind,
                "folder": folder,
                "path": "/".join(path),
                "title": page.title,
                "address": page.address,
                "note": page.note,
                "tags": page.tags,
                "created_at": page.created_at,
                "archived_at": page.archived_at,
                "extra": page.extra,
            }
        case Leave():
            return None


def _attributes(values: Mapping[str, Any]) -> str:
    """Names come from files that others wrote: what isn't a name of an attribute is left out."""
    return "".join(
        f' {name}="{_value(value)}"' for name, value in values.items() if _NAME.fullmatch(name)
    )


def _value(value: Any) -> str:
    """An attribute ends on its line."""
    return escape(str(value)).replace("\n", "&#10;").replace("\r", "&#13;")


def _text(text: str) -> str:
    return escape(text, quote=False)


def _seconds(at: datetime) -> int:
    return int(at.timestamp())


def _compact(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _cell(value: object) -> str:
    text = value.isoformat() if isinstance(value, datetime) else "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
