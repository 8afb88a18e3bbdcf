"""Accounts as a person meets them, in a browser."""

from __future__ import annotations

from typing import Any

import httpx2
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Site

EMAIL, PASSWORD = "owner@example.org", "correct horse battery"


def become_owner(page: Page, site: Site) -> None:
    page.goto(site.owner_link())
    expect(page.get_by_role("heading", name="Welcome to MindHit")).to_be_visible()
    page.wait_for_url(lambda url: "#" not in url)  # the token has to leave the address bar
    page.get_by_label("Email address").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Become the owner").click()
    expect(page.get_by_role("link", name="Settings")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()  # what is loaded after it is there


def sign_in(page: Page, password: str = PASSWORD) -> None:
    page.get_by_label("Email address").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def ask_to_connect(site: Site) -> dict[str, Any]:
    """What the extension does."""
    answer = httpx2.post(f"{site.url}/v1/connect", json={"name": "Chrome on Linux"})
    assert answer.status_code == 201
    started: dict[str, Any] = answer.json()
    return started


def poll(site: Site, asked: dict[str, Any]) -> dict[str, Any]:
    body = {"device_code": asked["device_code"]}
    polled: dict[str, Any] = httpx2.post(f"{site.url}/v1/connect/poll", json=body).json()
    return polled


def status_with(site: Site, tokens: dict[str, Any]) -> int:
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    return httpx2.get(f"{site.url}/v1/me", headers=headers).status_code


def test_the_owner_comes_in_by_the_link_and_again_by_the_password(page: Page, site: Site) -> None:
    become_owner(page, site)
    me = page.evaluate("fetch('/v1/me').then((answer) => answer.json())")
    assert (me["email"], me["role"]) == (EMAIL, "owner")
    assert me["settings"]["timezone"] == "Europe/Berlin"
    assert page.evaluate("document.cookie") == ""  # the page never sees it
    page.get_by_role("button", name=EMAIL).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, "not the password")
    expect(page.get_by_text("Wrong email address or password.")).to_be_visible()
    expect(page.get_by_label("Email address")).to_have_value(EMAIL)
    sign_in(page)
    expect(page.get_by_role("link", name="Settings")).to_be_visible()


def test_who_is_not_signed_in_is_led_there_and_back(page: Page, site: Site) -> None:
    become_owner(page, site)
    page.context.clear_cookies()
    page.goto(f"{site.url}/settings/devices")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page)
    expect(page.get_by_role("heading", name="Connected devices")).to_be_visible()


def test_a_next_address_elsewhere_is_not_followed(page: Page, site: Site) -> None:
    become_owner(page, site)
    for elsewhere in ("https://evil.example/", "//evil.example/", "/\\evil.example/"):
        page.context.clear_cookies()
        page.goto(f"{site.url}/sign-in?next={elsewhere}")
        sign_in(page)
        expect(page.get_by_role("link", name="Settings")).to_be_visible()
        assert page.url.startswith(f"{site.url}/")


def test_an_extension_is_connected_and_revoked(page: Page, site: Site) -> None:
    become_owner(page, site)
    asked = ask_to_connect(site)
    assert poll(site, asked)["status"] == "pending"
    page.goto(asked["url"])
    expect(page.get_by_text(asked["user_code"])).to_be_visible()
    expect(page.get_by_text("Chrome on Linux wants to connect to your account.")).to_be_visible()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("heading", name="Connected")).to_be_visible()
    tokens = poll(site, asked)["tokens"]
    assert status_with(site, tokens) == 200
    page.goto(f"{site.url}/settings/devices")
    page.get_by_role("button", name="Revoke Chrome on Linux").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("button", name="Revoke Chrome on Linux")).to_have_count(0)
    assert status_with(site, tokens) == 401


def test_an_extension_that_nobody_started_is_denied(page: Page, site: Site) -> None:
    become_owner(page, site)
    asked = ask_to_connect(site)
    page.goto(f"{site.url}/connect")
    page.get_by_label("Code").fill(asked["user_code"].lower().replace("-", ""))
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Deny").click()
    expect(page.get_by_role("heading", name="Denied")).to_be_visible()
    assert poll(site, asked)["status"] == "denied"


def test_a_browser_that_was_revoked_is_out(page: Page, site: Site, chromium: Browser) -> None:
    become_owner(page, site)
    other = chromium.new_context().new_page()
    other.goto(f"{site.url}/sign-in")
    sign_in(other)
    expect(other.get_by_role("link", name="Settings")).to_be_visible()
    page.goto(f"{site.url}/settings/devices")
    page.get_by_role("button", name="Revoke Chrome on Linux").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("button", name="Revoke Chrome on Linux")).to_have_count(0)
    other.goto(f"{site.url}/settings")
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()
    other.context.close()


def test_a_forgotten_password_is_replaced_by_a_link_that_the_owner_passes_on(
    page: Page, site: Site, chromium: Browser
) -> None:
    """Without a mail server: the mail waits for the owner."""
    become_owner(page, site)
    other = chromium.new_context().new_page()
    other.goto(f"{site.url}/reset")
    other.get_by_label("Email address").fill(EMAIL)
    other.get_by_role("button", name="Request link").click()
    expect(other.get_by_role("heading", name="Link requested")).to_be_visible()
    page.goto(f"{site.url}/settings/server")
    mail = page.get_by_text("MindHit: Reset your password")
    while mail.count() == 0:  # the worker writes it in a moment
        page.wait_for_timeout(200)
        page.reload()
        page.get_by_role("heading", name="Unsent emails").wait_for()
        page.wait_for_load_state("networkidle")
    kept = page.evaluate("fetch('/v1/admin/mails').then((answer) => answer.json())")
    [link] = [word for word in kept["items"][0]["text"].split() if "/reset#" in word]
    other.goto(link)
    other.get_by_label("New password").fill("another horse entirely")
    other.get_by_role("button", name="Set password").click()
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(other, "another horse entirely")
    expect(other.get_by_role("link", name="Settings")).to_be_visible()
    page.reload()  # signed in with the old one
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    other.context.close()


def test_who_leaves_is_gone(page: Page, site: Site) -> None:
    become_owner(page, site)
    page.goto(f"{site.url}/settings/data")
    page.get_by_label("Type your email address to confirm").fill(EMAIL)
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("Your account and everything in it are being deleted")).to_be_visible()
    for _ in range(100):
        if not httpx2.get(f"{site.url}/v1/auth").json()["has_owner"]:
            break
        page.wait_for_timeout(100)
    assert httpx2.get(f"{site.url}/v1/auth").json()["has_owner"] is False


def test_korean_from_the_first_screen_to_the_settings(site: Site, chromium: Browser) -> None:
    context = chromium.new_context(locale="ko-KR")
    page = context.new_page()
    page.goto(site.owner_link())
    page.locator("input[type=email]").fill(EMAIL)
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("button[type=submit]").click()
    page.wait_for_url(lambda url: "welcome" not in url)
    me = page.evaluate("fetch('/v1/me').then((answer) => answer.json())")
    assert me["settings"]["language"] == "ko"
    page.goto(f"{site.url}/settings")
    expect(page.get_by_role("heading", name="일반")).to_be_visible()
    context.close()
