"""Site icons, as recorded pages sent them: served by us, so that no site learns who looks at what."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Response

from mindhit import tracking
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.problems import documented
from mindhit.tracking import IconNotFound
from mindhit.tracking.shapes import ICON_PATH

__all__ = ["ICON_PATH", "router"]

PNG: Final = "image/png"
# The bytes come from recorded pages, so a browser must treat them as an image and nothing else. The
# name is a hash of the content, so it never expires.
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, max-age=31536000, immutable",
}

router = APIRouter(tags=["sessions"], responses=SIGNED_IN)


@router.get(
    f"{ICON_PATH.removeprefix('/v1')}{{icon}}",
    summary="Show a site icon",
    response_class=Response,
    responses={
        200: {
            "description": "An image of at most 64 by 64 pixels.",
            "content": {PNG: {"schema": {"type": "string", "format": "binary"}}},
        },
        **documented(IconNotFound),
    },
)
async def show_icon(
    db: Db, caller: PersonCaller, icon: Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
) -> Response:
    """The path is in the `favicon` of a visit."""
    png = await tracking.find_icon(db, caller.user_id, icon)
    return Response(png, media_type=PNG, headers=HEADERS)
