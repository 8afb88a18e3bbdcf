"""Bookmark files between a real Firefox and a running server: what Firefox writes, MindHit reads, and the other way round."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.e2e.bidi import Firefox, firefox
from tests.e2e.conftest import Site
from tests.e2e.extension_kit import Reader
from tests.library import bookmark_files as files
from tools import browser

Json = dict[str, Any]
# Firefox keeps this many characters of a title.
LONGEST_TITLE: Final = 4096
TOOLBAR, OTHERS = ROOTS = "Bookmarks Toolbar", "Other Bookmarks"
SEPARATOR: Final = {"type": 3}
MENU: Final = [
    {"title": "읽을거리 & <나중에>", "url": "https://example.kr/%EA%B0%80?a=1&b=2#%EB%81%9D"},
    SEPARATOR,
    {
        "title": '한국어 "폴더" &amp; 기호',
        "type": 2,
        "children": [
            {"title": 'Tom & Jerry\'s <b>"best"</b> &lt;3', "url": "https://example.org/tom"},
            {
                "title": "두 번째 </DL> 단계",
                "type": 2,
                "children": [
                    {"title": "Empty", "type": 2, "children": []},
                    {"title": "깊은 곳 👩\u200d🌾", "url": "https://example.org/deep"},
                    SEPARATOR,
                    SEPARATOR,
                ],
            },
            {"title": "Bookmarklet", "url": "javascript:(()=>{alert('<hi>%20\"there\"')})()"},
            {"title": "The same again", "url": "https://example.org/tom"},
            {"title": "", "url": "https://example.org/untitled"},
            {"title": "데이터", "url": "data:text/html,<h1>Hi</h1>"},
        ],
    },
    {"title": files.LONG.strip(), "url": "https://example.org/long"},
    {"title": "Same name", "type": 2, "children": [{"title": "1", "url": "https://a.example/"}]},
    {"title": "Same name", "type": 2, "children": [{"title": "2", "url": "https://a.example/"}]},
]
TREES: Final = {
    "menu________": MENU,
    "toolbar_____": [{"title": "Bar", "url": "https://bar.example/"}],
    "unfiled_____": [
        {"title": "Inside", "type": 2, "children": [{"title": "🗂", "url": "http://[::1]:81/"}]}
    ],
}
PLACES: Final = """
const {BookmarkHTMLUtils} = ChromeUtils.importESModule("resource://gre/modules/BookmarkHTMLUtils.sys.mjs");
const {PlacesUtils} = ChromeUtils.importESModule("resource://gre/modules/PlacesUtils.sys.mjs");
"""


def program() -> str:
    found = browser.find("firefox")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Firefox is not here, and nothing is skipped in CI")
        pytest.skip("Firefox is not here; install it, or set MINDHIT_TEST_FIREFOX")
    return found


class Row(NamedTuple):
    """A folder or an entry, in the place where it stands."""

    path: tuple[str, ...]
    kind: str
    title: str
    address: str = ""
    tags: frozenset[str] = frozenset()
    keyword: str | None = None
    seconds: int | None = None


class Places:
    """Firefox's bookmarks, by the code behind its menus "Import…" and "Export Bookmarks to HTML"."""

    def __init__(self, fox: Firefox, window: str) -> None:
        self._fox = fox
        self._window = window

    async def _run(self, script: str) -> Any:
        return await self._fox.evaluate(self._window, f"(async () => {{{PLACES}{script}}})()")

    async def fill(self) -> None:
        await self._run(f"""
            await PlacesUtils.bookmarks.eraseEverything();
            for (const [guid, children] of Object.entries({json.dumps(TREES)}))
              await PlacesUtils.bookmarks.insertTree({{guid, children}});
            PlacesUtils.tagging.tagURI(Services.io.newURI("https://example.org/deep"), ["두 단어", "b&b"]);
            await PlacesUtils.keywords.insert({{keyword: "tom", url: "https://example.org/tom"}});""")

    async def export_to(self, file: Path) -> None:
        await self._run(f"await BookmarkHTMLUtils.exportToFile({json.dumps(str(file))})")

    async def import_from(self, file: Path) -> None:
        where = json.dumps(str(file))
        await self._run(f"await BookmarkHTMLUtils.importFromFile({where}, {{replace: true}})")

    async def rows(self) -> list[Row]:
        """In the order of an exported file: the menu at the top, its other roots as folders below it."""
        tree = await self._run('return await PlacesUtils.promiseBookmarksTree("")')
        roots = {each["guid"]: each for each in tree["children"]}
        found = list(_below(roots["menu________"], ()))
        for guid, name in (("toolbar_____", TOOLBAR), ("unfiled_____", OTHERS)):
            if roots[guid].get("children"):
                found += [Row((), "folder", name), *_below(roots[guid], (name,))]
        return found


def _below(folder: Json, path: tuple[str, ...]) -> Iterator[Row]:
    for each in folder.get("children", []):
        title = each.get("title", "")
        if each["typeCode"] == 3:
            yield Row(path, "separator", "")
            continue
        seconds = each["dateAdded"] // 1_000_000
        if each["typeCode"] == 2:
            yield Row(path, "folder", title, seconds=seconds)
            yield from _below(each, (*path, title))
            continue
        tags = frozenset(filter(None, each.get("tags", "").split(",")))
        yield Row(path, "page", title, each["uri"], tags, each.get("keyword"), seconds)


def exported(reader: Reader, format_: str) -> bytes:
    answer = reader.client.get("/v1/library/export", params={"format": format_})
    assert answer.status_code == 200
    return answer.content


def bring_in(reader: Reader, body: bytes) -> Json:
    sent = reader.client.post("/v1/imports", content=body)
    assert sent.status_code == 202
    where = f"/v1/imports/{sent.json()['id']}"
    reader.client.get(f"{where}/progress")  # ends with the import
    job: Json = reader.client.get(where).json()["job"]
    assert (job["status"], job["failed_items"]) == ("succeeded", 0), job
    return job


def library_rows(reader: Reader) -> list[Row]:
    """Everything in the library, in its order."""
    paths: dict[int, tuple[str, ...]] = {0: ()}
    found = []
    for item in json.loads(exported(reader, "json"))["items"]:
        path, title = paths[item["folder"]], item["title"] or ""
        if item["type"] == "separator":
            found.append(Row(path, "separator", ""))
            continue
        seconds = int(datetime.fromisoformat(item["created_at"]).timestamp())
        if item["type"] == "folder":
            paths[item["number"]] = (*path, title)
            is_root = not path and title in ROOTS
            found.append(Row(path, "folder", title, seconds=None if is_root else seconds))
            continue
        keyword = item["extra"].get("SHORTCUTURL")
        tags = frozenset(item["tags"])
        found.append(Row(path, "page", title, item["address"], tags, keyword, seconds))
    return found


def as_firefox_has_it(rows: list[Row]) -> list[Row]:
    """Its own folders are behind the menu, and titles are cut."""
    cut = [each._replace(title=each.title[:LONGEST_TITLE]) for each in rows]
    return sorted(cut, key=lambda each: (*each.path, each.title)[0] in ROOTS)


def add_our_own(reader: Reader) -> None:
    """What Firefox did not write: a folder of Safari's, and a page with all that a page can have."""
    bring_in(reader, files.SAFARI.encode())
    folder = reader.client.post("/v1/folders", json={"name": "우리 <폴더>"}).json()["id"]
    page = {
        "address": "https://own.example/?q=%27%22&lt=%3Cb%3E&amp=1",
        "title": "</A> 끝이 아님 &amp;",
        "note": 'First\n</DL>\n<DT><A HREF="https://nowhere.example/">no bookmark</A>',
        "tags": ["태그", "<b>&amp;"],
        "folder_id": folder,
    }
    made = reader.client.post("/v1/pages", json=page)
    assert made.status_code == 201
    for name in ("before", "after"):
        assert reader.client.post("/v1/folders", json={"name": name}).status_code == 201
    long = {"address": "https://own.example/long", "title": files.LONG.strip()}
    assert reader.client.post("/v1/pages", json=long).status_code == 201


async def test_bookmarks_go_from_firefox_into_the_library_and_back(
    site: Site, tmp_path: Path
) -> None:
    found, reader = program(), Reader(site)
    file = tmp_path / "bookmarks.html"
    with closing(reader.client):
        async with firefox(found, tmp_path, {}) as fox:
            places = Places(fox, await fox.window())
            await places.fill()
            written = await places.rows()
            await places.export_to(file)
            first = bring_in(reader, file.read_bytes())
            assert first["source_type"] == "firefox_html"
            assert library_rows(reader) == written
            assert bring_in(reader, file.read_bytes())["added_items"] == 0

            file.write_bytes(exported(reader, "html"))
            await places.import_from(file)
            assert await places.rows() == written

            add_our_own(reader)
            ours = library_rows(reader)
            file.write_bytes(exported(reader, "html"))
            await places.import_from(file)
            assert await places.rows() == as_firefox_has_it(ours)
    assert len(ours) > len(written) > len(MENU)
