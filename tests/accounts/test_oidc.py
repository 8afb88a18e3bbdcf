"""Signing in through an identity provider: who gets in, from which browser, and to where."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import httpx2
import pytest

from mindhit import accounts
from mindhit.accounts import AccountsSettings, Origin, Person, oidc
from mindhit.db import Database
from mindhit.settings import SettingsInvalid
from mindhit.wiring import load_settings as load
from tests import servers
from tests.accounts.kit import HERE
from tests.accounts.oidc_kit import (
    ADA,
    CALLBACK,
    START,
    Browser,
    Site,
    changed,
    claim,
    open_site,
    reason,
)
from tests.accounts.provider import CLIENT_ID, CLIENT_SECRET, Claims, Idp


@pytest.fixture
async def site(db: Database) -> AsyncIterator[Site]:
    async with open_site(db) as site:
        yield site


@pytest.fixture
async def ada(site: Site) -> Person:
    return await site.add(ADA)


async def test_somebody_with_a_verified_address_is_signed_in_and_linked(
    site: Site, ada: Person
) -> None:
    async with site.browser() as browser:
        answer = await browser.sign_in("/settings?tab=devices#top")
        assert answer.headers["location"] == "/settings?tab=devices#top"
        assert (await browser.me() or {})["email"] == ADA
    assert {"identity_linked", "signed_in"} <= set(await site.events(ada))


async def test_linking_proves_the_address(site: Site) -> None:
    bob = await site.add("bob@example.org", verified=False)
    site.idp.person |= {"email": "bob@example.org"}
    assert (await site.sign_in()).headers["location"] == "/"
    async with site.db.read() as tx:
        assert (await accounts.show_person(tx, bob.id)).verified_at is not None


async def test_the_owner_can_come_through_the_provider(site: Site) -> None:
    site.idp.person |= {"email": "owner@example.org"}
    async with site.browser() as browser:
        await browser.sign_in()
        assert (await browser.me() or {})["role"] == "owner"


async def test_a_known_person_gets_in_whatever_the_address_is_now(site: Site, ada: Person) -> None:
    await site.sign_in()
    site.idp.person |= {"email": "owner@example.org", "email_verified": True}
    async with site.browser() as browser:
        await browser.sign_in()
        assert (await browser.me() or {})["email"] == ADA
    site.idp.person = {"sub": site.idp.person["sub"]}
    assert (await site.sign_in()).headers["location"] == "/"
    assert (await site.events(ada)).count("identity_linked") == 1


async def test_an_address_that_somebody_else_has_now_opens_nothing(site: Site, ada: Person) -> None:
    await site.sign_in()
    site.idp.person |= {"sub": "subject-2"}
    assert reason(await site.sign_in()) == "linked"
    assert (await site.events(ada)).count("signed_in") == 1


async def test_a_person_with_a_new_name_at_the_provider_gets_in_once_unlinked(
    site: Site, ada: Person
) -> None:
    await site.sign_in()
    site.idp.person |= {"sub": "subject-2"}
    async with site.db.transaction() as tx:
        assert await oidc.unlink(tx, ada.id, HERE) == 1
    assert (await site.sign_in()).headers["location"] == "/"
    site.idp.person |= {"sub": "subject-1"}
    assert reason(await site.sign_in()) == "linked"


@pytest.mark.parametrize(
    "told",
    [
        {"email_verified": False},
        {"email_verified": "false"},
        {"email_verified": 1},
        {"email_verified": None},
        {"email": None},
        {"email": "not an address"},
        {"email": "a\ud800@example.org"},
        {"email": [ADA]},
    ],
)
async def test_an_address_that_is_not_verified_opens_nothing(
    site: Site, ada: Person, told: Claims
) -> None:
    site.configure(oidc_sign_up=True)
    site.idp.person |= told
    assert reason(await site.sign_in()) == "unverified"
    assert await site.addresses() == {"owner@example.org", ADA}


async def test_a_provider_that_says_nothing_of_verification_opens_nothing(
    site: Site, ada: Person
) -> None:
    del site.idp.person["email_verified"]
    assert reason(await site.sign_in()) == "unverified"


async def test_the_word_true_will_do(site: Site, ada: Person) -> None:
    site.idp.person |= {"email_verified": "true"}
    assert (await site.sign_in()).headers["location"] == "/"


async def test_an_address_may_come_from_userinfo(site: Site, ada: Person) -> None:
    site.idp.in_token = ()
    assert (await site.sign_in()).headers["location"] == "/"
    assert site.idp.calls["userinfo"] == 1


async def test_userinfo_is_not_asked_where_the_token_says_it_all(site: Site, ada: Person) -> None:
    await site.sign_in()
    assert site.idp.calls["userinfo"] == 0


async def test_the_word_of_userinfo_does_not_speak_for_the_address_in_the_token(
    site: Site, ada: Person
) -> None:
    site.idp.in_token = ("email",)
    site.idp.userinfo = {"sub": "subject-1", "email_verified": True}
    assert reason(await site.sign_in()) == "unverified"


async def test_userinfo_is_asked_where_the_token_has_the_address_and_no_word_for_it(
    site: Site, ada: Person
) -> None:
    site.idp.in_token = ("email",)
    assert (await site.sign_in()).headers["location"] == "/"
    assert site.idp.calls["userinfo"] == 1


async def test_userinfo_of_somebody_else_is_not_believed(site: Site, ada: Person) -> None:
    site.idp.in_token = ()
    site.idp.userinfo = {**site.idp.person, "sub": "subject-2"}
    assert reason(await site.sign_in()) == "token"


async def test_strangers_are_sent_to_the_owner(site: Site) -> None:
    assert reason(await site.sign_in()) == "unknown"
    assert await site.addresses() == {"owner@example.org"}


async def test_strangers_get_an_account_where_the_server_says_so(site: Site) -> None:
    site.configure(oidc_sign_up=True)
    async with site.browser() as browser:
        await browser.sign_in("/", timezone="Europe/Berlin", language="ko")
        me = await browser.me() or {}
    assert (me["email"], me["role"], me["verified"]) == ("Ada@Example.org", "user", True)
    assert me["has_password"] is False
    assert (me["settings"]["timezone"], me["settings"]["language"]) == ("Europe/Berlin", "ko")
    await site.sign_in()
    assert await site.addresses() == {"owner@example.org", "Ada@Example.org"}


async def test_the_time_zone_of_the_browser_is_learnt(site: Site, ada: Person) -> None:
    async with site.browser() as browser:
        await browser.sign_in("/", timezone="Europe/Berlin")
        assert (await browser.me() or {})["settings"]["timezone"] == "Europe/Berlin"


async def test_an_unknown_time_zone_is_ignored(site: Site, ada: Person) -> None:
    async with site.browser() as browser:
        await browser.sign_in("/", timezone="Mars/Olympus\0")
        assert (await browser.me() or {})["settings"]["timezone"] == "Asia/Seoul"


async def test_many_tabs_at_once_make_one_account(site: Site) -> None:
    site.configure(oidc_sign_up=True)
    answers = await asyncio.gather(*(site.sign_in() for _ in range(6)))
    assert [answer.headers["location"] for answer in answers] == ["/"] * 6
    assert await site.addresses() == {"owner@example.org", "Ada@Example.org"}


async def test_nobody_becomes_the_owner_through_the_provider(db: Database) -> None:
    async with Idp().serving() as idp:
        site = Site(db, idp, {"oidc_sign_up": True})
        assert reason(await site.sign_in()) == "no_owner"
    assert await site.addresses() == set()


@pytest.mark.parametrize("came_before", [True, False])
async def test_somebody_who_is_being_erased_cannot_sign_in(
    site: Site, ada: Person, came_before: bool
) -> None:
    site.configure(oidc_sign_up=True)
    if came_before:
        await site.sign_in()
    async with site.db.transaction() as tx:
        await accounts.ask_erasure(tx, ada.id, Origin())
    assert reason(await site.sign_in()) == "leaving"


async def test_who_was_signed_in_before_is_signed_out(site: Site, ada: Person) -> None:
    async with site.browser() as browser:
        await browser.sign_in()
        first = dict(browser.client.cookies)
        await browser.sign_in()
        assert dict(browser.client.cookies) != first
    async with site.browser() as browser:
        browser.client.cookies.update(first)
        assert await browser.me() is None


async def test_a_state_is_good_once(site: Site, ada: Person) -> None:
    async with site.browser() as browser:
        callback = await browser.to_provider()
        cookies = dict(browser.client.cookies)
        await browser.come_back(callback)
        browser.client.cookies.update(cookies)
        answer = await browser.come_back(callback)
        assert reason(answer) == "expired"
    assert site.idp.calls["token"] == 1


async def test_a_state_is_used_up_even_where_the_provider_fails(site: Site, ada: Person) -> None:
    async with site.browser() as browser:
        callback = await browser.to_provider()
        cookies = dict(browser.client.cookies)
        site.idp.html.add("token")
        assert reason(await browser.come_back(callback)) == "provider"
        site.idp.html.clear()
        browser.client.cookies.update(cookies)
        assert reason(await browser.come_back(callback)) == "expired"


async def test_a_state_is_good_for_ten_minutes(site: Site, ada: Person, database_url: str) -> None:
    connection = await asyncpg.connect(database_url)
    try:
        async with site.browser() as browser:
            callback = await browser.to_provider()
            left = await connection.fetchval("select expires_at - now() from oidc_requests")
            assert 590 < left.total_seconds() <= 600
            await connection.execute("update oidc_requests set expires_at = now()")
            assert reason(await browser.come_back(callback)) == "expired"
    finally:
        await connection.close()


async def test_secrets_of_a_request_are_kept_as_hashes_where_that_will_do(
    site: Site, database_url: str
) -> None:
    async with site.browser() as browser:
        callback = await browser.to_provider()
    [state] = parse_qs(urlsplit(callback).query)["state"]
    connection = await asyncpg.connect(database_url)
    try:
        assert state not in str(await connection.fetch("select * from oidc_requests"))
    finally:
        await connection.close()


async def test_a_code_is_good_once(site: Site, ada: Person) -> None:
    async with site.browser() as browser:
        first = await browser.to_provider()
        await browser.come_back(first)
        [code] = parse_qs(urlsplit(first).query)["code"]
        second = await browser.to_provider()
        assert reason(await browser.come_back(changed(second, code=code))) == "expired"


async def test_the_code_of_another_sign_in_does_not_fit(site: Site, ada: Person) -> None:
    """Code injection: the verifier is not the one that this code was asked for with."""
    async with site.browser() as victim, site.browser() as thief:
        [code] = parse_qs(urlsplit(await victim.to_provider()).query)["code"]
        callback = await thief.to_provider()
        assert reason(await thief.come_back(changed(callback, code=code))) == "expired"


async def test_a_link_to_somebody_elses_sign_in_opens_nothing(site: Site, ada: Person) -> None:
    """Login CSRF: the victim would browse in the attacker's account."""
    async with site.browser() as attacker, site.browser() as victim:
        callback = await attacker.to_provider()
        assert reason(await victim.come_back(callback)) == "browser"
        await victim.to_provider()
        assert reason(await victim.come_back(callback)) == "browser"
        assert await victim.me() is None
        assert (await attacker.come_back(callback)).headers["location"] == "/"


@pytest.mark.parametrize("cookie", ["", "x", "\u00e9"])
async def test_a_callback_without_a_state_opens_nothing(site: Site, cookie: str) -> None:
    async with site.browser() as browser:
        headers = {b"Cookie": f"mindhit_oidc={cookie}".encode("latin-1")}
        for query in ("", "?code=x", "?code=x&state=", "?state=y&code=x", "?state=%00&code="):
            assert reason(await browser.client.get(CALLBACK + query, headers=headers)) == "browser"


async def test_the_cookies_are_as_closed_as_they_can_be(site: Site, ada: Person) -> None:
    site.configure(base_url="https://mindhit.test")
    site.idp.redirect_uri = f"https://mindhit.test{CALLBACK}"
    async with site.browser() as browser:
        [bound] = (await browser.start()).headers.get_list("set-cookie")
        name, _, rest = bound.partition("=")
        attributes = {each.strip().lower() for each in rest.split(";")[1:]}
        assert name == "mindhit_oidc"
        assert attributes == {
            "httponly",
            "max-age=600",
            "path=/v1/auth/oidc",
            "samesite=lax",
            "secure",
        }
        answer = await browser.sign_in()
        signed_in, gone = sorted(answer.headers.get_list("set-cookie"))
        assert signed_in.startswith("__Host-mindhit=mh_web_")
        assert gone.startswith('mindhit_oidc="";')
        assert "Max-Age=0" in gone


async def test_on_plain_http_the_cookie_is_not_secure_or_it_would_be_lost(site: Site) -> None:
    async with site.browser() as browser:
        [bound] = (await browser.start()).headers.get_list("set-cookie")
    assert "secure" not in bound.lower()


async def test_without_a_provider_there_is_nothing_here(site: Site) -> None:
    site.configure(oidc_issuer=None, oidc_client_id=None, oidc_client_secret=None)
    async with site.browser() as browser:
        for path in (START, CALLBACK):
            answer = await browser.client.get(path)
            assert answer.status_code == 404
            assert answer.json()["type"] == "urn:mindhit:problem:not-configured"
        assert (await browser.client.get("/v1/auth")).json()["oidc"] is None


async def test_tries_are_counted(site: Site, ada: Person) -> None:
    site.configure(sign_in_limit=2 / 120)
    async with site.browser() as browser:
        assert (await browser.sign_in()).headers["location"] == "/"
        for path in (START, CALLBACK):
            answer = await browser.client.get(path)
            assert answer.status_code == 429
            assert int(answer.headers["retry-after"]) > 0


async def test_sign_in_through_the_provider_works_where_passwords_are_off(
    site: Site, ada: Person
) -> None:
    site.configure(password_sign_in=False, oidc_name="Example SSO")
    async with site.browser() as browser:
        ways = (await browser.client.get("/v1/auth")).json()
        assert (ways["password"], ways["oidc"]) == (False, {"name": "Example SSO"})
        await browser.sign_in()
        assert await browser.me() is not None


async def test_a_real_server_signs_in_and_writes_no_secret_down(
    site: Site, ada: Person, database_url: str, tmp_path: Path
) -> None:
    idp = site.idp
    log = tmp_path / "api.log"
    with servers.api(
        log,
        database_url,
        log_level="debug",
        oidc_issuer=idp.issuer,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=CLIENT_SECRET,
    ) as url:
        idp.redirect_uri = f"{url}{CALLBACK}"
        async with httpx2.AsyncClient(base_url=url) as client:
            browser = Browser(client)
            answer = await browser.sign_in("/settings")
            assert answer.headers["location"] == "/settings"
            assert (await browser.me() or {})["email"] == ADA
            idp.change = claim("nonce", "another")
            assert reason(await browser.sign_in()) == "token"
            idp.client_secret = "changed at the provider"
            assert reason(await browser.sign_in()) == "provider"
    written = log.read_text()
    assert '"reason": "token"' in written
    assert '"cause": "nonce"' in written
    assert '"cause": "invalid_client"' in written
    assert [secret for secret in {*idp.secrets, CLIENT_SECRET} if secret in written] == []


def test_commands_do_not_pay_for_what_only_a_sign_in_needs() -> None:
    """aiohttp and joserfc take half a second and more to import."""
    asked = (
        "import sys, mindhit.cli.app, mindhit.wiring\n"
        "from mindhit import wiring\n"
        "from mindhit.api.app import create_app\n"
        "create_app(wiring.product(wiring.make_settings()))\n"
        "print(sorted({'aiohttp', 'authlib', 'cryptography', 'joserfc'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env=servers.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("half", "missing"),
    [
        ({"OIDC_ISSUER": "https://id.example"}, "MINDHIT_OIDC_CLIENT_ID"),
        ({"OIDC_CLIENT_ID": "mindhit"}, "MINDHIT_OIDC_ISSUER"),
        ({"OIDC_CLIENT_SECRET": "hunter2"}, "MINDHIT_OIDC_ISSUER"),
        ({"PASSWORD_SIGN_IN": "false"}, "nobody could sign in"),
    ],
)
def test_incomplete_credentials_are_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, half: dict[str, str], missing: str
) -> None:
    monkeypatch.setenv("MINDHIT_DATA_DIR", str(tmp_path))
    for name, value in half.items():
        monkeypatch.setenv(f"MINDHIT_{name}", value)
    with pytest.raises(SettingsInvalid, match=missing) as refused:
        load()
    assert "hunter2" not in str(refused.value)


def test_complete_credentials_are_accepted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINDHIT_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("MINDHIT_OIDC_ISSUER", "https://id.example")
    monkeypatch.setenv("MINDHIT_OIDC_CLIENT_ID", "mindhit")
    monkeypatch.setenv("MINDHIT_PASSWORD_SIGN_IN", "false")
    assert load()[AccountsSettings].oidc_client_id == "mindhit"
