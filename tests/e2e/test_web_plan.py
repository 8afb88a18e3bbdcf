"""Plan and usage in a real browser: without billing, with it, and what processing again costs."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from mindhit.billing import PLAN_SCREEN
from tests.e2e import usage_history
from tests.e2e.conftest import aside
from tests.e2e.web_axe import Inspection
from tests.e2e.web_keys import Keys
from tests.e2e.web_stage import Home, settled


def test_what_processing_again_costs_is_said_before(tab: Page, home: Home) -> None:
    recorder = home.record("Swifts")
    began = int(time.time() * 1000) - 60_000
    recorder.begin(began)
    recorder.go("https://birds.example/swift", "Common swift", began)
    recorder.say("ALIVE", began + 30_000)
    recorder.stop(began + 31_000)
    settled(home.client)
    tab.goto(f"{home.url}/sessions/{recorder.id}")
    tab.get_by_role("button", name="Process again…").click()
    expect(tab.get_by_role("dialog").get_by_text("This costs nothing")).to_be_visible()
    tab.get_by_role("button", name="Cancel").click()
    home.forget(recorder.id)


def test_usage_without_plans_and_with_them(tab: Page, home: Home) -> None:
    inspection = Inspection(tab)
    tab.goto(home.url + PLAN_SCREEN)
    expect(tab.get_by_text("This server has no plans")).to_be_visible()
    expect(tab.get_by_text("No tokens used in this period")).to_be_visible()
    expect(tab.get_by_role("heading", name="Invoices")).to_have_count(0)

    aside(usage_history.fill(home.database_url))
    tab.reload()
    expect(tab.get_by_text("of 50,000 tokens used")).to_be_visible()
    expect(tab.get_by_role("img", name="Tokens per day")).to_be_visible()
    expect(tab.get_by_role("heading", name="Invoices")).to_be_visible()
    expect(tab.get_by_text("refunded")).to_be_visible()
    for language in ("ko", "en"):
        home.speak(language)
        tab.reload()
        expect(tab.locator("html")).to_have_attribute("lang", language)
        expect(tab.locator("svg[role=img]").first).to_be_visible()
        inspection.look(f"plan and usage, {language}")
        inspection.look_on_a_phone(f"plan and usage, {language}")
    assert inspection.found == {}
    keys = Keys(tab)
    keys.go(tab.get_by_text("Day by day", exact=True))
    keys.press("Enter")
    expect(tab.get_by_role("columnheader", name="Day")).to_be_visible()
    expect(tab.get_by_role("heading", name="Pro", exact=True)).to_be_visible()
    # This server has no Stripe: nothing is offered that can't be bought.
    expect(tab.get_by_role("button", name="Upgrade to Pro")).to_have_count(0)
