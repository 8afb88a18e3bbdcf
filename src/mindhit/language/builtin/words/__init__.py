"""Sentences into words, by language.

Every reader gives tokens with the same letters for their part in a sentence:

    N  noun, or a word that may be one            P  name
    J  adjective                                  V  participle that may stand before a noun
    n  noun that says little by itself ("method") a  such an adjective ("new")
    w  a word of its own, never part of a phrase  x  no content; ends a phrase
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from mindhit.language.builtin.cleaning import LONGEST_WORD
from mindhit.language.builtin.words import english, korean, others


class Token(NamedTuple):
    text: str
    # The same for all forms of a word.
    stem: str
    part: str
    # Where it stands in its sentence.
    start: int
    end: int


class Sentence(NamedTuple):
    text: str
    tokens: tuple[Token, ...]

    @property
    def parts(self) -> str:
        return "".join(token.part for token in self.tokens)

    @property
    def stems(self) -> list[str]:
        """The stems of the words that have content."""
        return [token.stem for token in self.tokens if token.part != "x"]


Plain: TypeAlias = tuple[str, str, str, int, int]  # the fields of a token
Read: TypeAlias = Callable[[Sequence[str]], list[list[Plain]]]


def read(sentences: Sequence[str], language: str) -> list[Sentence]:
    """The tokens of each sentence, read as `language`."""
    make = tuple.__new__  # half the time of calling the class; a page has hundreds
    return [
        Sentence(text, tuple([make(Token, each) for each in tokens]))
        for text, tokens in zip(sentences, read_plainly(sentences, language), strict=True)
    ]


def read_plainly(sentences: Sequence[str], language: str) -> list[list[Plain]]:
    """The same without making tokens, for who reads eighty pages at once."""
    return [
        [each for each in tokens if len(each[0]) <= LONGEST_WORD]
        for tokens in _reader(language)(sentences)
    ]


def count_stems(text: str, language: str) -> Counter[str]:
    """The stems of the words that have content, where nothing else is needed: English is quick."""
    if language == "en":
        return english.count_stems(text)
    sentences = read(text.split("\n"), language)
    return Counter(stem for sentence in sentences for stem in sentence.stems)


def _reader(language: str) -> Read:
    if language == "en":
        return english.read
    if language == "ko":
        return korean.read
    return lambda sentences: others.read(sentences, language)
