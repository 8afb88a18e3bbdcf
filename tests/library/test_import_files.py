"""What files of bookmarks are read into."""

from __future__ import annotations

import json

import pytest

from mindhit.library.exporting import formats
from mindhit.library.importing.documents import DocumentReader
from mindhit.library.importing.entries import BadEntry, Entry, FolderEntry, PageEntry, moment
from mindhit.library.importing.netscape import NetscapeReader, source_of
from tests.library import bookmark_files as files


def read(text: str | bytes, size: int = 1 << 20) -> list[Entry]:
    body = text.encode() if isinstance(text, str) else text
    reader = NetscapeReader(body[: 1 << 20])
    found: list[Entry] = []
    for start in range(0, len(body), size):
        found += reader.feed(body[start : start + size])
    return found + reader.close()


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("euc-kr", "euc-kr"),
        ("cp949", ""),
        ("shift_jis", "shift_jis"),
    ],
)
def test_legacy_encodings_and_marks_are_read(codec: str, declared: str) -> None:
    title = "日本語のページ" if codec == "shift_jis" else "가나다 한국어 북마크 제목입니다"
    head = (
        f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={declared}">'
        if declared
        else ""
    )
    lines = "\n".join(f'<DT><A HREF="https://example.org/{n}">{title}</A>' for n in range(20))
    entries = read(
        f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n{head}\n<DL><p>\n{lines}\n</DL>".encode(codec)
    )
    assert [each.title for each in entries if isinstance(each, PageEntry)] == [title] * 20


@pytest.mark.parametrize("name", ["CHROME", "FIREFOX", "EDGE", "SAFARI", "SLOPPY"])
@pytest.mark.parametrize("size", [13, 100])
def test_parts_of_any_size_give_the_same_entries(name: str, size: int) -> None:
    whole: str = getattr(files, name)
    assert read(whole, size) == read(whole)


def test_comments_that_do_not_end_cost_their_length_alone() -> None:
    entries = read(f"{files.CHROME}{'<!--' * 100_000}")
    assert entries == read(files.CHROME)


ODD = {
    "karakeep": {"bookmarks": [{"title": ["no", "text"], "content": {"type": "text"}}]},
    "type": {"mindhit": "bookmarks", "items": [{"type": [], "folder": 0, "address": "x"}]},
    "folder": {"mindhit": "bookmarks", "items": [{"type": "link", "folder": 9, "address": "x"}]},
    "later": {
        "mindhit": "bookmarks",
        "items": [
            {"type": "folder", "number": 1, "folder": 2, "title": "Inside"},
            {"type": "folder", "number": 2, "folder": 0, "title": "Outside"},
        ],
    },
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_entry_is_a_bad_one_and_never_the_whole_file(name: str) -> None:
    good = {"type": "link", "folder": 0, "address": "https://good.example/"}
    document = json.loads(json.dumps(ODD[name]))
    document.get("items", []).append(good)
    reader = DocumentReader(json.dumps(document))
    entries = [*reader.feed(json.dumps(document).encode()), *reader.close()]
    assert sum(isinstance(each, BadEntry) for each in entries) == 1
    expected = 0 if name == "karakeep" else 1
    assert sum(isinstance(each, PageEntry) for each in entries) == expected


@pytest.mark.parametrize("name", ["KARAKEEP", "LINKWARDEN"])
@pytest.mark.parametrize("word", ["mindhit", "bookmarks", "collections"])
def test_words_in_a_file_do_not_change_what_it_is(name: str, word: str) -> None:
    text: str = getattr(files, name)
    # A tag of Karakeep's, the person's own name in Linkwarden's, which stands before everything else.
    text = text.replace('"tags": ["a", "b"]', f'"tags": ["{word}"]').replace('"Ada"', f'"{word}"')
    reader = DocumentReader(text)
    assert reader.source_type == f"{name.lower()}_json"
    entries = [*reader.feed(text.encode()), *reader.close()]
    assert sum(isinstance(each, PageEntry) for each in entries) == 2


@pytest.mark.parametrize("name", ["Favorites bar", "Favourites bar", "즐겨찾기 모음"])
def test_edge_is_recognised_by_the_name_of_its_bar(name: str) -> None:
    assert source_of(files.EDGE.replace("Favorites bar", name)) == "edge_html"


def test_names_of_attributes_that_are_none_are_not_exported() -> None:
    odd = {"x><script>alert(1)</script><b y": "1", "ICON_URI": "a"}
    assert formats._attributes(odd) == ' ICON_URI="a"'


def test_a_file_on_one_line_is_read() -> None:
    entries = read(files.CHROME.replace("\n", " "), 50)
    assert entries == read(files.CHROME.replace("\n", " "))
    assert sum(isinstance(each, PageEntry) for each in entries) == 5
    assert sum(isinstance(each, FolderEntry) for each in entries) == 3
    assert not any(isinstance(each, BadEntry) for each in entries)


@pytest.mark.parametrize(
    ("written", "year"),
    [("1600000000", 2020), ("1600000000000", 2020), ("1600000000000000", 2020)],
)
def test_times_are_read_in_every_unit(written: str, year: int) -> None:
    at = moment(written)
    assert at is not None
    assert at.year == year
    assert moment("soon") is moment("0") is moment("-5") is moment("nan") is moment("inf") is None
