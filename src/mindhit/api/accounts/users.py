"""The people of this server, for its owner."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from mindhit import accounts
from mindhit.accounts import BadAddress, Listed, PersonExists
from mindhit.api.accounts.fields import Address
from mindhit.api.http.authentication import OWNER_ONLY, OwnerCaller
from mindhit.api.http.dependencies import AppSettings, Db, Origin
from mindhit.api.http.paging import (
    LARGEST_PAGE,
    Cursor,
    ItemPage,
    Limit,
    cut,
    decode_time,
    encode_time,
)
from mindhit.api.http.problems import documented

router = APIRouter(tags=["admin"], responses=OWNER_ONLY)


class User(BaseModel):
    id: UUID
    email: str
    role: Literal["owner", "user"]
    verified: bool
    created_at: datetime
    last_seen_at: datetime | None

    @classmethod
    def of(cls, person: Listed) -> User:
        return cls(
            id=person.id,
            email=person.email,
            role="owner" if person.role == "owner" else "user",
            verified=person.verified_at is not None,
            created_at=person.created_at,
            last_seen_at=person.last_seen_at,
        )


class UserList(ItemPage[User]):
    """People, oldest account first."""


class Invitation(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    link: str
    mailed: bool
    expires_at: datetime


@router.get("/admin/users", summary="List users")
async def list_users(
    db: Db, _: OwnerCaller, cursor: Cursor = None, limit: Limit = LARGEST_PAGE
) -> UserList:
    """Oldest account first."""
    after = decode_time(cursor) if cursor else None
    async with db.read() as tx:
        found = await accounts.list_people(tx, after=after, limit=limit + 1)
    shown, next_cursor = cut(found, limit, lambda each: encode_time(each.created_at, each.id))
    return UserList(items=[User.of(each) for each in shown], next_cursor=next_cursor)


@router.post(
    "/admin/users",
    summary="Invite a user",
    status_code=201,
    responses=documented(PersonExists, BadAddress),
)
async def add_user(
    db: Db, settings: AppSettings, _: OwnerCaller, origin: Origin, asked: Address
) -> Invitation:
    """The invited person opens the link to choose a password."""
    async with db.transaction() as tx:
        return Invitation.model_validate(await accounts.invite(tx, settings, asked.email, origin))
