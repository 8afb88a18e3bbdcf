"""What this server is, for clients that know only its address."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

import mindhit

router = APIRouter(tags=["about"])


class About(BaseModel):
    name: str
    version: str


@router.get("/about", summary="Show the name and version of this server")
async def about() -> About:
    return About(name="MindHit", version=mindhit.__version__)
