"""Noun phrases of a text, and how it spells them.

The unit of everything that people read: keywords, labels, titles. A phrase is known by its stems;
it is shown as the text most often writes it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from mindhit.language.builtin.words import Sentence, Token

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
        parts = sentence.parts
        for match in _PHRASE.finditer(parts):
            start, end = max(match.start(), match.end() - MOST_WORDS), match.end()
            while start < end and parts[start] in "an":
                start += 1
            if start < end:
                yield _phrase(sentence, sentence.tokens[start:end])


def find_names(sentences: Iterable[Sentence]) -> Iterator[Phrase]:
    """Names of two or three words."""
    for sentence in sentences:
        for match in _NAME.finditer(sentence.parts):
            yield _phrase(sentence, sentence.tokens[match.start() : match.end()])


def _phrase(sentence: Sentence, tokens: tuple[Token, ...]) -> Phrase:
    text = sentence.text[tokens[0].start : tokens[-1].end]
    text = text.removesuffix("'s").removesuffix("’s")
    return Phrase(tuple(token.stem for token in tokens), text)


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
