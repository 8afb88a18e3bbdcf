"""How the reader came to a page, as Chromium says it and the extension records it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.e2e.conftest import Site
from tests.e2e.extension_kit import Stage, load_tabs, stage, wait_until
from tests.e2e.extension_timeline import path_of


def go(on: Stage, session: str, script: str, path: str) -> None:
    """Run a script in the page that leads to another one, and wait until the page reports itself."""
    on.pages.seen.clear()
    on.extension.try_evaluate(session, script)
    wait_until(
        lambda: any(each.path == path and each.what == "shown" for each in on.pages.seen),
        what=f"{path} after {script}",
    )
    wait_until(partial(on.extension.has_loaded, session, path), what=path)


def test_going_back_and_forward_is_recorded_as_that(site: Site, tmp_path: Path) -> None:
    with stage(site, tmp_path) as on:
        [tab] = load_tabs(on, "a")
        on.extension.show(tab)
        wait_until(lambda: on.pages.seen, what="the first page")
        on.extension.ask("start")
        session = on.extension.chromium.attach(tab)
        steps = [
            ("follow('/b')", "/b", "link"),
            ("history.back()", "/a", "forward_back"),
            ("history.forward()", "/b", "forward_back"),
            ("follow('/c')", "/c", "link"),
        ]
        for script, path, _ in steps:
            go(on, session, script, path)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        visits = on.reader.finished()["page_visits"]
        found = [(path_of(visit["url"]), visit["transition"]) for visit in visits]
        assert found[-len(steps) :] == [(path, way) for _, path, way in steps]
