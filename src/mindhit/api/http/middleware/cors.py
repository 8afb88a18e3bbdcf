"""Cross-origin calls: from connected extensions, named by their exact origins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from mindhit.api.http.problems import problem

METHODS: Final = ("GET", "POST", "PATCH", "PUT", "DELETE")
REQUEST_HEADERS: Final = ("authorization", "content-encoding", "content-type", "if-none-match")
RESPONSE_HEADERS: Final = ("etag", "retry-after", "x-request-id", "ratelimit-remaining")
PREFLIGHT_VALID_S: Final = 600


class Cors(CORSMiddleware):
    """Allows these origins. A refused preflight is a problem document too."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=METHODS,
            allow_headers=REQUEST_HEADERS,
            expose_headers=RESPONSE_HEADERS,
            max_age=PREFLIGHT_VALID_S,
        )

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        return problem(400, bytes(response.body).decode(), headers={"Vary": "Origin"})
