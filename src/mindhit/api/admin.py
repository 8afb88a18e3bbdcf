"""The owner's view of the server: its people, and mails that could not be sent."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict

from mindhit import accounts, mail
from mindhit.accounts import BadAddress, Listed, OwnerOnly, PersonExists
from mindhit.api import access
from mindhit.api.access import ACCESS, Configured, Db, From
from mindhit.api.fields import Address
from mindhit.api.paging import (
    LARGEST_PAGE,
    Cursor,
    ItemPage,
    Limit,
    cut,
    decode_number,
    decode_time,
    encode,
    encode_time,
)
from mindhit.api.problems import documented
from mindhit.mail import KeptMailId, KeptMailNotFound

router = APIRouter(tags=["admin"], responses={**ACCESS, **documented(OwnerOnly)})

Number = Annotated[int, Path(ge=1, lt=2**63)]


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


class KeptMail(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    recipient: str
    subject: str
    text: str
    created_at: datetime


class KeptMailList(ItemPage[KeptMail]):
    """Kept mails, newest first."""


@router.get("/admin/users", summary="The people of this server")
async def users(
    db: Db, _: access.Admin, cursor: Cursor = None, limit: Limit = LARGEST_PAGE
) -> UserList:
    after = decode_time(cursor) if cursor else None
    async with db.read() as tx:
        found = await accounts.list_people(tx, after=after, limit=limit + 1)
    shown, next_cursor = cut(found, limit, lambda each: encode_time(each.created_at, each.id))
    return UserList(items=[User.of(each) for each in shown], next_cursor=next_cursor)


@router.post(
    "/admin/users",
    summary="Add a person, who chooses a password by the link",
    status_code=201,
    responses=documented(PersonExists, BadAddress),
)
async def add_user(
    db: Db, settings: Configured, _: access.Admin, origin: From, asked: Address
) -> Invitation:
    async with db.transaction() as tx:
        return Invitation.model_validate(await accounts.invite(tx, settings, asked.email, origin))


@router.get("/admin/mails", summary="Mails that could not be sent for want of a mail server")
async def mails(
    db: Db, _: access.Admin, cursor: Cursor = None, limit: Limit = LARGEST_PAGE
) -> KeptMailList:
    behind = KeptMailId(decode_number(cursor)) if cursor else None
    async with db.read() as tx:
        found = await mail.list_kept(tx, behind=behind, limit=limit + 1)
    shown, next_cursor = cut(found, limit, lambda each: encode(each.id))
    items = [KeptMail.model_validate(each) for each in shown]
    return KeptMailList(items=items, next_cursor=next_cursor)


@router.delete(
    "/admin/mails/{mail_id}",
    summary="Forget a mail that was passed on",
    status_code=204,
    responses=documented(KeptMailNotFound),
)
async def discard_mail(db: Db, _: access.Admin, mail_id: Number) -> None:
    async with db.transaction() as tx:
        await mail.discard_kept(tx, KeptMailId(mail_id))
