"""The port: says what texts say, by the best engine that can be had.

A model is asked if a person or the installation chose one; the built-in engine serves otherwise, and
whenever no model answers. It never raises for what a text contains or for what a provider does: the
result says which engine made it, and `limitation` says why if a model should have.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, Self, TypeVar

from mindhit import log
from mindhit.billing import Allowances, Flag, Payer, allowance
from mindhit.db import Database
from mindhit.installation import InstallationKeyUnusable
from mindhit.language import outputs, prompts
from mindhit.language.asking import Asker, Caller, Sleep
from mindhit.language.builtin import BuiltIn, detect_language
from mindhit.language.limits import PAGES
from mindhit.language.model import Document, Engine, Keywords, Summary, Title, Topic, Topics
from mindhit.language.providers import own
from mindhit.language.providers.calling import call
from mindhit.language.providers.choosing import providers_in_order
from mindhit.language.providers.model import (
    KeyUnreadable,
    ModelFailed,
    Provider,
    Question,
    Reader,
    Reason,
)
from mindhit.language.settings import LanguageSettings
from mindhit.settings import Settings

SENTENCES = 3
KEYWORDS = 10
_log = log.get(__name__)


Result = TypeVar("Result", Summary, Keywords, Topics, Title)
Made_co = TypeVar("Made_co", Summary, Keywords, Topics, Title, covariant=True)


class Make(Protocol[Made_co]):
    """Makes the result of an answer, or raises `OutputInvalid`."""

    def __call__(self, answer: str, by: Engine) -> Made_co: ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """Providers to ask, or why there are none."""

    providers: Sequence[Provider]
    reason: Reason | None = None


class Language:
    """One per process: `async with Language(db, settings) as language`."""

    def __init__(
        self,
        db: Database,
        settings: Settings,
        *,
        engine: BuiltIn | None = None,
        allowances: Allowances = allowance,
        caller: Caller = call,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._db = db
        self._settings = settings
        self._engine = engine or BuiltIn()
        self._allowances = allowances
        self._asker = Asker(
            db, settings[LanguageSettings], allowances=allowances, caller=caller, sleep=sleep
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._engine.close()

    async def summarise(
        self, document: Document, reader: Reader, *, sentences: int = SENTENCES
    ) -> Summary:
        """Keywords included."""
        question = prompts.ask("summarise", prompts.page(document), sentences=sentences)
        language = detect_language(document.text)

        def made(answer: str, by: Engine) -> Summary:
            said, keywords = outputs.read_summary(answer, _source(document), sentences)
            return Summary(" ".join(said), tuple(said), tuple(keywords), language, by)

        return await self._made(
            question,
            reader,
            made,
            lambda: self._engine.summarise(document, sentences=sentences),
            is_worth_it=bool(document.text.strip()),
        )

    async def extract_keywords(
        self, document: Document, reader: Reader, *, limit: int = KEYWORDS
    ) -> Keywords:
        question = prompts.ask("keywords", prompts.page(document), limit=limit)
        language = detect_language(document.text)

        def made(answer: str, by: Engine) -> Keywords:
            found = outputs.read_keywords(answer, _source(document), limit)
            return Keywords(tuple(found), language, by)

        return await self._made(
            question,
            reader,
            made,
            lambda: self._engine.extract_keywords(document, limit=limit),
            is_worth_it=bool(document.text.strip()),
        )

    async def find_topics(self, documents: Sequence[Document], reader: Reader) -> Topics:
        if len(documents) > PAGES:
            chosen = await self._chosen(reader)
            why = Reason.TOO_MANY_PAGES if chosen.providers else chosen.reason
            return _limited(await self._engine.find_topics(documents), why)
        question = prompts.ask("topics", prompts.pages(documents))
        language = detect_language(
            "\n".join(f"{each.title}\n{each.text[:2000]}" for each in documents)
        )

        def made(answer: str, by: Engine) -> Topics:
            found = outputs.read_topics(answer, question.text, len(documents))
            topics = [
                Topic(each.label, tuple(n - 1 for n in each.pages), tuple(each.keywords))
                for each in found
            ]
            return Topics(tuple(sorted(topics, key=lambda t: -len(t.members))), language, by)

        return await self._made(
            question,
            reader,
            made,
            lambda: self._engine.find_topics(documents),
            is_worth_it=len(documents) > 1,
        )

    async def suggest_title(
        self, documents: Sequence[Document], reader: Reader, *, topics: Topics | None = None
    ) -> Title:
        question = prompts.ask("title", prompts.pages(documents[:PAGES]))
        language = detect_language(
            "\n".join(f"{each.title}\n{each.text[:2000]}" for each in documents)
        )

        def made(answer: str, by: Engine) -> Title:
            return Title(outputs.read_title(answer, question.text), language, by)

        return await self._made(
            question,
            reader,
            made,
            lambda: self._engine.suggest_title(documents, topics=topics),
            is_worth_it=any(each.title.strip() or each.text.strip() for each in documents),
        )

    async def _made(
        self,
        question: Question,
        reader: Reader,
        made: Make[Result],
        built_in: Callable[[], Awaitable[Result]],
        *,
        is_worth_it: bool,
    ) -> Result:
        if not is_worth_it:  # nothing that a model could say more about
            return await built_in()
        chosen = await self._chosen(reader)
        reason = chosen.reason
        for provider in chosen.providers:
            by = Engine(provider.kind, provider.model)
            try:
                return await self._asker.ask(provider, question, reader, partial(made, by=by))
            except ModelFailed as failed:
                reason = failed.reason
                _log.warning("no usable answer of a model", model=provider.model, **failed.facts)
        return _limited(await built_in(), reason)

    async def _chosen(self, reader: Reader) -> Chosen:
        mine = None
        may_ask = True
        if reader.user_id is not None:
            try:
                async with self._db.read() as tx:
                    mine = await own.load_own(tx, self._settings, reader.user_id)
                    may_ask = (await self._allowances(tx, reader.user_id)).has(Flag.MODELS)
            except (KeyUnreadable, InstallationKeyUnusable) as error:
                _log.warning("a person's provider key can't be used", why=str(error))
                return Chosen((), Reason.KEY_UNREADABLE)
        payer = Payer.PLAN if reader.user_id is not None else Payer.INSTALLATION
        found = providers_in_order(self._settings[LanguageSettings], mine, payer)
        if found and mine is None and not may_ask:
            return Chosen((), Reason.NOT_IN_PLAN)
        return Chosen(found)


def _limited(result: Result, reason: Reason | None) -> Result:
    """It says why no model made it, if one should have."""
    if reason is None:
        return result
    return replace(result, engine=replace(result.engine, limitation=str(reason)))


def _source(document: Document) -> str:
    return f"{document.title}\n{document.text}"
