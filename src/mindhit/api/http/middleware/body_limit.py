"""The largest request body, as it is sent: 1 MiB, which the framework parses in a few milliseconds. Routes
that read their bodies by themselves, in parts or in a thread, may be sent more. What a compressed batch
of events may grow to is limited in `tracking/protocol.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mindhit.api.http.problems import from_error
from mindhit.errors import TooLarge

ORDINARY_BYTES: Final = 1024 * 1024
# Values of JSON, as far as commas tell; a note may have 100,000 characters. Parsing and checking half a million of
# them takes 0.1 s, without a pause.
MOST_PARTS: Final = 110_000
DISCARDED_BYTES: Final = 16 * 1024 * 1024


class BodyLimit:
    """Refuses larger bodies: by their Content-Length, or as soon as too much has come. `larger` has the
    limits of paths that may be sent more, by how they end."""

    def __init__(self, app: ASGIApp, limit: int, larger: Mapping[str, int]) -> None:
        self._app = app
        self._limit = min(limit, ORDINARY_BYTES)
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit_of(scope["path"])
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdigit() and int(declared) > limit:
            await _discard(receive)
            await self._refuse(scope, receive, send, limit)
            return
        await self._count(scope, receive, send, limit)

    def _limit_of(self, path: str) -> int:
        return next((size for end, size in self._larger.items() if path.endswith(end)), self._limit)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        refusal = from_error(TooLarge(f"A request body can have at most {limit} bytes."))
        refusal.headers["Connection"] = "close"  # there may be more of it
        await refusal(scope, receive, send)

    async def _count(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        size, parts, has_more = 0, 0, True
        is_ordinary = limit == self._limit

        def is_too_much() -> bool:
            return size > limit or (is_ordinary and parts > MOST_PARTS)

        async def counted() -> Message:
            nonlocal size, parts, has_more
            message = await receive()
            has_more = message.get("more_body", False)
            body = message.get("body", b"")
            size += len(body)
            parts += body.count(b",") if is_ordinary else 0
            if is_too_much():
                raise TooLarge
            return message

        async def unless_refused(message: Message) -> None:
            # FastAPI turns any error raised while it reads a body into a 400 of its own.
            if not is_too_much():
                await send(message)

        try:
            await self._app(scope, counted, unless_refused)
        except TooLarge:
            if not is_too_much():
                raise
        if is_too_much():
            if has_more:  # otherwise nothing comes, and we would wait for it
                await _discard(receive)
            await self._refuse(scope, receive, send, limit)


async def _discard(receive: Receive) -> None:
    """Take what the client is sending: answered before, it would find its connection reset, and no answer."""
    size, has_more = 0, True
    while has_more and size < DISCARDED_BYTES:
        message = await receive()
        size += len(message.get("body", b""))
        has_more = message.get("more_body", False)  # not where the client has gone
