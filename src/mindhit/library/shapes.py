"""Folders, pages and imports in the shape of the API's answers. The OpenAPI document is generated from
these structs; where a statement fills one, its columns are the fields."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta


def _words(*words: str) -> Meta:
    return Meta(extra_json_schema={"enum": list(words)})


FoundIn = Annotated[
    str,
    _words(
        *("title", "highlight", "note", "tags", "keywords", "topics"),
        *("summary", "description", "address", "text"),
    ),
]


class Shape(msgspec.Struct, frozen=True, gc=False):
    """Something that is encoded as it is."""


class Folder(Shape, frozen=True):
    """Folders and pages with the same parent share one order: by `position`, then by `id`."""

    id: UUID
    sync_id: str
    parent_id: Annotated[UUID | None, Meta(description="Null at the top.")]
    name: str
    position: float
    page_count: Annotated[
        int, Meta(description="Pages directly in it, without separators and archived ones.")
    ]
    created_at: datetime
    updated_at: datetime


class FolderList(Shape, frozen=True):
    """All folders; those of one parent are in order."""

    folders: list[Folder]


class Link(Shape, frozen=True):
    """What a page says of itself, as the server read it. The same for everybody who saved it."""

    title: str | None
    description: str | None
    image: Annotated[str | None, Meta(description="An address at the site. Don't load it.")]
    site_name: str | None
    favicon: Annotated[str | None, Meta(description="A small PNG, as a `data:` address.")]
    language: str | None
    canonical: str | None
    summary: str | None
    keywords: list[str]
    engine: Annotated[str | None, Meta(description="What made summary and keywords.")]
    enriched_at: datetime | None


class Enrichment(Shape, frozen=True):
    """Whether the server has read the page."""

    state: Annotated[
        str,
        _words("waiting", "enriched", "dead", "skipped"),
        Meta(
            description="`dead`: it could not be read, and is tried again by hand only. `skipped`: the"
            " server doesn't read it (a private or secret address, or you don't want it)."
        ),
    ]
    reason: Annotated[str | None, Meta(description="Why it could not be read, or not so far.")]
    attempts: int
    run_after: Annotated[datetime | None, Meta(description="When it is tried next.")]


class SavedPage(Shape, frozen=True):
    """A page in one place of the library. The same page in three folders is three of these."""

    id: UUID
    sync_id: str
    kind: Annotated[str, _words("link", "other", "separator")]
    url_id: Annotated[UUID | None, Meta(description="The page's identity. Null if it is no link.")]
    address: Annotated[str, Meta(description="As it was typed. Only a `link` may be opened.")]
    domain: str | None
    title: str | None
    note: str | None
    tags: list[str]
    archived_at: datetime | None
    folder_id: UUID | None
    position: float
    created_at: datetime
    updated_at: datetime
    link: Annotated[Link | None, Meta(description="Null until the server has read the page.")]
    enrichment: Annotated[Enrichment | None, Meta(description="Null if it is no link.")]


class SavedPageList(Shape, frozen=True):
    pages: list[SavedPage]
    next_cursor: Annotated[
        str | None, Meta(description="Cursor of the next page of the list; null on the last.")
    ]


class TagCount(Shape, frozen=True):
    tag: str
    pages: int


class TagList(Shape, frozen=True):
    """The tags in use, by name."""

    tags: list[TagCount]


class Seen(Shape, frozen=True):
    """What was recorded of a page in all sessions."""

    first_at: datetime
    last_at: datetime
    visits: int
    focused_ms: int
    highlights: int


class KnownPage(Shape, frozen=True):
    """What is known of an address."""

    pages: Annotated[list[SavedPage], Meta(description="Where it is saved.")]
    seen: Annotated[Seen | None, Meta(description="Null if it was never recorded.")]


class Import(Shape, frozen=True):
    id: UUID
    source_type: Annotated[
        str | None, Meta(description="Which program wrote the file; null until it is read.")
    ]
    status: Annotated[str, _words("queued", "running", "succeeded", "failed", "canceled")]
    file_name: str | None
    folder_id: UUID | None
    total_items: int
    processed_items: int
    failed_items: int
    added_items: Annotated[int, Meta(description="Items that were not in the library before.")]
    last_error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class ImportList(Shape, frozen=True):
    """Newest first."""

    imports: list[Import]


class ImportFailure(Shape, frozen=True):
    """An entry of the file that could not be imported."""

    line: int
    reason: str
    excerpt: str


class ImportDetail(Shape, frozen=True):
    job: Import
    failures: Annotated[list[ImportFailure], Meta(description="The first 1,000.")]


class Hit(Shape, frozen=True):
    """Something that was found, as it is now."""

    kind: Annotated[str, _words("session", "page", "highlight", "bookmark")]
    id: UUID
    session_id: UUID | None
    visit: Annotated[
        int | None, Meta(description="The visit of the session to go to: its `opened_by_seq`.")
    ]
    page_id: Annotated[UUID | None, Meta(description="The saved page, of a bookmark.")]
    url_id: Annotated[
        UUID | None,
        Meta(description="The page's identity, of what was recorded: for `/v1/visited`."),
    ]
    title: str | None
    url: str | None
    domain: str | None
    at: datetime
    found_in: FoundIn | None
    snippet: Annotated[
        list[tuple[str, bool]],
        Meta(description="Plain text in pieces, each with whether it is what was asked for."),
    ]


class Suggestion(Shape, frozen=True):
    """Something that was found, by its title and where it is."""

    kind: Annotated[str, _words("session", "page", "highlight", "bookmark")]
    session_id: UUID | None
    visit: Annotated[
        int | None, Meta(description="The visit of the session to go to: its `opened_by_seq`.")
    ]
    page_id: Annotated[UUID | None, Meta(description="The saved page, of a bookmark.")]
    title: str | None
    url: str | None
    domain: str | None


class SuggestionList(Shape, frozen=True):
    suggestions: list[Suggestion]


class Facet(Shape, frozen=True):
    value: str
    count: int


class Facets(Shape, frozen=True):
    """Of everything that was found, at most the newest 2,000."""

    kind: list[Facet]
    domain: list[Facet]


class SearchResults(Shape, frozen=True):
    hits: list[Hit]
    facets: Facets
    count: Annotated[
        int,
        Meta(
            description="How many were found, as far as they were counted. Above 200, what was deleted or"
            " forgotten in the last seconds may still be counted."
        ),
    ]
    is_counted: Annotated[bool, Meta(description="False where there are more than that.")]
    is_loose: Annotated[
        bool, Meta(description="Hardly anything has all words, so these have some of them.")
    ]
    next: Annotated[str | None, Meta(description="Cursor of what follows; null at the end.")]


class SavedSearch(Shape, frozen=True):
    id: UUID
    name: str
    query: str
    created_at: datetime


class SavedSearchList(Shape, frozen=True):
    """By name."""

    searches: list[SavedSearch]


encode = msgspec.json.Encoder().encode
Json = dict[str, Any]
