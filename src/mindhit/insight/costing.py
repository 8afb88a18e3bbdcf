"""What processing a session again would cost, before anybody asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit import billing, tracking
from mindhit.accounts import UserId
from mindhit.billing import Payer
from mindhit.db import ReadTx
from mindhit.insight import store
from mindhit.insight.mindmap.branches import FEW_PAGES
from mindhit.insight.processing import mapping
from mindhit.insight.processing.summarising import sentences_for_length
from mindhit.insight.store.processing import PageBeginning, TextSize
from mindhit.language import LanguageSettings, costs
from mindhit.language.limits import PAGE_CHARACTERS, PAGE_TITLE_CHARACTERS, TEXT_CHARACTERS
from mindhit.settings import Settings
from mindhit.tracking import SessionId

PARTS: Final = ("summaries", "map")


@dataclass(frozen=True, slots=True)
class OperationCost:
    operation: str
    calls: int
    at_most: int


@dataclass(frozen=True, slots=True)
class Cost:
    """`left` of the plan's tokens; None is no limit, or somebody else pays."""

    engine: str
    model: str
    payer: str | None
    limitation: str | None
    operations: list[OperationCost]
    left: int | None

    @property
    def at_most(self) -> int:
        return sum(each.at_most for each in self.operations)

    @property
    def is_enough(self) -> bool:
        return self.left is None or self.at_most <= self.left


async def cost_of(
    tx: ReadTx,
    settings: Settings,
    user_id: UUID,
    session_id: SessionId,
    now: datetime,
    again: Collection[str] = PARTS,
) -> Cost:
    """Of the parts that are made again. Each question once; an answer that can't be used is asked for a
    second time. What belongs to nobody is not counted: the installation pays for it. Raises
    `SessionNotFound`."""
    await tracking.summarise(tx, user_id, session_id)
    reads = await costs.who_reads(tx, settings, user_id)
    operations: list[OperationCost] = []
    if reads.payer is not None:
        output = settings[LanguageSettings].language_output
        read = await _read(tx, user_id, session_id)
        found = await asyncio.to_thread(_operations, *read, output)
        operations = [each for each in found if _part(each.operation) in again]
    usage, _ = await billing.show_usage(tx, UserId(user_id), now)
    left = None
    if reads.payer is Payer.PLAN and usage.limit is not None:
        left = max(0, usage.limit - usage.used - usage.reserved)
    engine = reads.engine
    return Cost(engine.name, engine.model, reads.payer, engine.limitation, operations, left)


def _part(operation: str) -> str:
    return "summaries" if operation == "summarise" else "map"


async def _read(
    tx: ReadTx, user_id: UUID, session_id: SessionId
) -> tuple[Sequence[TextSize], Sequence[PageBeginning], bool]:
    """Sizes and beginnings, not all that was read; and whether the reader named the session."""
    texts = await tx.all(
        store.processing.TEXT_SIZES, session_id, user_id, TEXT_CHARACTERS, PAGE_TITLE_CHARACTERS
    )
    pages = await tx.all(
        store.processing.BEGINNINGS, session_id, user_id, PAGE_CHARACTERS, mapping.MOST_PAGES
    )
    stock = await tx.maybe(store.processing.STOCK, session_id, user_id)
    return texts, pages, stock is not None and stock.title_by == "reader"


def _operations(
    texts: Sequence[TextSize], pages: Sequence[PageBeginning], is_named: bool, output: int
) -> list[OperationCost]:
    """Puts the questions together: it runs in a thread."""
    summaries = [
        costs.bound_of_summary(each.bytes, sentences_for_length(each.characters), output)
        for each in texts
    ]
    documents = [
        mapping.document(each.title or "", each.domain, each.summary, each.text or "")
        for each in pages
    ]
    topics = costs.bound_of_topics(documents, output) if len(pages) > FEW_PAGES else 0
    title = 0 if is_named else costs.bound_of_title(documents, output)
    found = [
        OperationCost("summarise", len(summaries), sum(summaries)),
        OperationCost("topics", 1, topics),
        OperationCost("title", 1, title),
    ]
    return [each for each in found if each.at_most]
