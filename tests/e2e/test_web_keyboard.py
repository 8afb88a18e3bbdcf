"""The whole web app by keys alone: from the owner link to signing out, and the focus is never lost.

After every key there is a focus, it can be seen, and it is in sight.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import asyncpg
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Site

EMAIL, PASSWORD = "owner@example.org", "correct horse battery"
MOST_TABS = 120
# Nothing where all is as it should be, within a moment: what comes from the server moves the focus.
FOCUS = """async () => {
  const ends = performance.now() + 5000;
  for (;;) {
    const wrong = look();
    if (wrong === "" || performance.now() > ends) return wrong;
    await new Promise(requestAnimationFrame);
  }
  function look() {
    const at = document.activeElement;
    if (!at || at === document.body) return "the focus is lost";
    const name = `${at.tagName} ${at.className} ${(at.textContent ?? "").slice(0, 40)}`;
    const isRinged = [undefined, "::after"].some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(at, part);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    });
    if (!at.matches(":focus-visible") || !isRinged) return `the focus cannot be seen: ${name}`;
    const { top, bottom } = at.getBoundingClientRect();
    return bottom <= 0 || top >= innerHeight ? `the focus is out of sight: ${name}` : "";
  }
}"""
DEAD = """
insert into jobs (queue, kind, lane, args, status, attempts, max_attempts, last_error, finished_at)
select 'default', 'work:prune', 'low', jsonb_build_object('older_than_days', 7, 'name', name), 'dead', 3, 3,
       'ConnectionError: the database was away', now()
  from unnest(array['one', 'two']) name"""


class Keys:
    """Somebody who has no pointer."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.look()

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.look()

    def look(self) -> None:
        assert self.page.evaluate(FOCUS) == ""

    def go(self, wanted: Locator, key: str = "Tab") -> None:
        """By Tab to what is wanted, however many stand between."""
        expect(wanted).to_be_visible()
        for _ in range(MOST_TABS):
            if wanted.evaluate("(element) => element === document.activeElement"):
                return
            self.press(key)
        raise AssertionError(f"no key leads to {wanted}")

    def use(self, role: str, name: str, *, key: str = "Tab") -> None:
        self.go(self.page.get_by_role(role, name=name, exact=True), key)  # type: ignore[arg-type]
        self.press("Enter")


def put_dead_jobs(site: Site) -> None:
    async def put() -> None:
        connection = await asyncpg.connect(site.database_url)
        try:
            await connection.execute(DEAD)
        finally:
            await connection.close()

    # In a thread of its own: in this one Playwright keeps an event loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, put()).result()


def come_in(keys: Keys, site: Site) -> None:
    page = keys.page
    page.goto(site.owner_link())
    expect(page.get_by_label("Email address")).to_be_focused()
    keys.type(EMAIL)
    keys.go(page.get_by_label("Password", exact=True))
    keys.type(PASSWORD)
    keys.press("Enter")
    expect(page.get_by_role("heading", name="First steps")).to_be_focused()
    keys.use("button", "Load demo sessions")
    expect(page.get_by_role("heading", name="Where the time went")).to_be_visible()
    keys.look()


def find_a_session(keys: Keys) -> None:
    page = keys.page
    keys.press("/")
    expect(page.get_by_label("Search")).to_be_focused()
    keys.type("K2-18")
    expect(page.get_by_text("1 session", exact=True)).to_be_visible()
    keys.use("button", "Clear all")
    expect(page.get_by_text("1 session", exact=True)).to_have_count(0)
    keys.look()
    keys.press("/")
    keys.type("K2-18")
    expect(page.get_by_text("1 session", exact=True)).to_be_visible()
    keys.use("link", "Water on K2-18 b?")
    expect(page.get_by_role("heading", name="Water on K2-18 b?")).to_be_focused()


def look_closely(keys: Keys) -> None:
    page = keys.page
    keys.press(*"+" * 6)
    expect(page.locator(".strip-frame")).to_be_visible()
    keys.go(page.locator(".strip-place"))
    shown = page.locator(".strip-range").inner_text()
    keys.press("ArrowRight")
    expect(page.locator(".strip-range")).not_to_have_text(shown)
    keys.press("0")
    expect(page.locator(".strip-frame")).to_have_count(0)
    keys.press("j", "j")
    expect(page.locator(".timeline-row[data-index='1']")).to_be_focused()
    keys.go(page.locator(".timeline-row[data-index='1'] .times"))
    keys.press("Enter")
    expect(page.locator(".strip-frame")).to_be_visible()


def name_export_and_delete(keys: Keys) -> None:
    page = keys.page
    keys.press("e")
    keys.type("Steam")
    keys.press("Escape")
    expect(page.get_by_role("heading", name="Water on K2-18 b?")).to_be_visible()
    keys.press("e")
    keys.type("Steam")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Steam", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Rename")).to_be_focused()
    with page.expect_download() as saved:
        keys.use("button", "Markdown")
    assert saved.value.suggested_filename.endswith(".md")
    keys.use("button", "Delete")
    keys.press("Escape")
    expect(page.get_by_role("button", name="Delete", exact=True)).to_be_focused()
    keys.press("Enter", "Shift+Tab", "Enter")
    expect(page.get_by_text("The session is deleted.")).to_be_visible()
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_focused()


def set_language_and_zone(keys: Keys) -> None:
    page = keys.page
    keys.press("g", "s")
    expect(page.get_by_role("heading", name="General")).to_be_focused()
    keys.go(page.get_by_role("combobox", name="Time zone"))
    keys.press("ArrowDown")
    keys.type("Seoul")
    expect(page.get_by_role("option", name="Asia/Seoul")).to_be_visible()
    keys.press("Enter")
    keys.use("button", "Save")
    expect(page.get_by_text("Saved.")).to_be_visible()
    keys.use("button", "Use Europe/Berlin, as this browser says", key="Shift+Tab")
    expect(page.get_by_role("combobox", name="Time zone")).to_have_value("Europe/Berlin")
    expect(page.get_by_role("combobox", name="Time zone")).to_be_focused()
    for wanted, save in (("ko", "Save"), ("en", "저장")):
        keys.go(page.locator("select[name=language]"), "Shift+Tab")
        keys.press("ArrowDown" if wanted == "ko" else "ArrowUp")
        keys.use("button", save)
        expect(page.locator("html")).to_have_attribute("lang", wanted)


def exclude_a_domain(keys: Keys) -> None:
    page = keys.page
    keys.use("link", "Privacy", key="Shift+Tab")
    expect(page.get_by_role("heading", name="Privacy")).to_be_focused()
    keys.go(page.get_by_label("Add domains"))
    keys.type("bank.example")
    keys.use("button", "Add")
    expect(page.get_by_text("Added: bank.example.")).to_be_visible()
    keys.use("button", "Remove bank.example")
    expect(page.get_by_role("button", name="Remove bank.example")).to_have_count(0)
    keys.look()


def make_and_revoke_a_token(keys: Keys) -> None:
    page = keys.page
    keys.use("link", "Devices", key="Shift+Tab")
    expect(page.get_by_role("heading", name="Devices", level=1)).to_be_focused()
    keys.go(page.get_by_label("Name"))
    keys.type("Backup")
    keys.press("Enter")
    expect(page.get_by_label("Token", exact=True)).to_be_visible()
    keys.look()
    keys.use("button", "I have kept it")
    expect(page.get_by_label("Name")).to_be_visible()
    keys.look()
    keys.use("button", "Revoke Backup", key="Shift+Tab")
    keys.press("Shift+Tab", "Enter")
    expect(page.get_by_role("button", name="Revoke Backup")).to_have_count(0)
    expect(page.get_by_role("heading", name="Connected now")).to_be_focused()


def look_after_the_server(keys: Keys, site: Site) -> None:
    page = keys.page
    put_dead_jobs(site)
    keys.press("g", "p")
    expect(page.get_by_role("heading", name="Operations", level=1)).to_be_focused()
    retry = page.get_by_role("button", name="Retry job")
    expect(retry).to_have_count(2)
    keys.go(retry.first)
    keys.press("Enter")
    expect(page.get_by_text("was given a fresh start.")).to_be_visible()
    expect(retry).to_have_count(1)
    keys.look()
    keys.go(page.get_by_role("button", name="Discard job"))
    keys.press("Enter", "Shift+Tab", "Enter")
    expect(page.get_by_text("was discarded.")).to_be_visible()
    expect(page.get_by_role("heading", name="Dead jobs")).to_be_focused()


def leave(keys: Keys) -> None:
    page = keys.page
    keys.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("heading", name="Dead jobs")).to_be_focused()
    keys.go(page.get_by_role("button", name=EMAIL), "Shift+Tab")
    keys.press("Enter")
    keys.use("button", "Sign out")
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    keys.look()


def test_everything_from_the_owner_link_to_signing_out(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    keys = Keys(page)
    come_in(keys, site)
    find_a_session(keys)
    look_closely(keys)
    name_export_and_delete(keys)
    set_language_and_zone(keys)
    exclude_a_domain(keys)
    make_and_revoke_a_token(keys)
    look_after_the_server(keys, site)
    leave(keys)
