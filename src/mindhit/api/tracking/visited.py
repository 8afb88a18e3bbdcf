"""One page with all its visits, texts and highlights, and the pages around it."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from mindhit import tracking
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import json_response, struct_response
from mindhit.tracking import PageNotVisited, shapes

router = APIRouter(tags=["sessions"], responses=SIGNED_IN)


@router.get(
    "/visited/{url_id}",
    summary="Show a page that I visited",
    response_class=Response,
    responses={**struct_response(shapes.VisitedPage), **documented(PageNotVisited)},
)
async def show_visited(db: Db, caller: PersonCaller, url_id: UUID) -> Response:
    """In all sessions: its text, its visits that have ended, its highlights, the pages from which it was
    reached and those that were opened from it. `url_id` is in every visit."""
    async with db.read() as tx:
        return json_response(await tracking.show_visited(tx, caller.user_id, url_id))
