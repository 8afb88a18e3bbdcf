"""Nothing recorded is lost or duplicated, whatever crashes: worker, browser, network, server."""

from __future__ import annotations

import random
import time
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg

from tests.e2e.conftest import Site, aside
from tests.e2e.extension_kit import Extension, Stage, load_tabs, open_tabs, stage, wait_until
from tests.e2e.extension_pages import Seen
from tests.e2e.extension_timeline import note, p99, spread, stays_of, tell, visits_of
from tests.e2e.flaky_proxy import flaky_proxy

KILLS = 50
HIGHLIGHTS = 20

LOG = "select seq, type, payload::text from raw_events order by session_id, seq"
# Nothing happens twice in one tab in one millisecond: a duplicate differs in its number only.
DUPLICATES = """
select type, t, tab_id, payload::text, count(*) from raw_events
 group by session_id, type, t, tab_id, url_id, payload having count(*) > 1"""
# The wanderer opens each page once, so there is one commit of each; a second one may bring the title. A commit
# that is recorded again with another time is no duplicate for the query above.
COMMITTED_TWICE = """
select url, array_agg(concat_ws(' ', seq, t, payload) order by seq)
  from raw_events join urls on urls.id = url_id
 where type = 'NAV_COMMITTED' and payload->>'title' is null
 group by session_id, tab_id, url having count(*) > 1"""


def query(site: Site, sql: str) -> list[Any]:
    async def read() -> list[Any]:
        connection = await asyncpg.connect(site.database_url)
        try:
            return await connection.fetch(sql)
        finally:
            await connection.close()

    return [tuple(row) for row in aside(read())]


def log_of(site: Site) -> list[tuple[int, str, str | None]]:
    """The raw events of all sessions on the server: number, type, payload."""
    return query(site, LOG)


def switch(extension: Extension, tabs: list[str], times: int, pause_s: float = 0.1) -> None:
    for index in range(times):
        extension.show(tabs[(index + 1) % len(tabs)])
        time.sleep(pause_s)


def check_complete(site: Site, shown: dict[str, Any]) -> int:
    """Numbers without a gap, none rejected, none missing, no duplicates. Returns how many there are."""
    numbers = [seq for seq, _, _ in log_of(site)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert query(site, DUPLICATES) == []
    assert shown["holes"] == []
    assert shown["session"]["rejected_count"] == 0
    assert shown["session"]["acked_seq"] == len(numbers)
    return len(numbers)


class Wanderer:
    """Switches tabs, follows links and changes routes at random.

    It waits for each page to load: a page that is left before any script could run in it, and whose
    browser event is lost as well, cannot be known.
    """

    def __init__(self, on: Stage, tabs: list[str], chance: random.Random) -> None:
        self._extension = on.extension
        self._tabs = tabs
        self._sessions = [on.extension.chromium.attach(tab) for tab in tabs]
        self._chance = chance
        self._front = 0
        self._count = 0

    def step(self) -> None:
        kind = self._chance.choices(["switch", "move", "go"], [6, 1, 1])[0]
        if kind == "switch":
            others = [each for each in range(len(self._tabs)) if each != self._front]
            self._front = self._chance.choice(others)
            self._extension.show(self._tabs[self._front])
            return
        self._count += 1
        path, session = f"/{kind}{self._count}", self._sessions[self._front]
        verb = "move" if kind == "move" else "follow"
        self._extension.chromium.evaluate(session, f"{verb}('{path}')")
        wait_until(lambda: self._extension.has_loaded(session, path), every_s=0.01, what=path)


def test_the_worker_is_stopped_fifty_times(site: Site, tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    with stage(site, tmp_path) as on:
        tabs = open_tabs(on, "abc")
        wanderer = Wanderer(on, tabs, chance)
        on.extension.ask("start")
        on.extension.chromium.send("Target.setDiscoverTargets", discover=True)
        for _ in range(KILLS):
            wanderer.step()
            time.sleep(chance.uniform(0, 0.15))
            on.extension.stop_worker()
            time.sleep(chance.uniform(0.05, 0.3))
        time.sleep(1.5)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        shown = on.reader.finished()
        count = check_complete(site, shown)
        assert query(site, COMMITTED_TWICE) == [], f"seed {seed}"
        workers = {
            each["targetId"]
            for each in on.extension.chromium.created
            if each["type"] == "service_worker"
        }
        assert len(workers) > KILLS * 0.8, "the worker was not killed often enough to show anything"
        truth, found = on.pages.truth(), visits_of(shown)
        # The first page was shown before the recording, and nothing has hidden the last one.
        last = [each.path for each in truth if each.what == "shown"][-1]
        ends = [Seen(0, "/a", "shown"), *truth, Seen(found[-1].left, last, "hidden")]
        expected = stays_of(ends)
        differences = [
            abs(ours.entered - page.entered)
            for ours, page in zip(found[1:], expected[1:], strict=False)
        ]
        summary = (
            f"seed {seed}: {KILLS} kills, {len(workers)} workers, {count} events, "
            f"{len(found)} visits of {len(expected)}, entered: {spread(differences)}"
        )
        tell(summary)
        note(
            worker_kills=KILLS,
            worker_kills_visits_missing=len(expected) - len(found),
            worker_kills_entered_p99_ms=p99(differences),
        )
        paths = ([each.path for each in expected], [each.path for each in found])
        assert paths[0] == paths[1], "\n".join([summary, *unified_diff(*paths, lineterm="")])


HIGHLIGHT = """
chrome.tabs.query({ url: "http://127.0.0.1/*" })
  .then(([tab]) => chrome.tabs.sendMessage(tab.id, { kind: "highlight" }))"""


def test_a_highlight_is_stored_once_though_its_page_is_left_and_the_worker_stopped(
    site: Site, tmp_path: Path
) -> None:
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    with stage(site, tmp_path) as on:
        [tab] = open_tabs(on, "a")
        page = on.extension.chromium.attach(tab)
        on.extension.ask("start")
        for number in range(HIGHLIGHTS):
            select = "getSelection().selectAllChildren(document.querySelector('p'))"
            on.extension.chromium.evaluate(page, select)
            on.extension.chromium.evaluate(on.extension.page, HIGHLIGHT)
            time.sleep(chance.uniform(0, 0.05))
            path = f"/go{number}"
            on.extension.chromium.evaluate(page, f"follow('{path}')")
            wait_until(partial(on.extension.has_loaded, page, path), every_s=0.01, what=path)
            time.sleep(chance.uniform(0, 0.12))
            on.extension.stop_worker()
            time.sleep(chance.uniform(0.05, 0.3))
        time.sleep(1.5)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        shown = on.reader.finished()
        count = check_complete(site, shown)
        assert query(site, COMMITTED_TWICE) == [], f"seed {seed}"
        assert len(shown["highlights"]) == HIGHLIGHTS
        tell(f"seed {seed}: {HIGHLIGHTS} highlights and kills, {count} events")


def test_the_browser_is_killed_and_started_again(site: Site, tmp_path: Path) -> None:
    with stage(site, tmp_path) as on:
        tabs = open_tabs(on, "abc")
        on.extension.ask("start")
        switch(on.extension, tabs, 10)
        unsent = on.extension.ask("status")["unsent"]
        on.extension.chromium.kill()
        time.sleep(0.5)
        on.extension.launch()
        wait_until(lambda: on.extension.ask("status")["recording"])
        again = load_tabs(on, "de")
        switch(on.extension, again, 6)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        shown = on.reader.finished()
        count = check_complete(site, shown)
        assert len(on.reader.sessions()) == 1
        restarts = [seq for seq, _, payload in log_of(site) if payload and '"restart"' in payload]
        assert len(restarts) == 1
        paths = [each.path for each in visits_of(shown)]
        # The visit of the active page ended with the last event before the kill, its own activation.
        assert paths[:10] == ["/a", *(["/b", "/c", "/a"] * 3)]
        assert paths[-6:] == ["/e", "/d"] * 3
        tell(f"SIGKILL: {count} events, {unsent} of them unsent at the time")


def test_the_server_is_unreachable_for_the_first_half(site: Site, tmp_path: Path) -> None:
    with flaky_proxy(site.url) as proxy, stage(site, tmp_path, server=proxy.url) as on:
        proxy.switch("closed")
        tabs = open_tabs(on, "abc")
        on.extension.ask("start")
        switch(on.extension, tabs, 12)
        status = wait_until(
            lambda: (now := on.extension.ask("status"))["isOffline"] and now,
            what="the offline status",
        )
        assert status["recording"]
        assert status["unsent"] >= 13
        assert log_of(site) == []
        proxy.switch("open")
        switch(on.extension, tabs, 12)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        shown = on.reader.finished()
        check_complete(site, shown)
        assert [each.path for each in visits_of(shown)] == ["/a", *["/b", "/c", "/a"] * 8]


def test_the_network_is_cut_in_the_middle_of_answers(site: Site, tmp_path: Path) -> None:
    with flaky_proxy(site.url) as proxy, stage(site, tmp_path, server=proxy.url) as on:
        tabs = open_tabs(on, "abc")
        proxy.switch("cut")
        on.extension.ask("start")
        switch(on.extension, tabs, 12)
        wait_until(lambda: proxy.cuts >= 2, within_s=30, what="an answer that is lost")
        proxy.switch("open")
        switch(on.extension, tabs, 12)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        shown = on.reader.finished()
        check_complete(site, shown)
        assert [each.path for each in visits_of(shown)] == ["/a", *["/b", "/c", "/a"] * 8]
