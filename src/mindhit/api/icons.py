"""Icons of sites, as recorded pages brought them along: from our own server, and never asked for twice."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Response

from mindhit import tracking
from mindhit.api import access
from mindhit.api.access import ACCESS, Db
from mindhit.api.problems import documented
from mindhit.tracking import IconNotFound

PNG: Final = "image/png"
# Made by pages: a browser shall take it for a picture and for nothing else. The name says what is
# in it, so it holds for ever.
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, max-age=31536000, immutable",
}

router = APIRouter(tags=["sessions"], responses=ACCESS)


@router.get(
    "/icons/{icon}",
    summary="An icon of a site",
    response_class=Response,
    responses={
        200: {
            "description": "A picture of at most 64 by 64.",
            "content": {PNG: {"schema": {"type": "string", "format": "binary"}}},
        },
        **documented(IconNotFound),
    },
)
async def show_icon(
    db: Db, caller: access.Me, icon: Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
) -> Response:
    """As the `favicon` of a visit names it."""
    png = await tracking.find_icon(db, caller.user_id, icon)
    return Response(png, media_type=PNG, headers=HEADERS)
