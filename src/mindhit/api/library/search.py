"""Search, and the searches that a person keeps."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from mindhit import library
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.fields import Name
from mindhit.api.http.paging import Cursor, decode, encode
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import json_response, struct_response
from mindhit.api.tracking.fields import Moment
from mindhit.clock import utc_now
from mindhit.library import Asked, Place, SavedSearchNotFound, TooManySearches, shapes

router = APIRouter(tags=["search"], responses=SIGNED_IN)
MOST_HITS: Final = 50
MOST_SUGGESTIONS: Final = 10
LONGEST_SAVED: Final = 500
LONGEST_TYPED: Final = 10_000  # somebody pastes a page; of what is answered, the beginning counts
FURTHEST: Final = 10_000  # more are never found
Kind = Literal["session", "page", "highlight", "bookmark"]


Typed = Annotated[
    str,
    Query(
        max_length=LONGEST_TYPED,
        description='Words, `"phrases"`, `-not`, `site:`, `before:`, `after:`. The first 500'
        " characters count; `-not` alone finds nothing.",
    ),
]


class SearchToSave(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name
    query: str = Field(min_length=1, max_length=LONGEST_SAVED, pattern=r"^[^\x00]*$")


@router.get(
    "/search",
    summary="Search everything I recorded or saved",
    response_class=Response,
    responses=struct_response(shapes.SearchResults),
)
async def search(
    db: Db,
    caller: PersonCaller,
    q: Typed = "",
    kind: Annotated[list[Kind] | None, Query(max_length=4)] = None,
    domain: Annotated[
        str | None, Query(max_length=300, pattern=r"^[^\x00]*$", description="With its subdomains.")
    ] = None,
    from_: Annotated[Moment | None, Query(alias="from")] = None,
    to: Annotated[Moment | None, Query()] = None,
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=MOST_HITS)] = 20,
) -> Response:
    """Titles count most, then highlights and notes, summaries and keywords, and recorded texts; the newer
    one of two that are as good comes first. Words are found by their beginnings, and one wrong letter is
    forgiven where hardly anything is found otherwise."""
    asked = Asked(q.replace("\0", " "), tuple(kind or ()), domain, from_, to)
    place = decode(cursor, Place) if cursor else Place()
    place = place._replace(start=min(max(place.start, 0), FURTHEST), skipped=max(place.skipped, 0))
    async with db.read() as tx:
        found = await library.search(tx, caller.user_id, asked, utc_now(), limit=limit, place=place)
    following = encode(found.next) if found.next else None
    return json_response(
        shapes.SearchResults(
            found.hits, found.facets, found.count, found.is_counted, found.is_loose, following
        )
    )


@router.get(
    "/search/suggestions",
    summary="Suggest what I may be searching for",
    response_class=Response,
    responses=struct_response(shapes.SuggestionList),
)
async def suggest(
    db: Db,
    caller: RecorderCaller,
    q: Typed = "",
    limit: Annotated[int, Query(ge=1, le=MOST_SUGGESTIONS)] = 6,
) -> Response:
    """The first hits of a search, by title and address, for a browser's address bar. A connected extension
    may ask for these, and for nothing else of a search: no text, no count, no further pages."""
    async with db.read() as tx:
        asked = Asked(q.replace("\0", " "))
        found = await library.search(tx, caller.user_id, asked, utc_now(), limit=limit)
    return json_response(shapes.SuggestionList([_suggestion(hit) for hit in found.hits]))


def _suggestion(hit: shapes.Hit) -> shapes.Suggestion:
    return shapes.Suggestion(
        hit.kind, hit.session_id, hit.visit, hit.page_id, hit.title, hit.url, hit.domain
    )


@router.get(
    "/saved-searches",
    summary="List my saved searches",
    response_class=Response,
    responses=struct_response(shapes.SavedSearchList),
)
async def list_searches(db: Db, caller: PersonCaller) -> Response:
    async with db.read() as tx:
        return json_response(
            shapes.SavedSearchList(await library.list_searches(tx, caller.user_id))
        )


@router.post(
    "/saved-searches",
    summary="Save a search",
    status_code=201,
    response_class=Response,
    responses={**struct_response(shapes.SavedSearch, 201), **documented(TooManySearches)},
)
async def save_search(db: Db, caller: PersonCaller, asked: SearchToSave) -> Response:
    """One that is saved already gets this name."""
    async with db.transaction() as tx:
        saved = await library.save_search(tx, caller.user_id, asked.name, asked.query)
    return json_response(saved, 201)


@router.delete(
    "/saved-searches/{search_id}",
    summary="Delete a saved search",
    status_code=204,
    responses=documented(SavedSearchNotFound),
)
async def delete_search(db: Db, caller: PersonCaller, search_id: UUID) -> None:
    async with db.transaction() as tx:
        await library.delete_search(tx, caller.user_id, search_id)
