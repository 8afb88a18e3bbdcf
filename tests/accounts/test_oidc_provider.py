"""What a provider says and whether it is believed; what becomes of a sign-in where it fails."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from joserfc.errors import SecurityWarning
from joserfc.jwk import RSAKey

from mindhit.accounts import Person
from mindhit.accounts.oidc import Provider, ProviderFailed, http
from mindhit.db import Database
from tests import servers
from tests.accounts.oidc_kit import ADA, Site, claim, open_site, reason, without
from tests.accounts.provider import CLIENT_ID, CLIENT_SECRET, KEYS, Claims, Idp, b64


@pytest.fixture
async def site(db: Database) -> AsyncIterator[Site]:
    async with open_site(db) as site:
        yield site


@pytest.fixture
async def ada(site: Site) -> Person:
    return await site.add(ADA)


@pytest.mark.parametrize("alg", ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"])
async def test_good_signatures_are_believed(site: Site, ada: Person, alg: str) -> None:
    site.idp.alg = alg
    assert (await site.sign_in()).headers["location"] == "/"


def from_now(name: str, seconds: int) -> Any:
    return lambda claims: {**claims, name: int(time.time()) + seconds}


LIES = {
    "other nonce": claim("nonce", "x" * 43),
    "no nonce": without("nonce"),
    "other audience": claim("aud", "somebody-else"),
    "other audiences": claim("aud", ["somebody-else", "and-another"]),
    "no audience": without("aud"),
    "for several, and not said for whom": claim("aud", [CLIENT_ID, "somebody-else"]),
    "made for another": claim("azp", "somebody-else"),
    "other issuer": claim("iss", "http://127.0.0.1:1"),
    "issuer with a slash": lambda claims: {**claims, "iss": claims["iss"] + "/"},
    "no issuer": without("iss"),
    "expired": from_now("exp", -120),
    "never expires": without("exp"),
    "never expires, in other words": claim("exp", float("nan")),
    "from the future": from_now("iat", 7200),
    "not said when": without("iat"),
    "nobody": without("sub"),
    "no name": claim("sub", ""),
    "a name with a zero byte": claim("sub", "subject\0"),
    "half a character": claim("sub", "\ud800"),
    "a name that is no string": claim("sub", 1),
    "a name without end": claim("sub", "s" * 256),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
async def test_a_token_that_is_not_for_us_now_is_not_believed(
    site: Site, ada: Person, lie: Any
) -> None:
    site.idp.change = lie
    assert reason(await site.sign_in()) == "token"
    assert await site.events(ada) == ["account_created"]


@pytest.mark.parametrize(
    "truth",
    [
        from_now("exp", -10),
        from_now("iat", 30),
        claim("aud", [CLIENT_ID]),
        lambda claims: {**claims, "aud": [CLIENT_ID, "somebody-else"], "azp": CLIENT_ID},
    ],
)
async def test_clocks_may_differ_and_audiences_be_lists(
    site: Site, ada: Person, truth: Any
) -> None:
    site.idp.change = truth
    assert (await site.sign_in()).headers["location"] == "/"


FORGERIES = {
    "not signed": Idp.unsigned,
    "signed with the public key": Idp.signed_with_what_everybody_knows,
    "changed afterwards": lambda idp, claims: _swap(
        idp.sign(claims), {**claims, "email": "owner@example.org"}
    ),
    "not a token": lambda _idp, _claims: "not.a.token",
    "empty": lambda _idp, _claims: "",
}


def _swap(token: str, claims: Claims) -> str:
    head, _, signature = token.split(".")
    return f"{head}.{b64(json.dumps(claims).encode())}.{signature}"


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())
async def test_a_token_that_the_provider_did_not_sign_is_not_believed(
    site: Site, ada: Person, forge: Any
) -> None:
    site.idp.forge = lambda claims: forge(site.idp, claims)
    assert reason(await site.sign_in()) == "token"
    assert await site.events(ada) == ["account_created"]


async def test_a_new_key_is_fetched(site: Site, ada: Person) -> None:
    await site.sign_in()
    assert site.idp.calls["jwks"] == 1
    site.idp.key = RSAKey.generate_key(2048, auto_kid=True)
    assert (await site.sign_in()).headers["location"] == "/"
    assert site.idp.calls["jwks"] == 2


async def test_a_key_that_nobody_published_is_not_believed(site: Site, ada: Person) -> None:
    site.idp.published = [KEYS["RS256"].as_dict(private=False)]
    site.idp.key = RSAKey.generate_key(2048, auto_kid=True)
    assert reason(await site.sign_in()) == "token"
    assert site.idp.calls["jwks"] == 2


async def test_a_new_key_under_the_name_of_the_old_is_fetched(site: Site, ada: Person) -> None:
    site.idp.key = RSAKey.generate_key(2048, {"kid": "the only one"})
    await site.sign_in()
    site.idp.key = RSAKey.generate_key(2048, {"kid": "the only one"})
    assert (await site.sign_in()).headers["location"] == "/"


async def test_keys_that_cannot_be_used_are_passed_over(site: Site, ada: Person) -> None:
    mine = KEYS["RS256"].as_dict(private=False)
    strange = [{"kty": "ML-DSA"}, {"kty": "EC", "crv": "P-1"}, {"kty": "RSA"}, {}]
    site.idp.published = [*strange, mine]
    assert (await site.sign_in()).headers["location"] == "/"


async def test_a_short_key_is_not_believed(site: Site, ada: Person) -> None:
    with pytest.warns(SecurityWarning):
        site.idp.key = RSAKey.generate_key(1024, auto_kid=True)
    assert reason(await site.sign_in()) == "token"


async def test_what_the_provider_says_of_itself_is_kept_for_an_hour(
    site: Site, ada: Person
) -> None:
    now = 0.0
    site.app.state.oidc = Provider(site.settings(), lambda: now)
    for _ in range(2):
        await site.sign_in()
    assert (site.idp.calls["discovery"], site.idp.calls["jwks"]) == (1, 1)
    now = 3601.0
    await site.sign_in()
    assert (site.idp.calls["discovery"], site.idp.calls["jwks"]) == (2, 2)


@pytest.mark.parametrize(
    ("offered", "secret", "used"),
    [
        (["client_secret_basic", "client_secret_post"], CLIENT_SECRET, "client_secret_basic"),
        (None, CLIENT_SECRET, "client_secret_basic"),
        (["client_secret_post", "private_key_jwt"], CLIENT_SECRET, "client_secret_post"),
        (["none"], None, "none"),
    ],
)
async def test_we_show_who_we_are_as_the_provider_wants_it(
    site: Site, ada: Person, offered: list[str] | None, secret: str | None, used: str
) -> None:
    site.idp.about["token_endpoint_auth_methods_supported"] = offered
    site.idp.client_secret = secret
    site.configure(oidc_client_secret=secret)
    assert (await site.sign_in()).headers["location"] == "/"
    assert site.idp.client_auth == [used]


async def test_a_secret_is_not_given_in_a_way_that_was_not_offered(site: Site, ada: Person) -> None:
    site.idp.about["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
    assert reason(await site.sign_in()) == "provider"
    assert site.idp.calls["token"] == 0


async def test_a_wrong_secret_is_the_operators_to_fix(site: Site, ada: Person) -> None:
    site.configure(oidc_client_secret="another")
    assert reason(await site.sign_in()) == "provider"


async def test_the_slash_at_the_end_of_an_issuer_is_the_providers_choice(
    site: Site, ada: Person
) -> None:
    site.idp.issuer += "/"
    assert (await site.sign_in()).headers["location"] == "/"
    site.configure(oidc_issuer=site.idp.issuer)
    assert (await site.sign_in()).headers["location"] == "/"
    assert (await site.events(ada)).count("identity_linked") == 1


@pytest.mark.parametrize(
    "about",
    [
        {"issuer": "http://somebody.example"},
        {"issuer": None},
        {"token_endpoint": "ftp://somebody.example"},
        {"jwks_uri": None},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
async def test_a_provider_that_describes_itself_wrongly_is_not_used(
    site: Site, about: Claims
) -> None:
    site.idp.about = about
    async with site.browser() as browser:
        assert reason(await browser.start()) == "provider"


async def test_a_provider_behind_tls_does_not_lead_out_of_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = "https://id.example"
    about = {
        "issuer": base,
        "authorization_endpoint": f"{base}/authorize",
        "token_endpoint": f"{base}/token",
        "jwks_uri": f"{base}/jwks",
    }

    async def answer(*_: object, **__: object) -> http.Answer:
        return http.Answer(200, json.dumps(about).encode())

    monkeypatch.setattr(http, "ask", answer)  # nobody here has a certificate for id.example
    site.configure(oidc_issuer=base)
    assert (await Provider(site.settings()).address("s", "n", "v")).startswith(base)
    about["token_endpoint"] = "http://id.example/token"
    with pytest.raises(ProviderFailed):
        await Provider(site.settings()).address("s", "n", "v")


def be_impatient_with(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only with the part that never answers: on a busy machine the others may take a second."""
    ask, patience_s = http.ask, http.TIMEOUT_S
    ends = {"discovery": "openid-configuration"}.get(part, part)

    async def impatient(named: str, url: str, **more: Any) -> http.Answer:
        monkeypatch.setattr(http, "TIMEOUT_S", 0.3 if url.endswith(ends) else patience_s)
        return await ask(named, url, **more)

    monkeypatch.setattr(http, "ask", impatient)


@pytest.mark.parametrize("part", ["discovery", "jwks", "token", "userinfo"])
@pytest.mark.parametrize("how", ["html", "huge", "elsewhere", "never"])
async def test_a_failing_provider_is_reported(
    site: Site, ada: Person, monkeypatch: pytest.MonkeyPatch, part: str, how: str
) -> None:
    site.idp.in_token = ()  # userinfo is needed as well
    getattr(site.idp, how).add(part)
    if how == "never":
        be_impatient_with(part, monkeypatch)
    async with asyncio.timeout(20), site.browser() as browser:
        answer = await browser.start()
        if part != "discovery":
            answer = await browser.sign_in()
    assert reason(answer) == "provider"
    assert not any(called.startswith("caught") for called in site.idp.calls)
    getattr(site.idp, how).clear()
    monkeypatch.undo()
    assert (await site.sign_in()).headers["location"] == "/"


async def test_an_unreachable_provider_is_reported(site: Site) -> None:
    site.configure(oidc_issuer=f"http://127.0.0.1:{servers.free_port()}")
    async with site.browser() as browser:
        assert reason(await browser.start()) == "provider"


async def test_an_endpoint_with_a_query_keeps_it(site: Site) -> None:
    site.idp.about["authorization_endpoint"] = f"{site.idp.issuer}/authorize?tenant=7"
    url = await Provider(site.settings()).address("s", "n", "v")
    assert url.startswith(f"{site.idp.issuer}/authorize?tenant=7&response_type=code&")


@pytest.mark.parametrize(
    ("error", "said"),
    [("access_denied", "denied"), ("server_error", "provider"), ("\nforged line", "provider")],
)
async def test_who_comes_back_with_an_error_reads_why(site: Site, error: str, said: str) -> None:
    site.idp.refuses = error
    assert reason(await site.sign_in()) == said
