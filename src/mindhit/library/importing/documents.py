"""Files that are read whole: what Karakeep, Linkwarden and MindHit export as JSON, and MindHit's CSV.

Pure. A value of the wrong type makes its entry a bad one, never the whole file.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from mindhit.clock import utc_now
from mindhit.library.importing.entries import (
    LONGEST_EXCERPT,
    TOP,
    BadEntry,
    Entry,
    PageEntry,
    clean,
    folder_entry,
    iso_moment,
    moment,
    page_entry,
)
from mindhit.library.model import BadImport, PageKind

LARGEST_DOCUMENT: Final = 100 * 1000 * 1000
VERSION: Final = 1
CSV_COLUMNS: Final = (
    *("type", "number", "folder", "path", "title", "address", "note", "tags"),
    *("created_at", "archived_at", "extra"),
)
_CSV_HEAD: Final = ",".join(CSV_COLUMNS)
# What a spreadsheet takes for a formula is written with an apostrophe in front; so is an apostrophe.
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "'")
NOT_AN_ENTRY: Final = "This is not an entry that MindHit knows."
NO_FOLDER: Final = "Its folder isn't in the file, or only after it."
_NAMED: Final = re.compile(r'"(mindhit|bookmarks|collections)"\s*:\s*["\[]')
_SOURCES: Final = {
    "mindhit": "mindhit_json",
    "bookmarks": "karakeep_json",
    "collections": "linkwarden_json",
}
_NUMBER: Final = re.compile(r"\d{1,9}")
_Json = Mapping[str, Any]


def is_document(head: str) -> bool:
    start = head.removeprefix("\ufeff").lstrip()
    return start.startswith(("{", _CSV_HEAD))


class DocumentReader:
    """Fed with all parts of a file, then closed, gives its entries."""

    def __init__(self, head: str) -> None:
        self._is_json = head.removeprefix("\ufeff").lstrip().startswith("{")
        self.source_type = _source_of(head) if self._is_json else "mindhit_csv"
        self._parts: list[bytes] = []

    def feed(self, part: bytes) -> list[Entry]:
        self._parts.append(part)
        if sum(map(len, self._parts)) > LARGEST_DOCUMENT:
            limit = LARGEST_DOCUMENT // 1_000_000
            raise BadImport(f"A file of this kind can have at most {limit} MB.")
        return []

    def close(self) -> list[Entry]:
        body, self._parts = b"".join(self._parts), []
        text = body.removeprefix(b"\xef\xbb\xbf")
        if not self._is_json:
            return list(_from_csv(text.decode("utf-8", "replace")))
        try:
            document = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadImport(f"This is not JSON: {error}.") from None
        read = {
            "mindhit_json": _from_mindhit,
            "linkwarden_json": _from_linkwarden,
            "karakeep_json": _from_karakeep,
        }[self.source_type]
        return list(read(document))


def _source_of(head: str) -> str:
    """By the first of the names that only one program's files have. A name, not a word: tags and titles
    may have the words."""
    found = _NAMED.search(head)
    if found is None:
        raise BadImport
    return _SOURCES[found[1]]


def _from_karakeep(document: _Json) -> Iterator[Entry]:
    """Lists become folders; a bookmark of several lists is in each of them."""
    folders: dict[str, int] = {}
    yield from _tree(_records(document, "lists"), folders)
    for number, item in enumerate(_records(document, "bookmarks"), 1):
        yield from _karakeep_bookmark(number, item, folders)


def _karakeep_bookmark(number: int, item: _Json, folders: Mapping[str, int]) -> Iterator[Entry]:
    content = item.get("content")
    if not isinstance(content, dict) or not isinstance(content.get("url"), str):
        yield _bad(number, "Only links are imported.", _text(item.get("title") or content))
        return
    places = [folders[each] for each in _strings(item.get("lists")) if each in folders]
    created_at = moment(item.get("createdAt"))
    archived = (created_at or utc_now()) if item.get("archived") is True else None
    for folder in places or [TOP]:
        yield page_entry(
            number,
            folder,
            content["url"],
            title=_string(item.get("title")),
            note=_string(item.get("note")),
            tags=_strings(item.get("tags")),
            created_at=created_at,
            archived_at=archived,
        )


def _from_linkwarden(document: _Json) -> Iterator[Entry]:
    """Collections become folders. A link's description is the person's own note there."""
    folders: dict[str, int] = {}
    collections = _records(document, "collections")
    yield from _tree(collections, folders)
    number = 0
    for collection in collections:
        for link in _records(collection, "links"):
            number += 1
            if not isinstance(link.get("url"), str):
                yield _bad(number, "Only links are imported.", _text(link.get("name")))
                continue
            tags = [each.get("name") for each in _records(link, "tags")]
            yield page_entry(
                number,
                folders.get(str(collection.get("id")), TOP),
                link["url"],
                title=_string(link.get("name")),
                note=_string(link.get("description")),
                tags=[tag for tag in tags if isinstance(tag, str)],
                created_at=iso_moment(link.get("createdAt") or link.get("importDate")),
            )


def _tree(records: list[_Json], folders: dict[str, int]) -> Iterator[Entry]:
    """Folders with `id`, `parentId` and `name`, parents first; their numbers are put into `folders`.
    What is its own ancestor goes to the top."""
    by_id = {str(each.get("id")): each for each in records}
    for id_ in by_id:
        path: list[str] = []
        at: str | None = id_
        while at is not None and at in by_id and at not in folders and at not in path:
            path.append(at)
            parent = by_id[at].get("parentId")
            at = None if parent is None else str(parent)
        for each in reversed(path):
            above = folders.get(str(by_id[each].get("parentId")), TOP)
            folders[each] = len(folders) + 1
            record = by_id[each]
            created = iso_moment(record.get("createdAt"))
            yield folder_entry(folders[each], above, _string(record.get("name")) or "", created)


def _from_mindhit(document: _Json) -> Iterator[Entry]:
    folders = {TOP}
    for line, item in enumerate(_records(document, "items"), 1):
        yield _mindhit_item(line, item, folders)


def _mindhit_item(line: int, item: _Json, folders: set[int]) -> Entry:
    """`folders`: the numbers of those before it in the file."""
    kind, folder = _string(item.get("type")), item.get("folder")
    extra = item.get("extra")
    more = dict(extra) if isinstance(extra, dict) else {}
    if not isinstance(folder, int) or isinstance(folder, bool):
        return _bad(line, NOT_AN_ENTRY, _text(item))
    if folder not in folders:
        return _bad(line, NO_FOLDER, _text(item))
    created_at = iso_moment(item.get("created_at"))
    number = item.get("number")
    if kind == "folder" and isinstance(number, int) and number not in folders:
        folders.add(number)
        return folder_entry(number, folder, _string(item.get("title")) or "", created_at, more)
    if kind == PageKind.SEPARATOR:
        return PageEntry(folder, PageKind.SEPARATOR, created_at=created_at, extra=more)
    if kind not in set(PageKind) or not isinstance(item.get("address"), str):
        return _bad(line, NOT_AN_ENTRY, _text(item))
    return page_entry(
        line,
        folder,
        item["address"],
        title=_string(item.get("title")),
        note=_string(item.get("note")),
        tags=_strings(item.get("tags")),
        created_at=created_at,
        archived_at=iso_moment(item.get("archived_at")),
        extra=more,
    )


def _from_csv(text: str) -> Iterator[Entry]:
    rows = csv.DictReader(io.StringIO(text, newline=""))
    folders = {TOP}
    for row in rows:
        cells = {name: _cell(row.get(name)) for name in CSV_COLUMNS}
        try:
            tags = msgspec.json.decode(cells["tags"] or "[]")
            extra = msgspec.json.decode(cells["extra"] or "{}")
        except msgspec.DecodeError:
            yield _bad(rows.line_num, NOT_AN_ENTRY, _text(cells))
            continue
        yield _mindhit_item(
            rows.line_num,
            {
                **cells,
                "number": _whole(cells["number"]),
                "folder": _whole(cells["folder"]),
                "tags": tags,
                "extra": extra,
            },
            folders,
        )


def _cell(value: str | None) -> str:
    value = value or ""
    return value[1:] if value.startswith("'") and value[1:].startswith(FORMULA) else value


def _whole(value: str) -> int | None:
    return int(value) if _NUMBER.fullmatch(value) else None


def _records(document: Any, name: str) -> list[_Json]:
    found = document.get(name) if isinstance(document, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _strings(values: Any) -> Iterable[str]:
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else ()


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _bad(line: int, reason: str, excerpt: str) -> BadEntry:
    return BadEntry(line, reason, " ".join(clean(excerpt).split())[:LONGEST_EXCERPT])
