"""Mails that are kept because no mail server is set: the owner passes them on by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict

from mindhit import mail
from mindhit.api.http.authentication import OWNER_ONLY, OwnerCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.paging import (
    LARGEST_PAGE,
    Cursor,
    ItemPage,
    Limit,
    cut,
    decode_number,
    encode,
)
from mindhit.api.http.problems import documented
from mindhit.mail import KeptMailId, KeptMailNotFound

router = APIRouter(tags=["admin"], responses=OWNER_ONLY)


class KeptMail(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    recipient: str
    subject: str
    text: str
    created_at: datetime


class KeptMailList(ItemPage[KeptMail]):
    """Kept mails, newest first."""


@router.get("/admin/mails", summary="List unsent emails")
async def list_mails(
    db: Db, _: OwnerCaller, cursor: Cursor = None, limit: Limit = LARGEST_PAGE
) -> KeptMailList:
    """Emails kept because no mail server is set, newest first."""
    behind = KeptMailId(decode_number(cursor)) if cursor else None
    async with db.read() as tx:
        found = await mail.list_kept(tx, behind=behind, limit=limit + 1)
    shown, next_cursor = cut(found, limit, lambda each: encode(each.id))
    items = [KeptMail.model_validate(each) for each in shown]
    return KeptMailList(items=items, next_cursor=next_cursor)


@router.delete(
    "/admin/mails/{mail_id}",
    summary="Delete an unsent email",
    status_code=204,
    responses=documented(KeptMailNotFound),
)
async def discard_mail(
    db: Db, _: OwnerCaller, mail_id: Annotated[int, Path(ge=1, lt=2**63)]
) -> None:
    async with db.transaction() as tx:
        await mail.discard_kept(tx, KeptMailId(mail_id))
