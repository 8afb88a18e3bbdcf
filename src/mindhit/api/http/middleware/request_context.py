"""Around every request: its id, a log line, metrics, and an answer even if it crashes."""

from __future__ import annotations

import re
import time
import uuid
from typing import Final

from prometheus_client import Counter, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mindhit import log
from mindhit.api.http.problems import BUG, problem

_log = log.get(__name__)
_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
# Called every few seconds; not logged.
QUIET: Final = frozenset({"/healthz", "/readyz", "/metrics"})

REQUESTS = Counter("mindhit_http_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram("mindhit_http_request_seconds", "Time to answer a request.", ["route"])


class RequestContext:
    """Outside of all layers that can fail. A well-formed `X-Request-Id` of the caller is kept."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        with log.bind(request_id=request_id):
            await self._answer(scope, receive, send, request_id)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        status = 0
        began = time.perf_counter()

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception:
            _log.exception("request broke", method=scope["method"], path=scope["path"])
            if status:  # part of it is sent: close the connection, or it would look complete
                raise
            await problem(500, BUG, kind="broken")(scope, receive, send_with_id)
        finally:
            _record(scope, status, time.perf_counter() - began)


def _record(scope: Scope, status: int, seconds: float) -> None:
    # The route's template, not the path: ids must not become metric labels.
    route = getattr(scope.get("route"), "path", "(none)")
    if scope["path"].startswith("/v1/") and not route.startswith("/v1/"):
        route = f"/v1{route}"  # a router knows only its own part of the path
    REQUESTS.labels(scope["method"], route, str(status)).inc()
    SECONDS.labels(route).observe(seconds)
    if scope["path"] not in QUIET:
        is_call = scope["path"].startswith("/v1/") or status >= 400
        (_log.info if is_call else _log.debug)(
            "request",
            method=scope["method"],
            path=scope["path"],
            status=status,
            ms=round(seconds * 1000, 1),
        )
