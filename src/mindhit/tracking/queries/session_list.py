"""Lists of sessions: filtered, searched, and paged by key."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from mindhit import urls
from mindhit.db import Database, ReadTx
from mindhit.tracking import shapes, store
from mindhit.tracking.ingest.decoding import storable
from mindhit.tracking.model import Status
from mindhit.tracking.queries.summaries import summaries
from mindhit.tracking.store.session_list import ListParams, SearchParams
from mindhit.tracking.timeline import state as states
from mindhit.urls import NotAPage

_WILDCARDS: Final = re.compile(r"([\\%_])")
_LOWEST_ID: Final = UUID(int=0)


class SessionKey(NamedTuple):
    """What a list of sessions is ordered by."""

    started_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions to list: those that started in [from, to), with these words, of this site."""

    search: str | None = None
    status: Status | None = None
    started_from: datetime | None = None
    started_to: datetime | None = None
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """Some sessions of a list; `next_key` is the last one's where more follow."""

    sessions: list[shapes.SessionSummary]
    next_key: SessionKey | None
    total: int | None


async def list_sessions(
    db: Database,
    user_id: UUID,
    wanted: SessionFilter,
    *,
    limit: int,
    after: SessionKey | None = None,
    offset: int = 0,
) -> Listed:
    """Newest first. A word is found in titles of sessions and pages and in domains, in any case.
    `total` is counted where the list is read from its start: a count with every page would cost
    more than the page.

    A few statements and no transaction around them, which would be four round trips: a session
    that is deleted between them is missing, and nothing is wrong.
    """
    page = ListParams(
        user_id=user_id,
        started_from=wanted.started_from,
        started_to=wanted.started_to,
        after_started_at=after.started_at if after else None,
        after_id=after.id if after else None,
        offset=offset,
        limit=limit + 1,
    )
    words = wanted.status, _pattern(wanted.search), _site(wanted.domain)
    if any(each is not None for each in words):
        status, pattern, site = words
        session_ids, url_ids, titles = await _open_visits(db, user_id)
        asked = SearchParams(
            page=page,
            status=status,
            pattern=pattern,
            site=site,
            open_session_ids=session_ids,
            open_url_ids=url_ids,
            open_titles=titles,
        )
        [found] = await db.alone(store.session_list.SEARCH, asked)
    else:
        [found] = await db.alone(store.session_list.LIST, page)
    ids = found.ids[:limit]
    sessions = await summaries(db, user_id, ids)
    next_key = None
    if len(found.ids) > limit and found.last_started_at is not None:
        next_key = SessionKey(found.last_started_at, ids[-1])
    return Listed(sessions, next_key, found.total)


async def every_session(db: Database, user_id: UUID | None) -> list[store.session_list.Owned]:
    """All sessions of a person, or of everybody, for the operator."""
    every: list[store.session_list.Owned] = []
    while more := await db.alone(
        store.session_list.EVERY, every[-1].id if every else _LOWEST_ID, user_id
    ):
        every += more
    return every


async def sessions_between(
    tx: ReadTx, first: UUID, last: UUID, limit: int
) -> list[store.session_list.Owned]:
    """Anybody's sessions with an id in [first, last], for the operator."""
    return await tx.all(store.session_list.BETWEEN, first, last, limit)


async def _open_visits(
    db: Database, user_id: UUID
) -> tuple[list[UUID], list[UUID], list[str | None]]:
    """Sessions with a visit that is no row yet, as it has not ended; its url and its title."""
    sessions: list[UUID] = []
    visited: list[UUID] = []
    titles: list[str | None] = []
    for each in await db.alone(store.session_list.UNCLOSED, user_id):
        state = states.try_unpack(each.fold_state)
        now = state.current if state else None
        if now is not None and now.url_id is not None:
            sessions.append(each.id)
            visited.append(now.url_id)
            titles.append(now.title)
    return sessions, visited, titles


def _pattern(search: str | None) -> str | None:
    """The words literally: nothing in them is a wildcard."""
    text = unicodedata.normalize("NFC", storable(search or "")).strip()
    return "%" + _WILDCARDS.sub(r"\\\1", text) + "%" if text else None


def _site(domain: str | None) -> str | None:
    """A domain as urls have it; something that is not a domain matches none."""
    if domain is None:
        return None
    try:
        return urls.clean_domain(domain)
    except NotAPage:
        return "."
