"""What reading would cost before it is done: who would read, and the most that a question can take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from mindhit import billing
from mindhit.billing import Flag, Payer
from mindhit.db import ReadTx
from mindhit.language import prompts
from mindhit.language.builtin import VERSION as BUILTIN_VERSION
from mindhit.language.limits import FRAMING_TOKENS, PAGES
from mindhit.language.model import Document, Engine
from mindhit.language.providers import own
from mindhit.language.providers.choosing import providers_in_order
from mindhit.language.providers.model import Question, Reason
from mindhit.language.settings import LanguageSettings
from mindhit.settings import Settings


@dataclass(frozen=True, slots=True)
class WouldRead:
    """Who would be asked first; no payer: the built-in engine, which costs nothing."""

    engine: Engine
    payer: Payer | None


async def who_reads(tx: ReadTx, settings: Settings, user_id: UUID) -> WouldRead:
    mine = await own.show_own(tx, user_id)
    if mine is not None:
        return WouldRead(Engine(mine.provider, mine.model), Payer.OWN)
    found = providers_in_order(settings[LanguageSettings], None, Payer.PLAN)
    builtin = Engine("builtin", BUILTIN_VERSION)
    if not found:
        return WouldRead(builtin, None)
    if not (await billing.allowance(tx, user_id)).has(Flag.MODELS):
        limited = Engine("builtin", BUILTIN_VERSION, str(Reason.NOT_IN_PLAN))
        return WouldRead(limited, None)
    return WouldRead(Engine(found[0].kind, found[0].model), Payer.PLAN)


def bound(question: Question, output: int) -> int:
    """Tokens that a call can take: never more of them than bytes, and the longest answer."""
    return question.bytes + FRAMING_TOKENS + output


def bound_of_summary(text_bytes: int, sentences: int, output: int) -> int:
    """The same without the text: `text_bytes` of what `prompts.page` would take of it and its title."""
    empty = prompts.ask("summarise", prompts.page(Document("")), sentences=sentences)
    return bound(empty, output) + text_bytes


def bound_of_topics(documents: Sequence[Document], output: int) -> int:
    """0 where no model would be asked."""
    if not 1 < len(documents) <= PAGES:
        return 0
    return bound(prompts.ask("topics", prompts.pages(documents)), output)


def bound_of_title(documents: Sequence[Document], output: int) -> int:
    if not any(each.title.strip() or each.text.strip() for each in documents):
        return 0
    return bound(prompts.ask("title", prompts.pages(documents[:PAGES])), output)
