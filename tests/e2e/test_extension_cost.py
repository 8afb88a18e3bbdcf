"""What recording costs: the worker's memory, and added page load time."""

from __future__ import annotations

import statistics
from pathlib import Path

from tests.e2e.conftest import Site
from tests.e2e.extension_kit import Extension, open_tabs, stage, wait_until
from tests.e2e.extension_timeline import FIGURES, note, tell

PAGES = 100 if FIGURES else 20
_LOADED = """(() => { const [entry] = performance.getEntriesByType('navigation');
  return document.readyState === 'complete' && entry.loadEventEnd > 0
    && location.pathname === '%s' ? entry.loadEventEnd : 0 })()"""


def load_times(extension: Extension, session: str, url: str, name: str) -> list[float]:
    times = []
    for index in range(PAGES):
        path = f"/{name}{index}"
        extension.chromium.send("Page.navigate", session, url=f"{url}{path}")
        look = _LOADED % path
        times.append(
            wait_until(
                lambda look=look: extension.chromium.evaluate(session, look),  # type: ignore[misc]
                every_s=0.005,
                what="a page",
            )
        )
    return times


def heap_of(extension: Extension) -> int:
    [worker] = extension.chromium.targets("service_worker")
    session = extension.chromium.attach(worker["targetId"])
    extension.chromium.send("HeapProfiler.collectGarbage", session)
    used: int = extension.chromium.send("Runtime.getHeapUsage", session)["usedSize"]
    extension.chromium.send("Target.detachFromTarget", sessionId=session)
    return used


def test_pages_cost_little(site: Site, tmp_path: Path) -> None:
    with stage(site, tmp_path) as on:
        [tab] = open_tabs(on, "a")
        session = on.extension.chromium.attach(tab)
        load_times(on.extension, session, on.pages.url, "warm")
        without = load_times(on.extension, session, on.pages.url, "plain")
        on.extension.ask("start")
        recorded = load_times(on.extension, session, on.pages.url, "with")
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        used = heap_of(on.extension)
        before, after = statistics.median(without), statistics.median(recorded)
        tell(
            f"{PAGES} pages: median load {before:.1f} ms without, {after:.1f} ms with recording; "
            f"worker's heap {used / 1e6:.1f} MB"
        )
        note(
            pages=PAGES,
            load_ms_without=round(before, 1),
            load_ms_recording=round(after, 1),
            load_ms_added=round(after - before, 1),
            worker_heap_mb=round(used / 1e6, 2),
        )
        if FIGURES:
            assert after - before < 150
        assert used < 30e6
        visited = {visit["url"] for visit in on.reader.finished()["page_visits"]}
        assert len([url for url in visited if "/with" in url]) == PAGES
