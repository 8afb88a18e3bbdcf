"""What this server is, for clients that were given nothing but its address."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

import mindhit

router = APIRouter(tags=["about"])


class About(BaseModel):
    name: str
    version: str


@router.get("/about", summary="Name and version of this server")
async def about() -> About:
    return About(name="MindHit", version=mindhit.__version__)
