"""What a newcomer meets, from a server without an owner to the sign-in page: no barrier for anybody."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import PATIENCE_MS, Site
from tests.e2e.test_accounts import EMAIL, PASSWORD, ask_to_connect
from tests.e2e.web_axe import Inspection

OUTSIDE: Final = ("/", "/sign-up", "/reset", "/confirm", "/welcome", "/sign-in")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_first_minutes_hold_no_barrier(chromium: Browser, site: Site, language: str) -> None:
    """axe finds nothing serious before there is an owner, before the first session, and outside."""
    context = chromium.new_context(locale=language)
    context.set_default_timeout(PATIENCE_MS)
    inspection = Inspection(context.new_page())
    page = inspection.page
    page.goto(site.url)
    inspection.look("no owner")
    page.goto(site.owner_link())
    inspection.look("owner link")
    page.locator("input[type=email]").fill(EMAIL)
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("button[type=submit]").click()
    page.locator("main ol").first.wait_for()
    inspection.look("nothing recorded yet")
    page.goto(ask_to_connect(site)["url"])
    page.locator("main p[aria-label]").wait_for()
    inspection.look("an extension asks")
    page.locator("main section button").first.click()
    page.locator("main [role=status] h2").wait_for()
    inspection.look("an extension is connected")
    context.clear_cookies()
    for path in OUTSIDE:
        page.goto(site.url + path)
        inspection.look(path)
        inspection.look_on_a_phone(path)
    page.locator("button[type=submit]").click()
    page.locator("[aria-invalid=true]").first.wait_for()
    inspection.look("sign-in with nothing in it")
    context.close()
    assert inspection.found == {}
