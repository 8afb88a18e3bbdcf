"""What is not as it should be: each a sentence and a way on, never a blank page."""

from __future__ import annotations

import time
from uuid import UUID

from playwright.sync_api import Page, expect

from tests.e2e.conftest import execute
from tests.e2e.web_stage import WIKI, Home, settled


def test_two_who_rename_at_once_are_both_told(tab: Page, home: Home) -> None:
    id_ = home.record("First").id
    tab.goto(f"{home.url}/sessions/{id_}")
    tab.get_by_role("button", name="Rename").click()
    tab.get_by_label("Title").fill("Mine")
    home.client.patch(f"/v1/sessions/{id_}", json={"title": "Theirs"})
    tab.get_by_role("button", name="Save").click()
    expect(
        tab.get_by_text("In the meantime, the title was changed elsewhere to “Theirs”.")
    ).to_be_visible()
    tab.get_by_role("button", name="Use “Mine”").click()
    expect(tab.get_by_role("heading", name="Mine")).to_be_visible()
    home.forget(id_)
    expect(tab.get_by_text("This session doesn’t exist.")).to_be_visible()


def test_who_is_signed_out_elsewhere_is_told_and_comes_back(tab: Page, home: Home) -> None:
    recorder = home.record("A first sourdough")
    recorder.stop()
    tab.goto(f"{home.url}/?q=sourdough")
    found = tab.get_by_role("link", name="A first sourdough")
    expect(found).to_be_visible()
    tab.context.clear_cookies()
    expect(tab.get_by_text("You were signed out")).to_be_visible()
    tab.context.add_cookies([home.cookie()])  # type: ignore[list-item]
    tab.goto(tab.url)
    expect(found).to_be_visible()
    assert tab.url.endswith("/?q=sourdough")
    home.forget(recorder.id)


def test_a_session_without_visits_says_so_and_where_to_look(tab: Page, home: Home) -> None:
    recorder = home.record("Nothing")
    recorder.stop()
    tab.goto(f"{home.url}/sessions/{recorder.id}")
    expect(tab.get_by_role("heading", name="Nothing was recorded")).to_be_visible()
    tab.get_by_role("link", name="Show excluded sites").click()
    expect(tab.get_by_role("heading", name="Privacy")).to_be_visible()
    home.forget(recorder.id)


def test_a_session_that_crashed_says_why_and_is_made_again(tab: Page, home: Home) -> None:
    recorder = home.record("Crashed")
    began = int(time.time() * 1000) - 9_000
    recorder.begin(began)
    recorder.go(WIKI, "Common swift", began)
    recorder.stop(began + 8_000)
    settled(home.client)
    failed = (
        "update sessions set status = 'failed', error = $2, version = version + 1 where id = $1"
    )
    execute(home.database_url, failed, UUID(recorder.id), "fold: an event from 1970")
    tab.goto(f"{home.url}/sessions/{recorder.id}")
    expect(tab.get_by_text("This session couldn’t be processed.")).to_be_visible()
    expect(tab.get_by_text("fold: an event from 1970")).to_be_visible()
    tab.get_by_role("button", name="Process again").click()
    expect(tab.get_by_text("This session couldn’t be processed.")).to_have_count(0)
    expect(tab.get_by_role("link", name="Common swift", exact=True)).to_be_visible()
    home.forget(recorder.id)
