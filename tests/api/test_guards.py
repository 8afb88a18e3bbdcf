"""What surrounds every answer: ids, limits, ETags, security headers, exact origins."""

from __future__ import annotations

import httpx2

from mindhit import wiring
from mindhit.api.app import create_app
from mindhit.db import Database
from tests.api.conftest import ORIGIN, client_of

POLICY = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
]


async def test_every_answer_has_security_headers(client: httpx2.AsyncClient) -> None:
    for path in ("/", "/healthz", "/v1/about", "/v1/none", "/openapi.json", "/metrics"):
        headers = (await client.get(path)).headers
        assert headers["content-security-policy"].split("; ") == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "strict-transport-security" not in headers


async def test_https_is_remembered_only_where_there_is_https(db: Database) -> None:
    async with client_of(wiring.make_settings(base_url="https://mind.example"), db) as client:
        assert "strict-transport-security" in (await client.get("/healthz")).headers


async def test_a_known_etag_is_answered_with_304_and_no_body(client: httpx2.AsyncClient) -> None:
    first = await client.get("/v1/about")
    tag = first.headers["etag"]
    again = await client.get("/v1/about", headers={"If-None-Match": f'"other", W/{tag}'})
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["etag"] == tag
    other = await client.get("/v1/about", headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


async def test_errors_have_no_etag(client: httpx2.AsyncClient) -> None:
    assert "etag" not in (await client.get("/v1/nothing-here")).headers


async def test_the_rate_limit_counts_down_and_then_refuses(db: Database) -> None:
    async with client_of(wiring.make_settings(rate_limit=3), db) as client:
        left = [(await client.get("/v1/about")).headers["ratelimit-remaining"] for _ in range(3)]
        refused = await client.get("/v1/about")
        assert left == ["2", "1", "0"]
        assert refused.status_code == 429
        assert refused.headers["ratelimit-limit"] == "3"
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert refused.json()["type"] == "urn:mindhit:problem:too-many"
        assert (await client.get("/healthz")).status_code == 200


async def test_only_the_named_extension_may_call_across_origins(client: httpx2.AsyncClient) -> None:
    asked = {"Access-Control-Request-Method": "POST"}
    known = await client.options("/v1/about", headers={"Origin": ORIGIN, **asked})
    assert known.headers["access-control-allow-origin"] == ORIGIN
    for stranger in ("https://evil.example", ORIGIN + "x", "chrome-extension://", "null"):
        answer = await client.options("/v1/about", headers={"Origin": stranger, **asked})
        assert "access-control-allow-origin" not in answer.headers
        answer = await client.get("/v1/about", headers={"Origin": stranger})
        assert "access-control-allow-origin" not in answer.headers


async def test_a_refused_preflight_is_a_problem_document(client: httpx2.AsyncClient) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = await client.options("/v1/about", headers=asked)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"


async def test_head_is_get_without_the_body(client: httpx2.AsyncClient) -> None:
    for path in ("/", "/healthz", "/v1/about"):
        answer = await client.head(path)
        assert (answer.status_code, answer.content) == (200, b"")


async def test_a_range_is_not_looked_at(client: httpx2.AsyncClient) -> None:
    for asked in ("bytes=99999-", "bytes=abc", "lines=0-1", "bytes=0-1"):
        answer = await client.get("/favicon.svg", headers={"Range": asked})
        assert answer.status_code == 200


async def test_any_path_is_a_page_and_never_a_mistake(client: httpx2.AsyncClient) -> None:
    for path in ("/" + "a" * 300, "/" + "a" * 5000, "/%ff%fe", "/%00", "/a/../../b", "//x"):
        assert (await client.get(path)).status_code == 200


async def test_an_unknown_address_is_404_for_every_method(client: httpx2.AsyncClient) -> None:
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        assert (await client.request(method, "/v1/nope")).status_code == 404
    answer = await client.post("/sessions")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")


async def test_even_our_mistakes_carry_the_headers(db: Database) -> None:
    app = create_app(
        wiring.product(wiring.make_settings(extension_origins=(ORIGIN,), rate_limit=0)), db
    )
    app.state.product = None  # every route that asks who is calling breaks on this
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://mindhit.test") as client:
        answer = await client.get("/v1/jobs", headers={"Origin": ORIGIN, "Cookie": "mindhit=x"})
    assert answer.status_code == 500
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_request_id_is_kept_when_it_is_well_formed(client: httpx2.AsyncClient) -> None:
    kept = await client.get("/v1/about", headers={"X-Request-Id": "trace-12345678"})
    assert kept.headers["x-request-id"] == "trace-12345678"
    forged = await client.get("/v1/about", headers={"X-Request-Id": "a b\tc{}" * 20})
    assert len(forged.headers["x-request-id"]) == 32


async def test_the_web_app_is_served_at_every_address_of_its_own(
    client: httpx2.AsyncClient,
) -> None:
    for path in ("/", "/sessions/123", "/settings"):
        page = await client.get(path)
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["cache-control"] == "no-cache"
    for path in ("/v1", "/v1/", "/v1/sessions-no"):
        assert (await client.get(path)).status_code == 404


async def test_files_outside_the_web_app_are_out_of_reach(client: httpx2.AsyncClient) -> None:
    for path in ("/..%2f..%2fapp.py", "/%2e%2e/app.py", "/assets/..%2f..%2fapp.py", "/x%00y"):
        answer = await client.get(path)
        assert "create_app" not in answer.text
