"""Shops in a real browser: a page is watched, run, its price falls, a page of it fails and is tried again."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from copy import deepcopy
from decimal import Decimal
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.crawl.farm import Shop
from tests.e2e.conftest import Site, signed_in
from tests.e2e.shop_street import REACHES, opened
from tests.e2e.web_axe import Inspection
from tests.e2e.web_keys import Keys
from tests.e2e.web_stage import Home

WATCHED: Final = "/v1/crawl/schedules"
CONTENT: Final = "main :is(li, form, table)"
# With what each says once it has its content.
SCREENS: Final = {
    "watched pages": ("/shops", "Furniture"),
    "add": ("/shops/add", "Next runs"),
    "a watched page": ("/shops/schedules/{watched}", "Latest runs"),
    "runs": ("/shops/runs", "Partly failed"),
    "a run": ("/shops/runs/{run}", "Product page"),
    "products": ("/shops/products", "Thing table"),
    "a product": ("/shops/products/{product}", "As a table"),
    "failed": ("/shops/failed", "Try again"),
    "alerts": ("/shops/alerts", "a price falls"),
}
WORK_MS: Final = 60_000  # what the worker does, on a busy machine


@pytest.fixture(scope="module")
def street(server: Site) -> Iterator[Shop]:
    """One shop, and a worker that may visit it."""
    made = Shop("127.0.0.41").add("lamp", "chair")
    sizes = {"Small": (Decimal(25), True), "Large": (Decimal(40), False)}
    made.add("table", variants=sizes)
    with opened(made), server.worker.with_settings(**REACHES):
        yield made


@pytest.fixture
def shop(street: Shop) -> Iterator[Shop]:
    """As it was: what a test changes of it is changed back, also if the test fails."""
    things = deepcopy(street.things)
    yield street
    street.things.clear()
    street.things.update(things)
    street.missing.clear()


def until(ask: Any) -> Any:
    ends = time.monotonic() + 60
    while not (found := ask()):
        assert time.monotonic() < ends
        time.sleep(0.1)
    return found


@pytest.fixture(autouse=True)
def _stop_watching(home: Home) -> Iterator[None]:
    yield
    for each in home.client.get(WATCHED).json()["items"]:
        assert home.client.delete(f"{WATCHED}/{each['id']}").is_success


def run(home: Home, scheduler_id: str) -> dict[str, Any]:
    """To its end: all of its pages fetched, and what they say applied."""
    begun = home.client.post(f"{WATCHED}/{scheduler_id}/run").json()

    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = home.client.get(f"/v1/crawl/runs/{begun['id']}").json()
        return found if found["finished_at"] else None

    done: dict[str, Any] = until(ended)
    return done


def product(home: Home, title: str, price: str) -> str:
    """The id of a product, once it has this price."""

    def found() -> list[str]:
        items = home.client.get("/v1/crawl/products", params={"search": title}).json()["items"]
        return [each["id"] for each in items if Decimal(each["price_min"] or 0) == Decimal(price)]

    id_: str = until(found)[0]
    return id_


def test_from_an_address_to_a_fallen_price_and_a_page_that_is_tried_again(
    tab: Page, home: Home, shop: Shop
) -> None:
    tab.goto(f"{home.url}/shops")
    tab.get_by_role("link", name="Watch your first page").click()
    tab.get_by_label("Address").fill(shop.listing)
    expect(tab.get_by_text("This looks like a category")).to_be_visible()
    expect(tab.locator("[role=status] li time")).to_have_count(3)
    tab.get_by_label("Name").fill("Furniture")
    tab.get_by_role("button", name="Watch this page").click()
    expect(tab.get_by_role("heading", name="Furniture", level=1)).to_be_visible()

    tab.get_by_role("button", name="Run now").click()
    expect(tab.get_by_text("Done")).to_be_visible(timeout=WORK_MS)
    lamp = product(home, "lamp", "20")
    tab.goto(f"{home.url}/shops/products")
    tab.get_by_role("link", name="Thing lamp").click()
    expect(tab.get_by_role("img", name="€20, unchanged since")).to_be_visible()

    shop.things["lamp"].price = Decimal(18)
    shop.missing.add("chair")
    tab.goto(f"{home.url}/shops")
    tab.get_by_role("button", name="Run now: Furniture").click()
    product(home, "lamp", "18")
    tab.goto(f"{home.url}/shops/products/{lamp}")
    expect(tab.get_by_role("img", name="10% less than before (€20)")).to_be_visible()
    expect(tab.locator("svg[role=img] circle")).to_have_count(2)
    tab.get_by_text("As a table").click()
    expect(tab.get_by_role("region", name="As a table").get_by_role("row")).to_have_count(3)
    until(lambda: home.client.get("/v1/notices").json()["unread"])

    until(lambda: home.client.get("/v1/crawl/dead").json()["items"])
    tab.get_by_role("link", name="All products").click()
    tab.get_by_role("link", name="Runs").click()
    expect(tab.get_by_text("Partly failed")).to_be_visible(timeout=WORK_MS)
    tab.get_by_role("link", name="Failed").click()
    expect(tab.get_by_text("404")).to_be_visible()
    shop.missing.clear()
    tab.get_by_role("button", name="Try again").click()
    expect(tab.get_by_text(re.compile(r"^Trying .+ again\.$"))).to_be_visible()
    expect(tab.get_by_text("Nothing has failed")).to_be_visible()
    tab.get_by_role("link", name="Runs").click()
    expect(tab.get_by_text("Done")).to_have_count(2, timeout=WORK_MS)
    expect(tab.get_by_text("Partly failed")).to_have_count(0)


def test_a_page_is_watched_and_run_without_a_pointer(tab: Page, home: Home, shop: Shop) -> None:
    tab.goto(f"{home.url}/shops")
    keys = Keys(tab)
    keys.use("link", "Watch a page")
    keys.go(tab.get_by_label("Address"))
    keys.type(shop.product("table"))
    keys.go(tab.get_by_label("Name"))
    keys.type("Table")
    keys.use("button", "Watch this page")
    expect(tab.get_by_role("heading", name="Table", level=1)).to_be_visible()
    keys.use("button", "Run now")
    expect(tab.get_by_text("Done")).to_be_visible(timeout=WORK_MS)
    product(home, "table", "25")
    tab.reload()
    keys.use("link", "1 product")
    keys.use("link", "Thing table")
    expect(tab.get_by_role("img", name="€25, unchanged since")).to_be_visible()
    keys.go(tab.get_by_role("combobox", name="Option"))
    keys.press("ArrowUp")
    expect(tab.get_by_role("img", name="€40, unchanged since")).to_be_visible()


def test_a_visited_page_and_a_saved_one_can_be_watched(tab: Page, home: Home) -> None:
    address = "https://lamps.example/product/desk-lamp"
    saved = home.client.post("/v1/pages", json={"address": address, "title": "Desk lamp"}).json()
    tab.goto(f"{home.url}/library/pages/{saved['id']}")
    tab.get_by_role("link", name="Watch this page").click()
    expect(tab.get_by_label("Address")).to_have_value(address)
    expect(tab.get_by_label("Name")).to_have_value("Desk lamp")
    recorder = home.record("Lamps")
    began = int(time.time() * 1000) - 60_000
    recorder.begin(began)
    recorder.go(address, "Desk lamp", began)
    recorder.say("ALIVE", began + 30_000)
    recorder.stop(began + 31_000)
    tab.goto(f"{home.url}/sessions/{recorder.id}")
    tab.get_by_role("link", name="Watch the price of Desk lamp").click()
    expect(tab.get_by_label("Address")).to_have_value(address)
    home.forget(recorder.id)
    home.client.delete(f"/v1/pages/{saved['id']}")


def test_the_screens_are_accessible_and_fit_a_phone(
    chromium: Browser, home: Home, shop: Shop
) -> None:
    context = signed_in(chromium, home)
    tab = context.new_page()
    inspection = Inspection(tab)
    tab.goto(f"{home.url}/shops")
    expect(tab.get_by_text("You aren’t watching any pages yet")).to_be_visible()
    inspection.look("nothing watched")
    asked = {"url": shop.listing, "cron": "0 8 * * *", "name": "Furniture"}
    watched = home.client.post(WATCHED, json=asked).json()["id"]
    shop.missing.add("chair")
    done = run(home, watched)
    ids = {"watched": watched, "run": done["id"], "product": product(home, "table", "25")}
    for language in ("en", "ko"):
        home.speak(language)
        tab.reload()
        expect(tab.locator("html")).to_have_attribute("lang", language)
        for name, (path, said) in SCREENS.items():
            inspection.go(home.url + path.format(**ids))
            shown = tab.get_by_text(said) if language == "en" else tab.locator(CONTENT)
            expect(shown.first).to_be_visible()
            inspection.look(f"{name}, {language}")
            inspection.look_on_a_phone(f"{name}, {language}")
    assert inspection.found == {}
    context.close()
    home.speak("en")
