"""Texts into words, the same for documents and for what is asked. Pure, and blind to locales.

A word is a run of letters and digits, folded: case, width and accents don't count, nor does the s of a
plural. Hangul, Chinese and Japanese are not spelled with spaces between all words, so their runs are
kept whole here and are indexed by pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

LONGEST_WORD: Final = 32  # characters; the rest of a longer one says nothing
LONGEST_SITE: Final = 253  # characters of a domain name
# Hangul, kana and Chinese characters, as a range of a pattern.
PAIRED: Final = "가-힣ぁ-ヿ㐀-鿿豈-﫿"
_WORD: Final = re.compile(rf"[{PAIRED}]+|[^\W_{PAIRED}]+")
_IS_PAIRED: Final = re.compile(rf"[{PAIRED}]")
_JAMO: Final = re.compile("[ㄱ-ㅣ]+")
_ACCENTED: Final = re.compile("[À-ɏḀ-ỿ]")
_SHORTEST_PLURAL: Final = 4
# What people copy from an address bar around the name of a site, and what can't stand in an entry's quotes.
_AROUND_SITE: Final = re.compile(
    r"""^["\s]*(?:https?://)?(?:www\.)?|(?::\d*)?(?:["/?#].*)?$|['\\\s\0]""", re.DOTALL
)

_FREQUENT: Final = """a about after all also am an and any are as at be because been before being but by can could did do
    does for from had has have he her here him his how i if in into is it its just me more most my no not
    of on once only or other our out over own she should so some such than that the their them then there
    these they this those through to too under until up very was we were what when where which while who
    whom why will with would you your"""
STOP_WORDS: Final = frozenset(_FREQUENT.split())


def fold(text: str) -> str:
    """Lower case, compatible forms, no accents."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _ACCENTED.sub(_plain, folded) if _ACCENTED.search(folded) else folded


def _plain(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFD", found[0])[0]


def words(text: str) -> Iterator[str]:
    """The words of a text, folded, in order; plurals as they are."""
    return (found[0] for found in _WORD.finditer(fold(text)))


def site(typed: str) -> str:
    """The domain of what was typed or copied: https://www.Example.org:443/x is example.org."""
    return _AROUND_SITE.sub("", fold(typed[:LONGEST_SITE])).strip(".")[:LONGEST_SITE]


def is_paired(word: str) -> bool:
    """Is it a run that is indexed by pairs?"""
    return _IS_PAIRED.match(word) is not None


def without_jamo(text: str) -> str:
    """Without letters of a syllable that is still being typed."""
    return _JAMO.sub(" ", text)


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """Queries and query are one word, and so are boxes and box. Both sides are cut alike, so it matters
    little that some are cut too short."""
    word = word[:LONGEST_WORD]
    if len(word) < _SHORTEST_PLURAL or word[-1] != "s" or word[-2] in "siu":
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) > _SHORTEST_PLURAL else word[:-1]
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses")) else word[:-1]


def pairs(run: str) -> list[str]:
    """가나다: 가나, 나다. A single character is itself."""
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def open_pairs(run: str) -> list[str]:
    """가나다라: 가·다, 나·라. They tell words that differ in the syllable between."""
    return [f"{run[i]}·{run[i + 2]}" for i in range(len(run) - 2)]
