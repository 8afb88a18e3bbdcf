"""Summaries of the texts of a session, a few at a time; each is stored as soon as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Final
from uuid import UUID

from mindhit import tracking
from mindhit.db import Database
from mindhit.insight import store
from mindhit.insight.mindmap import labels
from mindhit.language import Document, Engine, Language, Reader
from mindhit.tracking.model import ContentId

AT_ONCE: Final = 5
# A longer text deserves a longer summary: characters → sentences.
SENTENCES: Final = ((1_500, 3), (5_000, 4), (10**9, 5))
Noted = Callable[[int, int], Awaitable[None]]


async def summarise_all(
    db: Database,
    language: Language,
    reader: Reader,
    content_ids: Sequence[UUID],
    noted: Noted,
    *,
    until: float,
    at_once: int = AT_ONCE,
) -> bool:
    """False where the time (`until`, monotonic) is over before all are summarised."""
    waiting = list(reversed(content_ids))
    done = 0

    async def work() -> None:
        nonlocal done
        while waiting and monotonic() < until:
            await summarise(db, language, reader, waiting.pop(), is_again=True)
            done += 1
            await noted(done, len(content_ids))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(at_once, len(waiting))):
                group.create_task(work())
    except ExceptionGroup as failed:
        # The engine tells errors apart by their types, and a group has none of theirs.
        raise failed.exceptions[0] from None
    return not waiting


async def summarise(
    db: Database,
    language: Language,
    reader: Reader,
    content_id: UUID,
    *,
    is_again: bool = False,
) -> None:
    """A public text is never read by a person's own provider, nor paid by their plan; nor is the installation
    made to pay for it again because somebody wants theirs again."""
    assert reader.user_id is not None
    async with db.read() as tx:
        text = await tx.maybe(store.processing.TEXT, content_id, reader.user_id)
    if text is None or (text.is_summarised and not is_again):
        return
    whose = reader if text.user_id is not None else Reader()
    made = await language.summarise(
        Document(text.content, labels.page_label(text.title or "", "")),
        whose,
        sentences=sentences_for(text.content),
    )
    async with db.transaction() as tx:
        await tracking.put_summary(
            tx, text.user_id, ContentId(text.id), made.text, made.keywords, named(made.engine)
        )


def sentences_for(text: str) -> int:
    return sentences_for_length(len(text))


def sentences_for_length(characters: int) -> int:
    return next(count for length, count in SENTENCES if characters <= length)


def named(engine: Engine) -> str:
    """As a text's `summarised_by` says it, with the reason where a model should have made it and did not."""
    made_by = f"{engine.name} {engine.model}"
    return f"{made_by} ({engine.limitation})" if engine.limitation else made_by
