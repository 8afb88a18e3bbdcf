"""The web app's files: packed for whoever takes them so, and cached for ever."""

from __future__ import annotations

import gzip
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from mindhit import wiring
from mindhit.api import web
from mindhit.api.app import create_app

SCRIPT = b"export const answer = 42;\n" * 100
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    assets = tmp_path / "assets"
    assets.mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (assets / "app.js").write_bytes(SCRIPT)
    (assets / "app.js.gz").write_bytes(gzip.compress(SCRIPT))
    (assets / "icon.svg").write_bytes(b"<svg/>")
    app = FastAPI()
    web.mount(app, tmp_path)
    return app


async def get(app: FastAPI, path: str, **headers: str) -> httpx2.Response:
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://mindhit.test") as client:
        return await client.get(path, headers=headers)


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "gzip"),
        ("br,GZIP", "gzip"),
        ("*", "gzip"),
        ("br", None),
        ("gzip;q=0", None),
        ("", None),
    ],
)
async def test_a_script_comes_packed_to_whoever_takes_it_so(
    app: FastAPI, accepted: str, encoding: str | None
) -> None:
    answer = await get(app, "/assets/app.js", **{"Accept-Encoding": accepted})
    assert answer.headers.get("content-encoding") == encoding
    assert answer.content == SCRIPT
    assert answer.headers["content-type"].startswith("text/javascript")
    assert (answer.headers["vary"], answer.headers["cache-control"]) == (
        "Accept-Encoding",
        FOR_EVER,
    )


async def test_what_is_not_packed_and_what_is_not_there(app: FastAPI) -> None:
    picture = await get(app, "/assets/icon.svg", **{"Accept-Encoding": "gzip"})
    assert (picture.status_code, picture.content) == (200, b"<svg/>")
    assert "content-encoding" not in picture.headers
    for name in ("gone.js", "x" * 300, "x%00y", "%2e%2e%2findex.html"):
        gone = await get(app, f"/assets/{name}", **{"Accept-Encoding": "gzip"})
        assert gone.status_code == 404, name


async def test_a_packed_script_that_is_known_is_not_sent_again(app: FastAPI) -> None:
    first = await get(app, "/assets/app.js", **{"Accept-Encoding": "gzip"})
    again = await get(
        app,
        "/assets/app.js",
        **{"Accept-Encoding": "gzip", "If-None-Match": first.headers["etag"]},
    )
    assert (again.status_code, again.content) == (304, b"")


async def test_pages_and_errors_do_not_need_the_description_of_the_api() -> None:
    """It takes seconds to make, and whoever opens the first page would wait for it, and all others too."""
    app = create_app(wiring.product(wiring.make_settings()))
    assert (await get(app, "/welcome")).status_code == 200
    assert (await get(app, "/v1/nothing")).status_code == 404
    unknown = await get(app, "/v1/auth/sign-in")
    assert (unknown.status_code, unknown.headers["allow"]) == (405, "POST")
    assert app.openapi_schema is None
    assert (await get(app, "/openapi.json")).json()["paths"]["/v1/auth/sign-in"]
