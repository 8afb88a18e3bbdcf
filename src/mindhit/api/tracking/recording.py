"""Starting and stopping a recording. What is read of a session is in `sessions.py`.

Extensions up to 0.1 send these requests in camelCase and check the `sessionId` of the answer. They
are not updated together with the server, so both go on working until 1.0; neither is documented.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Body
from pydantic import (
    AliasChoices,
    AliasGenerator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import SkipJsonSchema

from mindhit import tracking
from mindhit.api.http.authentication import SIGNED_IN, RecorderCaller
from mindhit.api.http.dependencies import AppSettings, Db, Disk
from mindhit.api.http.problems import documented
from mindhit.api.tracking.fields import Title
from mindhit.clock import utc_now
from mindhit.db.disk_space import DiskFull
from mindhit.tracking import (
    BadSession,
    HourlyLimit,
    Session,
    SessionDeleted,
    SessionId,
    SessionLimit,
    SessionNotFound,
    SessionTaken,
    Status,
    TrackingSettings,
)
from mindhit.tracking.protocol import MAX_SEQ

router = APIRouter(tags=["recording"], responses=SIGNED_IN)


def _written(value: object) -> object:
    """A number is milliseconds, within limits; a date has to be a string."""
    if not isinstance(value, str) or "T" not in value.upper():
        raise ValueError("use an ISO 8601 date")
    return value


Moment = Annotated[
    Annotated[float, Field(strict=True, ge=0, le=253_402_300_799_000)]
    | Annotated[AwareDatetime, BeforeValidator(_written)],
    Field(description="Milliseconds since 1970, or ISO 8601."),
]
Range = Annotated[list[int], Field(min_length=2, max_length=2)]


_either_spelling = ConfigDict(
    alias_generator=AliasGenerator(validation_alias=lambda name: AliasChoices(name, to_camel(name)))
)


class StartRequest(BaseModel):
    model_config = _either_spelling

    session_id: UUID | None = Field(
        default=None,
        description="Chosen by the client, so that a repeated request starts nothing new.",
    )
    started_at: Moment | None = None
    title: Title | None = None


class StopRequest(BaseModel):
    model_config = _either_spelling

    last_seq: Annotated[int, Field(strict=True, ge=0, le=MAX_SEQ)] | None = Field(
        default=None, description="The last event; the timeline is closed when it has arrived."
    )
    ended_at: Moment | None = None


class Recording(BaseModel):
    session_id: UUID
    session_id_of_0_1: SkipJsonSchema[UUID] = Field(serialization_alias="sessionId")
    status: Literal["recording", "processing", "completed", "failed"]
    started_at: datetime
    ended_at: datetime | None
    acked_seq: int = Field(
        description="The client may delete its events up to here, except those in `missing`."
    )
    missing: list[Range] = Field(description="Ranges of events that have not arrived.")
    page_count: int = Field(description="Pages of the session, the present one included.")

    @classmethod
    def of(cls, begun: Session, page_count: int) -> Recording:
        return cls(
            session_id=begun.id,
            session_id_of_0_1=begun.id,
            status=Status(begun.status).value,
            started_at=begun.started_at,
            ended_at=begun.ended_at,
            acked_seq=begun.next_seq - 1,
            missing=[[*each] for each in tracking.missing_events(begun)],
            page_count=page_count,
        )


@router.post(
    "/sessions/start",
    summary="Start a session",
    status_code=201,
    responses=documented(
        BadSession, SessionDeleted, SessionTaken, SessionLimit, HourlyLimit, DiskFull
    ),
)
async def start(
    db: Db,
    settings: AppSettings,
    caller: RecorderCaller,
    disk: Disk,
    asked: Annotated[StartRequest, Body(default_factory=StartRequest)],
) -> Recording:
    """A session that was started before with the same id is answered as it is.

    409 `session-limit` says in `running` what is being recorded. A start that is more than a minute old
    is never refused: the session is marked `is_over_limit`.
    """
    disk.check()
    now = utc_now()
    async with db.transaction() as tx:
        begun = await tracking.start(
            tx,
            caller.user_id,
            SessionId(asked.session_id or uuid.uuid4()),
            _moment(asked.started_at, now),
            now,
            title=asked.title,
            device_id=caller.device_id,
            quotas=settings[TrackingSettings].quotas,
        )
        summary = await tracking.summarise(tx, caller.user_id, begun.id)
    return Recording.of(begun, summary.page_count)


@router.post(
    "/sessions/{session_id}/stop",
    summary="Stop a session",
    status_code=202,
    responses=documented(SessionNotFound),
)
async def stop(
    db: Db,
    caller: RecorderCaller,
    session_id: UUID,
    asked: Annotated[StopRequest, Body(default_factory=StopRequest)],
) -> Recording:
    """Its timeline is closed when its last event has arrived."""
    async with db.transaction() as tx:
        begun = await tracking.stop(
            tx,
            caller.user_id,
            SessionId(session_id),
            _moment(asked.ended_at, utc_now()),
            asked.last_seq,
            is_end_known=asked.ended_at is not None,
        )
        summary = await tracking.summarise(tx, caller.user_id, begun.id)
    return Recording.of(begun, summary.page_count)


def _moment(given: float | datetime | None, now: datetime) -> datetime:
    if given is None:
        return now
    if isinstance(given, datetime):
        return given.astimezone(UTC)
    return datetime.fromtimestamp(int(given) / 1000, UTC)
