"""Answers that go on for minutes: how many of them one person may have at once, the setting
`streams_per_person`."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from typing import Final
from uuid import UUID

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from mindhit.errors import TooMany

RETRY_S: Final = 10
# No proxy and no browser may keep or collect events.
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class TooManyStreams(TooMany):
    """Too many live views are open. Close some of them."""


class Streams:
    def __init__(self, per_person: int) -> None:
        self._per_person = per_person
        self._open: Counter[UUID] = Counter()

    def respond(self, user_id: UUID, events: AsyncIterator[bytes]) -> StreamingResponse:
        """A stream of events. Raises `TooManyStreams`."""
        if self._open[user_id] >= self._per_person:
            raise TooManyStreams(RETRY_S)
        self._open[user_id] += 1
        return _Stream(self, user_id, events)

    def close(self, user_id: UUID) -> None:
        self._open[user_id] -= 1
        if self._open[user_id] <= 0:
            del self._open[user_id]


class _Stream(StreamingResponse):
    def __init__(self, streams: Streams, user_id: UUID, events: AsyncIterator[bytes]) -> None:
        super().__init__(events, media_type="text/event-stream", headers=HEADERS)
        self._streams = streams
        self._user_id = user_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.close(self._user_id)
