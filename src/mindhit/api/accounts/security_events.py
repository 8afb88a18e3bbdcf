"""Sign-ins, new passwords, revoked devices: what a person should recognise as their own doing."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from mindhit import accounts
from mindhit.accounts import NEWEST
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.paging import Cursor, ItemPage, Limit, cut, decode_number, encode

router = APIRouter(tags=["me"], responses=SIGNED_IN)


class SecurityEvent(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    at: datetime
    event: str
    address: str | None
    device: str | None


class SecurityEventList(ItemPage[SecurityEvent]):
    """Security events, newest first."""


@router.get("/me/events", summary="List my security events")
async def list_events(
    db: Db, caller: PersonCaller, cursor: Cursor = None, limit: Limit = 50
) -> SecurityEventList:
    """Newest first."""
    behind = decode_number(cursor) if cursor else NEWEST
    async with db.read() as tx:
        found = await accounts.list_events(tx, caller.user_id, behind=behind, limit=limit + 1)
    shown, next_cursor = cut(found, limit, lambda each: encode(each.id))
    items = [SecurityEvent.model_validate(each) for each in shown]
    return SecurityEventList(items=items, next_cursor=next_cursor)
