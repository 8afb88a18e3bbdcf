"""The largest request body: the setting `body_limit`, of a body as it is sent. What a compressed batch of
events may grow to is limited in `tracking/protocol.py`."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mindhit.api.http.problems import from_error
from mindhit.errors import TooLarge


class BodyLimit:
    """Refuses larger bodies: by their Content-Length, or as soon as too much has come. `larger` has the
    limits of paths that take files, which their routes read in parts."""

    def __init__(self, app: ASGIApp, limit: int, larger: Mapping[str, int]) -> None:
        self._app = app
        self._limit = limit
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._larger.get(scope["path"], self._limit)
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdigit() and int(declared) > limit:
            await self._refusal(limit)(scope, receive, send)
            return
        await self._count(scope, receive, send, limit)

    def _refusal(self, limit: int) -> Response:
        refusal = from_error(TooLarge(f"A request body can have at most {limit} bytes."))
        refusal.headers["Connection"] = "close"  # the rest of the body is not read
        return refusal

    async def _count(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise TooLarge
            return message

        async def unless_refused(message: Message) -> None:
            # FastAPI turns any error raised while it reads a body into a 400 of its own.
            if seen <= limit:
                await send(message)

        try:
            await self._app(scope, counted, unless_refused)
        except TooLarge:
            if seen <= limit:
                raise
        if seen > limit:
            await self._refusal(limit)(scope, receive, send)
