"""Which requests may use the web app's cookie, where a browser sends no Origin."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from mindhit import wiring
from mindhit.api.http.csrf import ForeignOrigin, check_origin

SETTINGS = wiring.make_settings()


def request(method: str = "POST", **headers: str) -> Request:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(
        {
            "type": "http",
            "method": method,
            "scheme": "http",
            "path": "/v1/me/verify",
            "query_string": b"",
            "headers": [
                (name.encode(), value.encode())
                for name, value in {"host": "127.0.0.1:8787", **names}.items()
            ],
        }
    )


def test_fetch_metadata_stand_in_for_an_origin_only_from_the_same_origin() -> None:
    check_origin(request(sec_fetch_site="same-origin"), SETTINGS)
    # A page on another port or subdomain is of the same site: not ours all the same.
    for site in ("same-site", "cross-site", "none", "", "same-origin, same-site", "SAME-ORIGIN"):
        with pytest.raises(ForeignOrigin):
            check_origin(request(sec_fetch_site=site), SETTINGS)
    with pytest.raises(ForeignOrigin):
        check_origin(request(), SETTINGS)


def test_an_origin_counts_more_than_fetch_metadata() -> None:
    evil = request(origin="https://evil.example", sec_fetch_site="same-origin")
    with pytest.raises(ForeignOrigin):
        check_origin(evil, SETTINGS)
    with pytest.raises(ForeignOrigin):
        check_origin(request(origin="null", sec_fetch_site="same-origin"), SETTINGS)
    check_origin(request(origin="http://127.0.0.1:8787", sec_fetch_site="cross-site"), SETTINGS)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_what_changes_nothing_may_come_from_anywhere(method: str) -> None:
    check_origin(request(method, origin="https://evil.example"), SETTINGS)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_what_changes_something_may_not(method: str) -> None:
    with pytest.raises(ForeignOrigin):
        check_origin(request(method, origin="https://evil.example"), SETTINGS)
