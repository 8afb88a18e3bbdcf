"""HEAD requests and Range headers, of which most routes know nothing."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATE_KEY = "is_head"


class HeadAndRange:
    """HEAD is GET without the body; a route that would do much for a body finds `is_head` in the request's
    state. A range is ignored, so that every answer is whole, except where a path ends as one of `ranged`."""

    def __init__(self, app: ASGIApp, ranged: Sequence[str] = ()) -> None:
        self._app = app
        self._ranged = tuple(ranged)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = scope["headers"]
        if not scope["path"].endswith(self._ranged):
            headers = [(name, value) for name, value in headers if name != b"range"]
        is_head = scope["method"] == "HEAD"
        is_done = False

        async def without_body(message: Message) -> None:
            nonlocal is_done
            if is_done:  # from a stream that does not know yet that nobody reads it
                return
            if message["type"] == "http.response.body":
                is_done = True
                message = {**message, "body": b"", "more_body": False}
            await send(message)

        await self._app(
            {
                **scope,
                "headers": headers,
                "method": "GET" if is_head else scope["method"],
                "state": {**scope.get("state", {}), STATE_KEY: is_head},
            },
            receive,
            without_body if is_head else send,
        )
