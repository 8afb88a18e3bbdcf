"""Bookmark files as browsers write them ("Netscape bookmark file"), read as they come. Pure.

    <DL><p>
        <DT><H3 ADD_DATE="1700000000">A folder</H3>
        <DL><p>
            <DT><A HREF="https://example.org/" ADD_DATE="1700000000" TAGS="a,b">Its title</A>
            <DD>A note
            <HR>
        </DL><p>
    </DL>

Nothing is closed reliably and nobody agrees on attributes, so this is no HTML parser: it looks for the
few tags that mean something, and takes whatever lies between them for text. Attributes end on their
line; so a file is cut at line ends, and no tag is cut. Memory is bounded by the longest line.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Final

from mindhit.fetching import charset
from mindhit.library.importing.entries import (
    LONGEST_EXCERPT,
    TOP,
    BadEntry,
    Entry,
    PageEntry,
    clean,
    folder_entry,
    moment,
    page_entry,
    tidy_note,
)
from mindhit.library.model import BadImport, PageKind

LONGEST_LINE: Final = 16 * 2**20  # characters
ARCHIVED: Final = "ARCHIVED"
DESCRIPTION: Final = "DESCRIPTION"  # of a folder: its <DD>
BROKEN: Final = "The entry has a quotation mark that is not closed."
_TAG: Final = re.compile(
    r"""<(?:(?P<name>/?(?:DT|DD|DL|HR|BR|A|H[2-6])\b)(?P<attributes>(?:[^<>"'\n]|"[^"\n]*"|'[^'\n]*')*)>"""
    r"""|(?P<broken>(?:A|H[2-6])\b[^\n]*)|!--[^<\n]*-->|/?(?:P|H1|TITLE|META|!DOCTYPE)\b[^<>]*>)""",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    r"""([A-Za-z_][\w:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?"""
)
_COUNTED: Final = re.compile(rb"<(?:a|hr)\b", re.IGNORECASE)
_EDGE_BARS: Final = ("favorites bar", "favourites bar", "즐겨찾기 모음")  # as it names its toolbar
_MARK: Final = re.compile(r"<!DOCTYPE NETSCAPE-Bookmark|<DL\b|<DT\b|<H3\b", re.IGNORECASE)


def is_netscape(head: str) -> bool:
    return _MARK.search(head) is not None


def count_items(part: bytes) -> int:
    """About as many entries as a part has; exact but for tags in titles and at the ends of parts."""
    return len(_COUNTED.findall(part))


def source_of(head: str) -> str:
    """Which browser wrote a file, by its beginning."""
    folded = head[:20_000].lower()
    if "content-security-policy" in folded or "bookmarks menu</h1>" in folded:
        return "firefox_html"
    if "<h3 folded" in folded or "com.apple.readinglist" in folded:
        return "safari_html"
    if any(f"{bar}</h3>" in folded for bar in _EDGE_BARS) or "<h1>favorites</h1>" in folded:
        return "edge_html"
    is_chrome = "<h1>bookmarks</h1>" in folded and "personal_toolbar_folder" in folded
    return "chrome_html" if is_chrome else "netscape_html"


@dataclass(slots=True)
class _Open:
    """A folder or an entry whose title or note is being read."""

    line: int
    attributes: dict[str, str]
    is_folder: bool
    title: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)


class NetscapeReader:
    """Fed with the parts of a file, gives its entries."""

    def __init__(self, first: bytes) -> None:
        sample = first[: first.rfind(b"\n") + 1] or first
        name = charset.decode(sample, is_markup=True).charset
        self._decoder = codecs.getincrementaldecoder(charset.codec_of(name))("replace")
        self.source_type = source_of(self._beginning(first))
        self._rest = ""
        self._line = 1
        self._folders = 0
        self._path = [TOP]
        self._open: _Open | None = None
        self._text: list[str] | None = None  # where text belongs

    def _beginning(self, first: bytes) -> str:
        text = self._decoder.decode(first[: 64 * 1024])
        self._decoder.reset()
        return text

    def feed(self, part: bytes) -> list[Entry]:
        text = self._rest + self._decoder.decode(part)
        end = text.rfind("\n") + 1 or max(text.upper().rfind("<DT"), 0)
        if len(text) - end > LONGEST_LINE:
            raise BadImport("A line of this file is too long.")
        self._rest = text[end:]
        return list(self._read(text[:end]))

    def close(self) -> list[Entry]:
        last = self._rest + self._decoder.decode(b"", final=True)
        self._rest = ""
        return [*self._read(last), *self._finish()]

    def _read(self, text: str) -> Iterator[Entry]:
        at = 0
        for tag in _TAG.finditer(text):
            start = tag.start()
            if self._text is not None and start > at:
                self._text.append(text[at:start])
            self._line += text.count("\n", at, start)
            at = tag.end()
            name = tag["name"]
            if name is not None:
                yield from self._tag(name.upper(), tag["attributes"])
            elif tag["broken"] is not None:
                yield from self._finish()
                said = " ".join(clean(tag["broken"]).split())
                yield BadEntry(self._line, BROKEN, said[:LONGEST_EXCERPT])
        if self._text is not None and at < len(text):
            self._text.append(text[at:])
        self._line += text.count("\n", at)

    def _tag(self, name: str, attributes: str) -> Iterator[Entry]:
        match name:
            case "A":
                yield from self._begin(attributes, is_folder=False)
            case "DL" | "/DL" | "DT":
                yield from self._structure(name)
            case "DD":
                self._text = None if self._open is None else self._open.note
            case "HR":
                yield from self._finish()
                extra: dict[str, Any] = {**_attributes(attributes)}
                at = moment(extra.pop("ADD_DATE", None))
                yield PageEntry(self._path[-1], PageKind.SEPARATOR, created_at=at, extra=extra)
            case "BR":
                if self._text is not None:
                    self._text.append("\n")
            case _ if not name.startswith("/"):
                yield from self._begin(attributes, is_folder=True)
            case _:
                self._text = None

    def _begin(self, attributes: str, *, is_folder: bool) -> Iterator[Entry]:
        yield from self._finish()
        self._open = _Open(self._line, _attributes(attributes), is_folder)
        self._text = self._open.title

    def _structure(self, name: str) -> Iterator[Entry]:
        is_entered = name == "DL" and self._open is not None and self._open.is_folder
        yield from self._finish()
        if name == "DL":
            self._path.append(self._folders if is_entered else self._path[-1])
        elif name == "/DL" and len(self._path) > 1:
            self._path.pop()

    def _finish(self) -> Iterator[Entry]:
        """The open folder or entry is complete."""
        done, self._open, self._text = self._open, None, None
        if done is None:
            return
        title, note = unescape("".join(done.title)), unescape("".join(done.note))
        attributes = done.attributes
        created_at = moment(attributes.pop("ADD_DATE", None))
        if done.is_folder:
            self._folders += 1
            if description := tidy_note(note):
                attributes[DESCRIPTION] = description
            yield folder_entry(
                self._folders, self._path[-1], title, created_at, dict[str, Any](attributes)
            )
            return
        yield page_entry(
            done.line,
            self._path[-1],
            attributes.pop("HREF", ""),
            title=title,
            note=note,
            tags=attributes.pop("TAGS", "").split(","),
            created_at=created_at,
            archived_at=moment(attributes.pop(ARCHIVED, None)),
            extra=dict(attributes),
        )


def _attributes(written: str) -> dict[str, str]:
    """By upper-case name; of several with one name the first."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        value = double or single or bare
        found.setdefault(name.upper(), clean(unescape(value) if "&" in value else value))
    return found
