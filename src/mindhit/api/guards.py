"""Layers that every answer passes: whole answers, size and rate limits, origins, headers, ETags.

Each is a small ASGI class of one duty; `app.py` puts them in order.
"""

from __future__ import annotations

import hashlib
import math
import time
from typing import Final

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mindhit.accounts import network_of
from mindhit.api.problems import from_error, problem
from mindhit.errors import TooLarge, TooMany

# Everything only from our own files, pictures within a page as well: what is fetched from elsewhere
# would tell who looks at what. Nothing is embedded and nobody embeds us.
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


class WholeAnswers:
    """HEAD is GET without the body, and every answer is whole: a range is not looked at."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = [(name, value) for name, value in scope["headers"] if name != b"range"]
        is_head = scope["method"] == "HEAD"
        is_done = False

        async def without_body(message: Message) -> None:
            nonlocal is_done
            if is_done:  # of a stream that has not heard yet that nobody listens
                return
            if message["type"] == "http.response.body":
                is_done = True
                message = {**message, "body": b"", "more_body": False}
            await send(message)

        await self._app(
            {**scope, "headers": headers, "method": "GET" if is_head else scope["method"]},
            receive,
            without_body if is_head else send,
        )


class ExactOrigins(CORSMiddleware):
    """Cross-origin calls from the named origins; a refused preflight is a problem document too."""

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        return problem(400, bytes(response.body).decode(), headers={"Vary": "Origin"})


class BodyLimit:
    """Refuses bodies larger than `limit` bytes: by their header, or as soon as they are."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdigit() and int(declared) > self._limit:
            await self._refusal()(scope, receive, send)
            return
        await self._count(scope, receive, send)

    def _refusal(self) -> Response:
        refusal = from_error(TooLarge(f"A request body may have {self._limit} bytes here."))
        refusal.headers["Connection"] = "close"  # the rest of the body is not read
        return refusal

    async def _count(self, scope: Scope, receive: Receive, send: Send) -> None:
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._limit:
                raise TooLarge
            return message

        async def unless_refused(message: Message) -> None:
            # FastAPI turns whatever goes wrong while it reads a body into a 400 of its own.
            if seen <= self._limit:
                await send(message)

        try:
            await self._app(scope, counted, unless_refused)
        except TooLarge:
            if seen <= self._limit:
                raise
        if seen > self._limit:
            await self._refusal()(scope, receive, send)


class RateLimit:
    """So many requests a minute from one address, over a moving window, in this process."""

    def __init__(self, app: ASGIApp, per_minute: int) -> None:
        self._app = app
        self._item = RateLimitItemPerMinute(max(per_minute, 1))
        self._on = per_minute > 0
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._on or scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            await self._app(scope, receive, send)
            return
        client = network_of((scope.get("client") or ("unknown",))[0])
        # A page full of icons asks for each of them: they use up nothing of what calls may.
        kind = "icons" if scope["path"].startswith("/v1/icons/") else "calls"
        allowed = await self._limiter.hit(self._item, client, kind)
        window = await self._limiter.get_window_stats(self._item, client, kind)
        reset_s = max(1, math.ceil(window.reset_time - time.time()))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["RateLimit-Limit"] = str(self._item.amount)
                headers["RateLimit-Remaining"] = str(window.remaining)
                headers["RateLimit-Reset"] = str(reset_s)
            await send(message)

        if allowed:
            await self._app(scope, receive, send_with_headers)
        else:
            await from_error(TooMany(reset_s))(scope, receive, send_with_headers)


class SecurityHeaders:
    """Headers that hold a browser to what our pages are meant to do."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._headers = {
            "Content-Security-Policy": CONTENT_SECURITY_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
            "Cross-Origin-Opener-Policy": "same-origin",
        }
        if https:
            self._headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/v1/"):
                    headers.setdefault("Cache-Control", "private, no-cache")
            await send(message)

        await self._app(scope, receive, send_with_headers)


class ETags:
    """An ETag on every whole JSON answer to a GET, and 304 to a caller who has it already."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        wanted = Headers(scope=scope).get("if-none-match", "")
        start: Message | None = None

        async def tagged(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_json(message):
                start = message  # held back until the body is known
                return
            if start is not None:
                begun, start = start, None
                if not message.get("more_body", False):
                    begun, message = _with_tag(begun, message, wanted)
                await send(begun)
            await send(message)

        await self._app(scope, receive, tagged)


def _is_json(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "")
    return start["status"] == 200 and kind.startswith("application/json")


def _with_tag(start: Message, body: Message, wanted: str) -> tuple[Message, Message]:
    tag = f'"{hashlib.blake2b(body.get("body", b""), digest_size=12).hexdigest()}"'
    MutableHeaders(scope=start)["ETag"] = tag
    known = {each.strip().removeprefix("W/") for each in wanted.split(",")}
    if tag not in known and "*" not in known:
        return start, body
    headers = MutableHeaders(scope=start)
    for name in ("content-length", "content-type"):
        del headers[name]
    return {**start, "status": 304}, {**body, "body": b""}
