"""The built-in engine: says what a text says without a key, a network or a model.

English and Korean are read by grammars; other languages by their function words, and those that
nobody knows by what repeats. `BuiltIn` reads in processes of its own (`pool`), so it may be awaited
anywhere; importing it loads neither numpy nor the Korean model.

- The same documents give the same results.
- No text raises: what takes too long or breaks the engine gets a plain answer (`plain`), and the
  result says so.
- No more than `MOST_CHARACTERS` of a text is read, whatever its length.

    cleaning ─▶ languages ─▶ sentences ─▶ words ─┬─▶ ranking      summaries
                                                 ├─▶ keyphrases   keywords
                                                 └─▶ clusters ─▶ topics, labels, titles
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from mindhit.language.builtin import plain
from mindhit.language.builtin.cleaning import MOST_CHARACTERS, cut
from mindhit.language.builtin.engine import FAILED, TIME_LIMIT, VERSION
from mindhit.language.builtin.languages import detect_language
from mindhit.language.builtin.messages import (
    ExtractKeywords,
    FindTopics,
    KeywordsExtracted,
    SuggestTitle,
    Summarise,
    Summarised,
    TitleSuggested,
    TopicsFound,
)
from mindhit.language.builtin.pool import (
    PROCESSES,
    SECONDS_PER_REQUEST,
    Crashed,
    Pool,
    TooSlow,
    reads_korean_morphemes,
)
from mindhit.language.builtin.words.english import is_verb
from mindhit.language.builtin.words.korean import is_installed as has_korean_model
from mindhit.language.model import Document, Keywords, Summary, Title, Topics

__all__ = [
    "MOST_CHARACTERS",
    "VERSION",
    "BuiltIn",
    "detect_language",
    "has_korean_model",
    "is_verb",
    "reads_korean_morphemes",
]

_DEFAULT_SENTENCES, _DEFAULT_KEYWORDS = 3, 10
# Of each of several documents; topics look at the beginnings only.
_MOST_OF_MANY = 8_000


class BuiltIn:
    """The engine with its processes, which start when they are first needed."""

    def __init__(self, processes: int = PROCESSES, *, seconds: float = SECONDS_PER_REQUEST) -> None:
        self._pool = Pool(processes, seconds=seconds)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the processes, and with them whatever they are reading."""
        await self._pool.close()

    async def summarise(self, document: Document, sentences: int = _DEFAULT_SENTENCES) -> Summary:
        """At most so many sentences of the text, and its keywords."""
        document = _cut(document)
        request = Summarise(document, sentences)
        try:
            answer = await self._pool.ask(request, korean=_is_korean(document))
        except (TooSlow, Crashed) as why:
            return plain.summary(document, sentences, _limitation(why))
        assert isinstance(answer, Summarised)
        return answer.result

    async def extract_keywords(
        self, document: Document, limit: int = _DEFAULT_KEYWORDS
    ) -> Keywords:
        document = _cut(document)
        request = ExtractKeywords(document, limit)
        try:
            answer = await self._pool.ask(request, korean=_is_korean(document))
        except (TooSlow, Crashed) as why:
            return plain.keywords(document, _limitation(why))
        assert isinstance(answer, KeywordsExtracted)
        return answer.result

    async def find_topics(self, documents: Sequence[Document]) -> Topics:
        """Every document in one topic; how many topics there are, the documents decide."""
        beginnings = [_beginning(document) for document in documents]
        try:
            answer = await self._pool.ask(
                FindTopics(beginnings), korean=any(map(_is_korean, beginnings))
            )
        except (TooSlow, Crashed) as why:
            return plain.topics(beginnings, _limitation(why))
        assert isinstance(answer, TopicsFound)
        return answer.result

    async def suggest_title(
        self, documents: Sequence[Document], topics: Topics | None = None
    ) -> Title:
        """A title for documents read together; with `topics` of theirs, nothing is found twice."""
        beginnings = [_beginning(document) for document in documents]
        request = SuggestTitle(beginnings, topics)
        try:
            answer = await self._pool.ask(request, korean=any(map(_is_korean, beginnings)))
        except (TooSlow, Crashed) as why:
            return plain.title(beginnings, _limitation(why))
        assert isinstance(answer, TitleSuggested)
        return answer.result


def _cut(document: Document) -> Document:
    return Document(_encodable(cut(document.text)), _encodable(document.title[:1000]))


def _beginning(document: Document) -> Document:
    return Document(_encodable(document.text[:_MOST_OF_MANY]), _encodable(document.title[:1000]))


def _encodable(text: str) -> str:
    """Unpaired surrogates can't be sent; they are no character of any text."""
    return text.encode("utf-8", "ignore").decode("utf-8")


def _is_korean(document: Document) -> bool:
    return "ko" in {detect_language(document.text), detect_language(document.title)}


def _limitation(why: TooSlow | Crashed) -> str:
    return TIME_LIMIT if isinstance(why, TooSlow) else FAILED
