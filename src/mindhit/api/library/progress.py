"""Live progress of an import, by server-sent events.

    event: progress    data: an `Import`, whenever it has changed
    event: end         data: {"status": …}, once it has ended
    : alive            a heartbeat, so that no proxy closes an idle connection

One small query every `POLL_S`, and no connection held in between. The stream ends when its watcher is
signed out, and after `LONGEST_S`; the browser then reconnects by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Final, cast
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from mindhit import library
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, StillSignedIn
from mindhit.api.http.dependencies import Db, LiveStreams
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import encode
from mindhit.api.http.streams import TooManyStreams
from mindhit.api.tracking.progress import (
    EVENT,
    HEARTBEAT_S,
    LONGEST_S,
    RETRY_MS,
    SIGNED_IN_S,
)
from mindhit.db import Database, DatabaseUnavailable
from mindhit.library import OVER, ImportId, ImportNotFound

router = APIRouter(tags=["library"], responses=SIGNED_IN)
POLL_S: Final = 0.5


@router.get(
    "/imports/{import_id}/progress",
    summary="Watch an import live",
    response_class=Response,
    responses={
        200: {
            "description": "Events `progress` (its data is an `Import`) and `end`.",
            "content": {"text/event-stream": {"schema": EVENT}},
        },
        **documented(ImportNotFound, TooManyStreams),
    },
)
async def watch(
    request: Request,
    db: Db,
    caller: PersonCaller,
    is_signed_in: StillSignedIn,
    streams: LiveStreams,
    import_id: UUID,
) -> StreamingResponse:
    id_ = ImportId(import_id)
    if await library.import_now(db, caller.user_id, id_) is None:
        raise ImportNotFound
    stopping = cast("asyncio.Event", request.app.state.stopping)
    return streams.respond(caller.user_id, _events(db, caller.user_id, id_, is_signed_in, stopping))


async def _events(
    db: Database,
    user_id: UUID,
    import_id: ImportId,
    is_signed_in: Callable[[], Awaitable[bool]],
    stopping: asyncio.Event,
) -> AsyncIterator[bytes]:
    began = last_sent = last_checked = monotonic()
    seen: library.Import | None = None
    yield b"retry: %d\n\n" % RETRY_MS
    while not stopping.is_set() and monotonic() - began < LONGEST_S:
        with suppress(DatabaseUnavailable):  # the next poll has the news
            if monotonic() - last_checked >= SIGNED_IN_S:
                if not await is_signed_in():
                    return
                last_checked = monotonic()
            job = await library.import_now(db, user_id, import_id)
            if job is not None and job != seen:
                seen, last_sent = job, monotonic()
                yield b"event: progress\ndata: %b\n\n" % encode(job)
            if job is None or job.status in OVER:
                status = b"deleted" if job is None else job.status.encode()
                yield b'event: end\ndata: {"status":"%b"}\n\n' % status
                return
        if monotonic() - last_sent >= HEARTBEAT_S:
            last_sent = monotonic()
            yield b": alive\n\n"
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), POLL_S)
