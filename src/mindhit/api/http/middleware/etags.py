"""ETags: a caller who has an answer already gets 304 in place of its body."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONG_BODY: Final = 2**20


class ETags:
    """Tags every JSON answer to a GET that is sent in one piece."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        known_tags = Headers(scope=scope).get("if-none-match", "")
        start: Message | None = None

        async def tagged(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_json(message):
                start = message  # held back until the body is known
                return
            if start is not None:
                begun, start = start, None
                if not message.get("more_body", False):
                    begun, message = _with_tag(
                        begun, message, known_tags, await _tag_of(message.get("body", b""))
                    )
                await send(begun)
            await send(message)

        await self._app(scope, receive, tagged)


def _is_json(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "")
    return start["status"] == 200 and kind.startswith("application/json")


async def _tag_of(body: bytes) -> str:
    """A long body in a thread: hashing a megabyte takes a millisecond."""
    return await asyncio.to_thread(_hash, body) if len(body) > LONG_BODY else _hash(body)


def _hash(body: bytes) -> str:
    return f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'


def _with_tag(start: Message, body: Message, known_tags: str, tag: str) -> tuple[Message, Message]:
    MutableHeaders(scope=start)["ETag"] = tag
    known = {each.strip().removeprefix("W/") for each in known_tags.split(",")}
    if tag not in known and "*" not in known:
        return start, body
    headers = MutableHeaders(scope=start)
    for name in ("content-length", "content-type"):
        del headers[name]
    return {**start, "status": 304}, {**body, "body": b""}
