"""How long everything about a person is kept, as they read it in their settings.

Each number is asked of the slice that prunes by it; none stands here.
"""

from __future__ import annotations

import math

from fastapi import APIRouter
from pydantic import BaseModel, Field

from mindhit import accounts, billing, delivery, language
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.tracking import TrackingSettings

router = APIRouter(tags=["me"], responses=SIGNED_IN)


class Retention(BaseModel):
    """Each in days."""

    sessions: int | None = Field(
        description="By the plan, after a session ended; null: until you delete it."
    )
    raw_events: int | None = Field(
        description="After their session was stopped; null: as long as the session."
    )
    model_answers: int
    read_notices: int = Field(description="After they were read.")
    security_events: int
    exports: int


@router.get("/me/retention", summary="Show how long my data is kept")
async def show(db: Db, settings: AppSettings, caller: PersonCaller) -> Retention:
    async with db.read() as tx:
        has = await billing.allowance(tx, caller.user_id)
    return Retention(
        sessions=has.retention_days,
        raw_events=math.ceil(settings[TrackingSettings].raw_event_retention) or None,
        model_answers=language.ANSWERS_KEPT_DAYS,
        read_notices=delivery.READ_KEPT_DAYS,
        security_events=accounts.SECURITY_EVENTS_KEPT_DAYS,
        exports=accounts.EXPORTS_KEPT_DAYS,
    )
