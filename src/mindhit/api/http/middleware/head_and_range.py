"""HEAD requests and Range headers, which no route knows of."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAndRange:
    """HEAD is GET without the body. A range is ignored: every answer is whole."""

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
            if is_done:  # from a stream that does not know yet that nobody reads it
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
