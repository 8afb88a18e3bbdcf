"""Noun phrases of a text, and how it spells them.

The unit of everything that people read: keywords, labels, titles. A phrase is known by its stems;
it is shown as the text most often writes it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from mindhit.language.builtin.words import Plain, Sentence, read_plainly

MOST_WORDS = 4
_PHRASE = re.compile(r"[JVa]*[NPn]+")
_NAME = re.compile(r"P{2,3}")

Stems: TypeAlias = tuple[str, ...]


class Phrase(NamedTuple):
    stems: Stems
    text: str


def find(sentences: Iterable[Sentence]) -> Iterator[Phrase]:
    """Every noun phrase where it stands, without the general words it begins with."""
    for sentence in sentences:
        yield from _find(sentence.text, sentence.tokens)


def read(sentences: Sequence[str], language: str) -> list[list[Phrase]]:
    """Those of each sentence, where nothing else is needed of it."""
    found = read_plainly(sentences, language)
    return [list(_find(*each)) for each in zip(sentences, found, strict=True)]


def find_names(sentences: Iterable[Sentence]) -> Iterator[Phrase]:
    """Names of two or three words."""
    for sentence in sentences:
        for match in _NAME.finditer(sentence.parts):
            yield _phrase(sentence.text, sentence.tokens[match.start() : match.end()])


def _find(text: str, tokens: Sequence[Plain]) -> Iterator[Phrase]:
    parts = "".join([part for _, _, part, _, _ in tokens])
    for match in _PHRASE.finditer(parts):
        start, end = match.span()
        start = max(start, end - MOST_WORDS)
        while start < end and parts[start] in "an":
            start += 1
        if start < end:
            yield _phrase(text, tokens[start:end])


def _phrase(sentence: str, tokens: Sequence[Plain]) -> Phrase:
    text = sentence[tokens[0][3] : tokens[-1][4]]
    text = text.removesuffix("'s").removesuffix("’s")
    return Phrase(tuple([stem for _, stem, _, _, _ in tokens]), text)


class Spellings:
    """How each phrase is written; the spelling seen most often wins, then the one seen first."""

    def __init__(self) -> None:
        self._seen: defaultdict[Stems, dict[str, int]] = defaultdict(dict)

    def note(self, stems: Stems, text: str, times: int = 1) -> None:
        seen = self._seen[stems]
        seen[text] = seen.get(text, 0) + times

    def of(self, stems: Stems) -> str:
        seen = self._seen[stems]
        return max(seen, key=lambda text: seen[text])

    def find(self, stems: Stems) -> str | None:
        """The same, or `None` for a phrase that nowhere stands by itself."""
        return self.of(stems) if stems in self._seen else None
