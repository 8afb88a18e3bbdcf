"""One session as it is drawn: bars to scale, kinds of time told apart, highlights, single milliseconds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.web_stage import RSPB, WIKI, Home, settled

MARK: Final = "They sleep on the wing"
KINDS: Final = {
    "focused": "Active",
    "unfocused": "Another program active",
    "idle": "Away from keyboard",
    "asleep": "Computer asleep",
    "no_page": "Not recorded",
}
# Kind, and how long.
DONE: Final = (
    ("focused", 40_000),
    ("focused", 180),
    ("focused", 20_000),
    ("unfocused", 10_000),
    ("focused", 10_000),
    ("idle", 20_000),
    ("focused", 10_000),
    ("no_page", 20_000),
    ("focused", 5_000),
    ("asleep", 200_000),
    ("focused", 4_000),
)
# How much of a stretch's place below the lane is painted.
PAINTED: Final = """(canvas, [from, to]) => {
  const sharp = canvas.width / canvas.clientWidth;
  const x = Math.round((from * canvas.clientWidth + 2) * sharp);
  const width = Math.round((to - from) * canvas.clientWidth * sharp) - 4;
  const { data } = canvas.getContext('2d').getImageData(x, 72 * sharp, width, 12 * sharp);
  let count = 0;
  for (let at = 3; at < data.length; at += 4) count += data[at] / 255;
  return count / (data.length / 4);
}"""
LOOK: Final = """(element) => {
  const { backgroundImage, backgroundColor, borderTopWidth, height } = getComputedStyle(element);
  return [backgroundImage, backgroundColor, borderTopWidth, height].join(' | ');
}"""


def record(home: Home) -> str:
    """Everything that a session can have, one after the other, as `DONE` says."""
    recorder = home.record("Swifts")
    began = int(time.time() * 1000) - 600_000
    starts = [began + sum(ms for _, ms in DONE[:index]) for index in range(len(DONE) + 1)]
    recorder.begin(began)
    recorder.go(WIKI, "Common swift", starts[0], transition="typed")
    recorder.go(RSPB, "Swift bird facts", starts[1])
    recorder.go(WIKI, "Common swift", starts[2])
    recorder.say("HIGHLIGHT", starts[2] + 1_000, tabId=1, url=WIKI, payload={"text": MARK})
    recorder.say("WINDOW_FOCUS_CHANGED", starts[3], windowId=1, payload={"focused": False})
    recorder.say("WINDOW_FOCUS_CHANGED", starts[4], windowId=1, payload={"focused": True})
    away: dict[str, Any] = {"state": "idle", "thresholdMs": 0}
    recorder.say("IDLE_STATE_CHANGED", starts[5], payload=away)
    recorder.say("IDLE_STATE_CHANGED", starts[6], payload={"state": "active"})
    recorder.say("TAB_ACTIVATED", starts[7], tabId=2, windowId=1)
    recorder.say("TAB_ACTIVATED", starts[8], tabId=1, windowId=1, url=WIKI)
    recorder.say("ALIVE", starts[9])
    recorder.say("ALIVE", starts[10])
    recorder.stop(starts[11])
    settled(home.client)
    return recorder.id


@pytest.fixture(scope="module")
def swifts(home: Home) -> Iterator[str]:
    id_ = record(home)
    yield f"{home.url}/sessions/{id_}"
    home.forget(id_)


def rows_of(tab: Page, swifts: str) -> list[Locator]:
    tab.set_viewport_size({"width": 1280, "height": 2_000})  # rows that are far away are not drawn
    tab.goto(swifts)
    expect(tab.locator("li[data-index]")).to_have_count(len(DONE))
    return tab.locator("li[data-index] > div").all()


def test_every_stretch_is_there_with_its_kind_and_its_exact_length(tab: Page, swifts: str) -> None:
    found = [
        (row.get_attribute("data-kind"), row.locator("span[title]").get_attribute("title"))
        for row in rows_of(tab, swifts)
    ]
    assert found == [
        (kind, f"{ms // 60_000}:{ms // 1_000 % 60:02}.{ms % 1_000:03}") for kind, ms in DONE
    ]
    titles = [each.inner_text() for each in tab.locator("li[data-index] a[target=_blank]").all()]
    assert titles == ["Common swift", "Swift bird facts", *["Common swift"] * 6]
    came = tab.get_by_text("link from en.wikipedia.org/wiki/Common_swift")
    expect(came).to_have_count(1)


def test_dwell_bars_are_to_scale(tab: Page, swifts: str) -> None:
    """The longest visit fills the width; half as long is half as wide. What is longer still fills it too."""
    for row, (_, ms) in zip(rows_of(tab, swifts), DONE, strict=True):
        place = row.locator("div[data-kind]").bounding_box()
        bar = row.locator("div[data-kind] > span:last-child").bounding_box()
        assert place is not None
        assert bar is not None
        share = min(1, ms / 40_000)
        assert bar["width"] == pytest.approx(max(share * place["width"], 2), abs=1)


def test_kinds_of_time_are_told_apart_by_eye_and_in_words(tab: Page, swifts: str) -> None:
    rows = rows_of(tab, swifts)
    for row, (kind, _) in zip(rows, DONE, strict=True):
        if kind != "focused":
            expect(row.locator("p").last).to_contain_text(KINDS[kind])
    legend = tab.get_by_role("list", name="Legend")
    assert legend.locator("li").all_inner_texts() == list(KINDS.values())
    bars = {
        kind: tab.locator(f"li div[data-kind={kind}] > span[title] + span").first for kind in KINDS
    }
    marks = {kind: legend.locator(f"[data-kind={kind}]") for kind in KINDS}
    for looks in (bars, marks):
        seen = {kind: each.evaluate(LOOK) for kind, each in looks.items()}
        assert len(set(seen.values())) == len(KINDS), seen


def place_of(kind: str) -> tuple[float, float]:
    """Where the first stretch of a kind lies on the strip, as shares of its width."""
    whole = sum(ms for _, ms in DONE)
    index = [each for each, _ in DONE].index(kind)
    before = sum(ms for _, ms in DONE[:index])
    return before / whole, (before + DONE[index][1]) / whole


def test_kinds_of_time_are_told_apart_on_the_strip(tab: Page, swifts: str) -> None:
    rows_of(tab, swifts)
    canvas = tab.locator("[role=group] > canvas")
    resting = [kind for kind in KINDS if kind != "focused"]
    painted = {kind: canvas.evaluate(PAINTED, place_of(kind)) for kind in resting}
    assert all(share > 0.02 for share in painted.values()), painted
    for one, other in combinations(resting, 2):
        assert abs(painted[one] - painted[other]) > 0.05, painted
    box = canvas.bounding_box()
    assert box is not None
    for kind in resting:
        middle = sum(place_of(kind)) / 2
        tab.mouse.move(box["x"] + middle * box["width"], box["y"] + 40)
        words = "Common swift" if kind == "unfocused" else KINDS[kind]
        expect(tab.locator("[role=group] > div:has(strong)")).to_contain_text(words)


def test_a_highlight_stands_in_the_row_of_its_visit(tab: Page, swifts: str) -> None:
    rows = rows_of(tab, swifts)
    expect(tab.locator("blockquote")).to_have_text(MARK)
    assert [row.locator("q").all_inner_texts() for row in rows] == [
        [MARK] if index == 2 else [] for index in range(len(DONE))
    ]


def test_the_strip_leads_down_to_fifty_milliseconds_and_no_further(tab: Page, swifts: str) -> None:
    rows = rows_of(tab, swifts)
    shown = tab.locator("section:has(canvas) [aria-live]")
    rows[1].locator("button").first.click()
    expect(shown).to_contain_text("(580 ms)")  # a switch of 180, and 200 on either side
    for _ in range(12):
        tab.keyboard.press("+")
    expect(shown).to_contain_text("(50 ms)")
    for _ in range(30):
        tab.keyboard.press("-")
    expect(tab.locator("canvas + span")).to_have_count(0)
    expect(shown).to_contain_text("(5 min 39 s)")
