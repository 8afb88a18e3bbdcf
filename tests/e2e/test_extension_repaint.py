"""What was highlighted on a page is painted when it is visited again, by the real extension in a real browser."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Final

from tests.e2e.conftest import Site
from tests.e2e.extension_kit import Stage, stage, wait_until
from tests.e2e.extension_pages import TEXT

PAINTED: Final = "[...(CSS.highlights.get('mindhit') ?? [])].map((range) => range.toString())"
SCRIPTS: Final = (
    "chrome.scripting.getRegisteredContentScripts().then((all) => all.map(({id}) => id))"
)
SELECT: Final = "document.getSelection().selectAllChildren(document.querySelector('p'))"


def visit(on: Stage, name: str) -> str:
    """A page in a tab of its own, loaded."""
    session = on.extension.chromium.attach(on.extension.open(f"{on.pages.url}/{name}"))
    wait_until(partial(on.extension.has_loaded, session, f"/{name}"), what=f"page {name}")
    return session


def painted(on: Stage, session: str) -> list[str]:
    found: list[str] = on.extension.try_evaluate(session, PAINTED) or []
    return found


def turn(on: Stage, *, is_on: bool) -> None:
    """As the options do."""
    stored = json.dumps({"settings": {"marksSelection": True, "paintsHighlights": is_on}})
    on.extension.chromium.evaluate(on.extension.page, f"chrome.storage.local.set({stored})")
    wanted = ["repaint"] if is_on else []
    wait_until(
        lambda: on.extension.chromium.evaluate(on.extension.page, SCRIPTS) == wanted,
        what=f"the scripts {wanted}",
    )


def test_highlights_are_painted_when_their_page_is_visited_again(
    site: Site, tmp_path: Path
) -> None:
    with stage(site, tmp_path) as on:
        extension = on.extension
        extension.ask("start")
        session = visit(on, "a")
        extension.chromium.evaluate(session, SELECT)
        wait_until(lambda: extension.ask("status")["recording"]["highlights"], what="the highlight")
        extension.ask("stop")
        extension.wait_until_sent()
        assert painted(on, session) == []

        turn(on, is_on=True)
        again, other = visit(on, "a"), visit(on, "b")
        before = extension.chromium.evaluate(again, "document.documentElement.outerHTML")
        wait_until(lambda: painted(on, again) == [TEXT % "a"], what="the painted highlight")
        style = "getComputedStyle(document.querySelector('p'), '::highlight(mindhit)')"
        color = extension.chromium.evaluate(again, f"{style}.backgroundColor")
        assert color == "rgba(255, 196, 77, 0.5)"
        assert extension.chromium.evaluate(again, "document.documentElement.outerHTML") == before
        assert painted(on, other) == []

        turn(on, is_on=False)
        assert painted(on, visit(on, "a")) == []
