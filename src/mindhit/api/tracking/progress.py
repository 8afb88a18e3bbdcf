"""Live progress of a session while it is recorded and processed, by server-sent events.

    event: progress    id: the session's version    data: what `Progress` has
    event: end         data: {"status": …}          completed, failed or deleted
    : alive            a heartbeat, so that no proxy closes an idle connection

The session's version is queried by its key every `POLL_S`, and no database connection is held in
between: a thousand watchers cost a thousand small queries a second, and no slot of the pool. A
browser that reconnects sends the id it saw last and gets only what is new. Every `SIGNED_IN_S` it is
checked whether the watcher is still signed in; if not, the stream ends. It also ends, without `end`,
after `LONGEST_S`, and the browser reconnects by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Annotated, Final, cast
from uuid import UUID

from fastapi import APIRouter, Header, Request
from fastapi.responses import Response, StreamingResponse

from mindhit import tracking
from mindhit.api.http.authentication import SIGNED_IN, RecorderCaller, StillSignedIn
from mindhit.api.http.dependencies import Db, LiveStreams
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import document, encode
from mindhit.api.http.streams import TooManyStreams
from mindhit.db import Database, DatabaseUnavailable
from mindhit.tracking import SessionId, SessionNotFound, Status, shapes

router = APIRouter(tags=["sessions"], responses=SIGNED_IN)
POLL_S: Final = 1.0
HEARTBEAT_S: Final = 15.0
SIGNED_IN_S: Final = 5.0
LONGEST_S: Final = 600.0
RETRY_MS: Final = 2_000  # how soon a browser reconnects
_OVER: Final = frozenset({Status.COMPLETED, Status.FAILED})
document(shapes.Progress)
# The OpenAPI schema of a stream is that of one event.
EVENT: Final = {
    "type": "object",
    "properties": {
        "event": {"type": "string", "enum": ["progress", "end"]},
        "id": {"type": "string"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["event", "data"],
}


@router.get(
    "/sessions/{session_id}/progress",
    summary="Watch a session live",
    response_class=Response,
    responses={
        200: {
            "description": "Events `progress` (its data is a `Progress`) and `end`.",
            "content": {"text/event-stream": {"schema": EVENT}},
        },
        **documented(SessionNotFound, TooManyStreams),
    },
)
async def watch(
    request: Request,
    db: Db,
    caller: RecorderCaller,
    is_signed_in: StillSignedIn,
    streams: LiveStreams,
    session_id: UUID,
    last_event_id: Annotated[str, Header(max_length=100)] = "",
) -> StreamingResponse:
    wanted = SessionId(session_id)
    if await tracking.version_of(db, caller.user_id, wanted) is None:
        raise SessionNotFound
    watcher = _Watcher(db, caller.user_id, wanted, _version(last_event_id), is_signed_in)
    stopping = cast("asyncio.Event", request.app.state.stopping)
    return streams.respond(caller.user_id, watcher.events(stopping))


def _version(last_event_id: str) -> int | None:
    is_number = last_event_id.isascii() and last_event_id.isdigit()
    return int(last_event_id) if is_number else None


class _Watcher:
    """One watcher of one session, and what they saw last."""

    def __init__(
        self,
        db: Database,
        user_id: UUID,
        session_id: SessionId,
        seen: int | None,
        is_signed_in: Callable[[], Awaitable[bool]],
    ) -> None:
        self._db = db
        self._user_id = user_id
        self._session_id = session_id
        self._seen = seen
        self._is_signed_in = is_signed_in
        self._status: str | None = None
        self._is_first = True

    async def events(self, stopping: asyncio.Event) -> AsyncIterator[bytes]:
        began = last_sent = last_checked = monotonic()
        yield b"retry: %d\n\n" % RETRY_MS
        while not stopping.is_set() and monotonic() - began < LONGEST_S:
            if monotonic() - last_checked >= SIGNED_IN_S:
                if await self._is_signed_out():
                    return
                last_checked = monotonic()
            if (news := await self._news()) is not None:
                last_sent = monotonic()
                yield news
            if self._status is not None:
                yield b'event: end\ndata: {"status":"%b"}\n\n' % self._status.encode()
                return
            if monotonic() - last_sent >= HEARTBEAT_S:
                last_sent = monotonic()
                yield b": alive\n\n"
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), POLL_S)

    async def _is_signed_out(self) -> bool:
        try:
            return not await self._is_signed_in()
        except DatabaseUnavailable:  # checked again soon; until then there is no news either
            return False

    async def _news(self) -> bytes | None:
        """What has changed since the last time, if anything; sets `_status` when it is over."""
        which = self._user_id, self._session_id
        try:
            is_first, self._is_first = self._is_first, False
            if not is_first and await tracking.version_of(self._db, *which) == self._seen:
                return None
            async with self._db.read() as tx:
                progress = await tracking.show_progress(tx, *which)
        except DatabaseUnavailable:  # the next poll has the news
            return None
        except SessionNotFound:
            self._status = "deleted"
            return None
        was_seen, self._seen = self._seen == progress.version, progress.version
        if progress.status in _OVER:
            self._status = progress.status
        if was_seen:  # after a reconnect; all that may be new is that it is over
            return None
        return b"event: progress\nid: %d\ndata: %b\n\n" % (
            progress.version,
            encode(progress),
        )
