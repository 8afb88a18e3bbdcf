"""The overview as it is seen: what is on the first screen, and nothing cut off."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import signed_in
from tests.e2e.web_stage import Home, settled

DESK: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 390, "height": 844}
DAY_MS: Final = 86_400_000
STAY_MS: Final = 170_000
# What of the chart's text lies outside of its drawing, by more than a pixel.
CUT: Final = """(svg) => {
  const area = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")]
    .filter((text) => text.textContent !== "")
    .filter((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      return left < area.left - 1 || right > area.right + 1 || top < area.top - 1 || bottom > area.bottom + 1;
    })
    .map((text) => text.textContent);
}"""


@pytest.fixture(scope="module", autouse=True)
def _week(home: Home) -> Iterator[None]:
    """Up to five hours a day, on more domains than have a name."""
    recorded = []
    for day in range(1, 6):
        recorder = home.record()
        began = int(time.time() * 1000) - day * DAY_MS
        recorder.begin(began)
        count = 100 if day == 2 else 12
        recorder.go_through(
            (
                f"https://a-rather-long-name-{number % 11}.example/{number}",
                "Page",
                began + number * STAY_MS,
            )
            for number in range(count)
        )
        recorder.stop(began + count * STAY_MS)
        recorded.append(recorder.id)
    settled(home.client)
    yield
    home.client.patch("/v1/me/settings", json={"language": "en"})
    home.forget(*recorded)


def looking(chromium: Browser, home: Home, size: dict[str, int], language: str) -> Page:
    context = signed_in(chromium, home)
    assert home.client.patch("/v1/me/settings", json={"language": language}).is_success
    page = context.new_page()
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto(home.url)
    expect(page.locator("li[data-status]").first).to_be_visible()
    expect(page.locator("section svg[role=img] text").first).to_be_visible()
    return page


def box(page: Page, css: str) -> dict[str, Any]:
    found = page.locator(css).first.bounding_box()
    assert found is not None
    return dict(found)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_first_session_is_on_the_first_screen(
    chromium: Browser, home: Home, size: dict[str, int], language: str
) -> None:
    page = looking(chromium, home, size, language)
    first = box(page, "li[data-status]")
    assert first["y"] + first["height"] / 2 < size["height"], first
    page.context.close()


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_of_the_chart_is_cut_off(
    chromium: Browser, home: Home, size: dict[str, int], language: str
) -> None:
    page = looking(chromium, home, size, language)
    chart = page.locator("section svg[role=img]")
    hours = re.compile({"en": r"\d h$", "ko": r"\d시간$"}[language])
    assert any(map(hours.search, chart.locator("text").all_text_contents()))
    assert chart.evaluate(CUT) == []
    for root_px in (20, 24):  # a reader who asks the browser for larger letters
        page.evaluate(f"document.documentElement.style.fontSize = '{root_px}px'")
        page.set_viewport_size({"width": size["width"] - root_px, "height": size["height"]})
        expect(chart).not_to_have_attribute("width", "0")
        page.wait_for_function(
            "(svg) => Math.abs(svg.getBoundingClientRect().width - svg.parentElement.clientWidth) < 2",
            arg=chart.element_handle(),
        )
        lefts = chart.locator("text").evaluate_all(
            "(all) => all.map((each) => each.getBoundingClientRect().left)"
        )
        assert min(lefts) >= box(page, "section svg[role=img]")["x"] - 1
    page.context.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_table_stays_inside_the_page(
    chromium: Browser, home: Home, size: dict[str, int]
) -> None:
    page = looking(chromium, home, size, "en")
    before = box(page, "main section")["width"]
    page.get_by_text("Show as a table").click()
    expect(page.locator("table tbody tr").first).to_be_attached()
    assert box(page, "main section")["width"] == before
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size["width"]
    page.context.close()


def test_a_domain_has_one_colour_in_the_week_the_month_and_its_session(
    chromium: Browser, home: Home
) -> None:
    def tints(page: Page) -> dict[str, str]:
        pairs = page.locator("li[data-tinted]").evaluate_all(
            "(all) => all.map((each) => [each.querySelector('bdi').textContent,"
            " each.style.getPropertyValue('--hue') + each.style.getPropertyValue('--lift')])"
        )
        return dict(pairs)

    page = looking(chromium, home, DESK, "en")
    week = tints(page)
    page.get_by_role("button", name="Month").click()
    expect(page.locator("svg[role=img] rect").first).to_be_visible()
    month = tints(page)
    assert week.keys() & month.keys()
    page.locator("li[data-status] a").first.click()
    expect(page.locator("li[data-index]").first).to_be_visible()
    session = dict(
        page.locator("li[data-index] > div[data-tinted]").evaluate_all(
            "(all) => all.map((each) => [each.querySelector('p + p bdi').textContent,"
            " each.style.getPropertyValue('--hue') + each.style.getPropertyValue('--lift')])"
        )
    )
    assert session.keys() & week.keys()
    for other in (month, session):
        shared = week.keys() & other.keys()
        assert {each: week[each] for each in shared} == {each: other[each] for each in shared}
    page.context.close()
