"""A session while it is recorded and processed, by server-sent events.

    event: progress    id: the session's version    data: what `Progress` has
    event: end         data: {"status": …}          completed, failed or deleted
    : alive            every 15 seconds, so that no proxy takes the line for dead

The row is asked by its key about once a second, and no connection to the database is held between:
a thousand watchers cost a thousand small questions, and no slot of the pool. A browser that comes
back says what it saw last, and hears only what is new. Every five seconds it is asked whether the
watcher is still signed in; whoever is not any more hears nothing further. After ten minutes the
stream ends without an end in any case, and the browser comes back by itself.
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
from mindhit.api import access
from mindhit.api.access import ACCESS, Db
from mindhit.api.problems import documented
from mindhit.db import Database, DatabaseAway
from mindhit.tracking import SessionId, SessionNotFound, Status, shapes

router = APIRouter(tags=["sessions"], responses=ACCESS)
POLL_S: Final = 1.0
HEARTBEAT_S: Final = 15.0
WHO_S: Final = 5.0
LONGEST_S: Final = 600.0
_OVER: Final = frozenset({Status.COMPLETED, Status.FAILED})
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
# Of a stream, the document's schema is that of one event.
_EVENT: Final = {
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
    summary="Watch a session",
    response_class=Response,
    responses={
        200: {
            "description": "Events `progress` (its data is a `Progress`) and `end`.",
            "content": {"text/event-stream": {"schema": _EVENT}},
        },
        **documented(SessionNotFound),
    },
)
async def watch(
    request: Request,
    db: Db,
    caller: access.Recorder,
    is_in: access.StillIn,
    session_id: UUID,
    last_event_id: Annotated[str, Header(max_length=100)] = "",
) -> StreamingResponse:
    wanted = SessionId(session_id)
    if await tracking.version_of(db, caller.user_id, wanted) is None:
        raise SessionNotFound
    watcher = _Watcher(db, caller.user_id, wanted, _version(last_event_id), is_in)
    stopping = cast("asyncio.Event", request.app.state.stopping)
    return StreamingResponse(
        watcher.events(stopping), media_type="text/event-stream", headers=_HEADERS
    )


def _version(last_event_id: str) -> int | None:
    is_number = last_event_id.isascii() and last_event_id.isdigit()
    return int(last_event_id) if is_number else None


class _Watcher:
    """One watcher of one session: what they saw last, and when they last heard anything."""

    def __init__(
        self,
        db: Database,
        user_id: UUID,
        session_id: SessionId,
        seen: int | None,
        is_in: Callable[[], Awaitable[bool]],
    ) -> None:
        self._db = db
        self._user_id = user_id
        self._session_id = session_id
        self._seen = seen
        self._is_in = is_in
        self._status: str | None = None
        self._is_first = True

    async def events(self, stopping: asyncio.Event) -> AsyncIterator[bytes]:
        began = heard = known = monotonic()
        yield b"retry: 2000\n\n"
        while not stopping.is_set() and monotonic() - began < LONGEST_S:
            if monotonic() - known >= WHO_S:
                if await self._has_left():
                    return
                known = monotonic()
            if (news := await self._news()) is not None:
                heard = monotonic()
                yield news
            if self._status is not None:
                yield b'event: end\ndata: {"status":"%b"}\n\n' % self._status.encode()
                return
            if monotonic() - heard >= HEARTBEAT_S:
                heard = monotonic()
                yield b": alive\n\n"
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), POLL_S)

    async def _has_left(self) -> bool:
        try:
            return not await self._is_in()
        except DatabaseAway:  # asked again in a moment; until then there is no news either
            return False

    async def _news(self) -> bytes | None:
        """What has changed since the last look, if anything; and whether that was the last."""
        place = self._user_id, self._session_id
        try:
            is_first, self._is_first = self._is_first, False
            if not is_first and await tracking.version_of(self._db, *place) == self._seen:
                return None
            async with self._db.read() as tx:
                progress = await tracking.look(tx, *place)
        except DatabaseAway:  # it comes back, and then there will be news
            return None
        except SessionNotFound:
            self._status = "deleted"
            return None
        was_seen, self._seen = self._seen == progress.version, progress.version
        if progress.status in _OVER:
            self._status = progress.status
        if was_seen:  # whoever comes back has it; all that may be new is that it is over
            return None
        return b"event: progress\nid: %d\ndata: %b\n\n" % (
            progress.version,
            shapes.encode(progress),
        )
