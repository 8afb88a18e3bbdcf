"""From a fetched page to its text, off the event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from mindhit.fetching import page_reader
from mindhit.fetching.model import Page
from mindhit.fetching.page_reader import PageReader, Unreadable, is_worth_rendering, make_pool
from mindhit.fetching.text import Extracted, PageKind

URL = "https://example.org/a"
HTML = (
    "<html><head><title>A</title></head><body><main><p>"
    + "Some words. " * 40
    + "</p></main></body></html>"
)


def page(text: str, content_type: str = "text/html") -> Page:
    return Page(URL, 200, content_type, "utf-8", text.encode(), text)


@pytest.fixture
async def reader() -> AsyncIterator[PageReader]:
    made = PageReader(make_pool())
    yield made
    await made.close()


async def test_a_page_is_read(reader: PageReader) -> None:
    found = await reader.read(page(HTML))
    assert found.text.startswith("Some words. Some words.")
    assert found.meta.title == "A"


async def test_plain_text_is_its_own_text(reader: PageReader) -> None:
    found = await reader.read(page("  1 < 2 & so on\n", "text/plain"))
    assert found == Extracted("1 < 2 & so on", PageKind.OTHER)


async def test_what_is_no_text_is_unreadable(reader: PageReader) -> None:
    with pytest.raises(Unreadable) as error:
        await reader.read(page("%PDF-1.7", "application/pdf"))
    assert error.value.facts["reason"] == "application/pdf"


async def test_a_page_that_takes_too_long_is_unreadable(
    reader: PageReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_reader, "EXTRACT_S", 0.001)  # less than a process needs to start
    with pytest.raises(Unreadable):
        await reader.read(page(HTML))
    monkeypatch.undo()
    assert (await reader.read(page(HTML))).text


@pytest.mark.parametrize(
    ("html", "text", "is_worth"),
    [
        ("<div id=root></div><SCRIPT src=a.js></SCRIPT>", "", True),
        ("<div>short</div>", "short", False),
        ("<script></script>", "long enough " * 50, False),
    ],
)
def test_a_browser_is_worth_it_where_scripts_may_bring_the_text(
    html: str, text: str, is_worth: bool
) -> None:
    assert is_worth_rendering(Extracted(text, PageKind.OTHER), page(html)) is is_worth
