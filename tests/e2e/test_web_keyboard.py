"""The whole web app by keys alone, from the owner link to a deleted account, and the focus is never lost."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Site, execute
from tests.e2e.test_accounts import EMAIL, PASSWORD, ask_to_connect, poll
from tests.e2e.web_keys import Keys

NEW_PASSWORD = "another horse entirely"
DEAD = """
insert into jobs (queue, kind, lane, args, status, attempts, max_attempts, last_error, finished_at)
select 'default', 'work:prune', 'low', jsonb_build_object('older_than_days', 7, 'name', name), 'dead', 3, 3,
       'ConnectionError: the database was away', now()
  from unnest(array['one', 'two']) name"""


def come_in(keys: Keys, site: Site) -> None:
    page = keys.page
    page.goto(site.owner_link())
    expect(page.get_by_label("Email address")).to_be_focused()
    keys.type(EMAIL)
    keys.go(page.get_by_label("Password", exact=True))
    keys.type(PASSWORD)
    keys.press("Enter")
    expect(page.get_by_role("heading", name="First steps")).to_be_focused()


def connect_an_extension(keys: Keys, site: Site) -> None:
    page = keys.page
    asked = ask_to_connect(site)
    keys.use("link", "I have a code")
    expect(page.get_by_label("Code")).to_be_focused()
    keys.type(asked["user_code"])
    keys.press("Enter")
    expect(page.get_by_text("Chrome on Linux wants to connect to your account.")).to_be_visible()
    keys.use("button", "Approve")
    expect(page.get_by_role("heading", name="Connected")).to_be_visible()
    assert poll(site, asked)["status"] == "connected"
    keys.use("link", "Go to overview")
    expect(page.get_by_role("heading", name="First steps")).to_be_focused()


def load_the_demo(keys: Keys) -> None:
    page = keys.page
    keys.use("button", "Load demo sessions")
    expect(page.get_by_role("heading", name="Where the time went")).to_be_visible()
    keys.look()


def look_at_a_month(keys: Keys) -> None:
    """A day of it by the table, and a site by its name."""
    page = keys.page
    keys.use("button", "Month")
    expect(page.get_by_role("button", name="Month")).to_have_attribute("aria-pressed", "true")
    assert "view=month" in page.url
    keys.use("button", "Earlier")
    keys.use("button", "Later")
    keys.go(page.get_by_text("Show as a table"))
    keys.press("Enter")
    day = page.locator("table button").first
    keys.go(day)
    keys.press("Enter")
    keys.go(page.get_by_role("button", name=f"Remove filter: {day.inner_text()}"))
    keys.press("Enter")
    keys.go(page.locator("li[data-tinted] > button").first, "Shift+Tab")
    keys.press("Enter")
    keys.go(page.get_by_role("button", name="Remove filter: "))
    keys.press("Enter")
    expect(page.get_by_role("button", name="Remove filter: ")).to_have_count(0)
    keys.look()


def filter_the_list(keys: Keys) -> None:
    page = keys.page
    keys.press("f")
    keys.go(page.get_by_label("Status"))
    keys.press("ArrowDown")
    expect(page.get_by_role("heading", name="No matching sessions")).to_be_visible()
    assert "status=recording" in page.url
    keys.press("ArrowUp")
    keys.go(page.get_by_label("When"))
    keys.press("ArrowDown")
    expect(page.get_by_label("When")).to_have_value("last7")
    assert "when=last7" in page.url
    keys.use("button", "Clear filters")
    expect(page.get_by_label("When")).to_have_value("any")
    keys.look()


def find_a_session(keys: Keys) -> None:
    page = keys.page
    keys.press("f")
    expect(page.get_by_label("Search")).to_be_focused()
    keys.type("K2-18")
    expect(page.get_by_text("1 session", exact=True)).to_be_visible()
    keys.use("button", "Clear filters")
    expect(page.get_by_text("1 session", exact=True)).to_have_count(0)
    keys.look()
    keys.press("f")
    keys.type("K2-18")
    expect(page.get_by_text("1 session", exact=True)).to_be_visible()
    keys.use("link", "Water on K2-18 b?")
    expect(page.get_by_role("heading", name="Water on K2-18 b?")).to_be_focused()


def look_closely(keys: Keys) -> None:
    page = keys.page
    keys.press(*"+" * 6)
    expect(page.locator("canvas + span")).to_be_visible()
    keys.go(page.locator("[role=group]:has(> canvas)"))
    shown = page.locator("section:has(canvas) [aria-live]").inner_text()
    keys.press("ArrowRight")
    expect(page.locator("section:has(canvas) [aria-live]")).not_to_have_text(shown)
    keys.press("0")
    expect(page.locator("canvas + span")).to_have_count(0)
    keys.press("j", "j")
    expect(page.locator("li[data-index='1']")).to_be_focused()
    keys.go(page.locator("li[data-index='1'] button").first)
    keys.press("Enter")
    expect(page.locator("canvas + span")).to_be_visible()


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
    expect(page.get_by_text("The session was deleted.")).to_be_visible()
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_focused()
    keys.press("z")
    expect(page.get_by_role("link", name="Steam", exact=True)).to_be_visible()


def select_several(keys: Keys) -> None:
    """Two of the list are shown together, deleted, and had back."""
    page = keys.page
    rows = page.locator("li[data-session] a")
    keys.use("button", "Clear filters")  # the search that the deleted session was opened from
    expect(page.get_by_text("1 session", exact=True)).to_have_count(0)
    keys.press("j", "x", "j", "x")
    expect(page.get_by_text("2 selected")).to_be_visible()
    count = rows.count()
    keys.use("button", "Delete", key="Shift+Tab")
    expect(rows).to_have_count(count - 2)
    keys.press("z")
    expect(rows).to_have_count(count)
    keys.press("k", "x", "j", "x")
    keys.use("link", "Show together", key="Shift+Tab")
    expect(page.get_by_role("heading", name="2 sessions together")).to_be_focused()
    keys.use("link", "All sessions", key="Shift+Tab")
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_focused()


def look_at_a_year(keys: Keys) -> None:
    """A day of the calendar by the arrow keys; its sessions are listed."""
    page = keys.page
    keys.use("button", "Year")
    day = page.get_by_role("grid").locator("[tabindex='0']")
    keys.go(day)
    keys.press("ArrowLeft", "ArrowUp", "End", "ArrowUp")
    busy = page.get_by_role("grid").locator("[data-level='4']").last
    wanted = busy.get_attribute("data-date")
    while (at := day.get_attribute("data-date")) != wanted:
        assert at is not None
        assert wanted is not None
        keys.press("ArrowUp" if at > wanted else "ArrowDown")
    keys.press("Enter")
    assert f"day={wanted}" in page.url
    keys.go(page.get_by_role("button", name="Remove filter: "))
    keys.press("Enter")
    keys.use("button", "Week", key="Shift+Tab")


def set_language_and_zone(keys: Keys) -> None:
    page = keys.page
    keys.press("g", "s")
    expect(page.get_by_role("heading", name="General", level=1)).to_be_focused()
    keys.go(page.get_by_role("combobox", name="Time zone"))
    keys.press("ArrowDown")
    keys.type("Seoul")
    expect(page.get_by_role("option", name="Asia/Seoul")).to_be_visible()
    keys.press("Enter")
    keys.use("button", "Save")
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    keys.use("button", "Use this browser’s time zone, Europe/Berlin", key="Shift+Tab")
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
    expect(page.get_by_role("heading", name="Privacy", level=1)).to_be_focused()
    keys.go(page.get_by_label("Add sites"))
    keys.type("bank.example")
    keys.use("button", "Add")
    expect(page.get_by_text("Added: bank.example.")).to_be_visible()
    keys.use("button", "Remove bank.example")
    expect(page.get_by_role("button", name="Remove bank.example")).to_have_count(0)
    keys.look()


def change_the_password(keys: Keys) -> None:
    page = keys.page
    keys.use("link", "Security", key="Shift+Tab")
    expect(page.get_by_role("heading", name="Security", level=1)).to_be_focused()
    keys.go(page.locator("input[name=current]"))
    keys.type(PASSWORD)
    keys.go(page.get_by_label("New password"))
    keys.type(NEW_PASSWORD)
    keys.press("Enter")
    expect(page.get_by_text("Password changed.")).to_be_visible()
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
    keys.use("button", "Done, I saved it")
    expect(page.get_by_label("Name")).to_be_visible()
    keys.look()
    keys.use("button", "Revoke Backup", key="Shift+Tab")
    keys.press("Shift+Tab", "Enter")
    expect(page.get_by_role("button", name="Revoke Backup")).to_have_count(0)
    expect(page.get_by_role("heading", name="Connected devices")).to_be_focused()


def look_after_the_server(keys: Keys, site: Site) -> None:
    page = keys.page
    execute(site.database_url, DEAD)
    keys.press("g", "p")
    expect(page.get_by_role("heading", name="Operations", level=1)).to_be_focused()
    retry = page.get_by_role("button", name="Retry job")
    expect(retry).to_have_count(2)
    keys.go(retry.first)
    keys.press("Enter")
    expect(page.get_by_text("will run again.")).to_be_visible()
    expect(retry).to_have_count(1)
    keys.look()
    keys.go(page.get_by_role("button", name="Discard job"))
    keys.press("Enter", "Shift+Tab", "Enter")
    expect(page.get_by_text("was discarded.")).to_be_visible()
    expect(page.get_by_role("heading", name="Failed jobs")).to_be_focused()


def leave(keys: Keys) -> None:
    page = keys.page
    keys.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("heading", name="Failed jobs")).to_be_focused()
    keys.go(page.get_by_role("button", name=EMAIL), "Shift+Tab")
    keys.press("Enter")
    keys.use("button", "Sign out")
    expect(page.get_by_text("You’re signed out.")).to_be_visible()
    keys.look()


def come_back(keys: Keys) -> None:
    page = keys.page
    keys.go(page.get_by_label("Email address"))
    keys.type(EMAIL)
    keys.go(page.get_by_label("Password", exact=True))
    keys.type(NEW_PASSWORD)
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_focused()


def take_everything_and_go(keys: Keys) -> None:
    page = keys.page
    keys.press("g", "s")
    expect(page.get_by_role("heading", name="General", level=1)).to_be_focused()
    keys.use("link", "Your data", key="Shift+Tab")
    expect(page.get_by_role("heading", name="Your data", level=1)).to_be_focused()
    keys.use("button", "Export my data")
    expect(page.get_by_role("link", name="Download", exact=True)).to_be_visible()
    with page.expect_download() as saved:
        keys.use("link", "Download")
    assert saved.value.suggested_filename.startswith("mindhit-20")
    keys.go(page.get_by_label("Type your email address to confirm"))
    keys.type(EMAIL)
    keys.go(page.get_by_label("Current password"))
    keys.type(NEW_PASSWORD)
    keys.use("button", "Delete everything")
    expect(page.get_by_text("Your account and everything in it are being deleted")).to_be_visible()
    keys.look()


def test_everything_from_the_owner_link_to_a_deleted_account(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    keys = Keys(page)
    come_in(keys, site)
    connect_an_extension(keys, site)
    load_the_demo(keys)
    look_at_a_month(keys)
    filter_the_list(keys)
    find_a_session(keys)
    look_closely(keys)
    name_export_and_delete(keys)
    select_several(keys)
    look_at_a_year(keys)
    set_language_and_zone(keys)
    exclude_a_domain(keys)
    change_the_password(keys)
    make_and_revoke_a_token(keys)
    look_after_the_server(keys, site)
    leave(keys)
    come_back(keys)
    take_everything_and_go(keys)
