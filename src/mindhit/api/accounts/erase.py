"""Deleting one's account and all of its data."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

from mindhit import accounts
from mindhit.accounts import OwnerNeeded, WrongPassword
from mindhit.api.accounts.fields import Email, Password
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller
from mindhit.api.http.dependencies import Db, Origin, SignInGuard
from mindhit.api.http.fields import Accepted
from mindhit.api.http.problems import documented
from mindhit.errors import Invalid

router = APIRouter(tags=["me"], responses=SIGNED_IN)


class EraseRequest(BaseModel):
    email: Email = Field(description="The account's own address, as a confirmation.")
    password: Password | None = None


class WrongConfirmation(Invalid):
    """That is not this account's email address."""


@router.post(
    "/me/erase",
    summary="Delete my account and all my data",
    status_code=202,
    responses=documented(WrongPassword, WrongConfirmation, OwnerNeeded),
)
async def erase(
    db: Db, guard: SignInGuard, caller: BrowserCaller, origin: Origin, asked: EraseRequest
) -> Accepted:
    await accounts.check_password(db, guard, caller.user_id, asked.password, origin)
    async with db.transaction() as tx:
        person = await accounts.show_person(tx, caller.user_id)
        if not accounts.is_same_address(asked.email, person.email):
            raise WrongConfirmation
        await accounts.ask_erasure(tx, caller.user_id, origin)
    return Accepted()
