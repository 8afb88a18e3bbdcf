"""Words of languages without a reader of their own.

Function words end a phrase: those on the language's list, or, where there is none, the short words
that a text uses most. Scripts that write without spaces are read in runs of one script, and long
runs in pairs of characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from mindhit.language.builtin.languages import function_words
from mindhit.language.builtin.words.english import TOKEN

_UNSPACED = re.compile(r"[㐀-䶿一-鿿]+|[゠-ヿー]+|[぀-ゟ]+|[฀-๿]+|[ក-៿]+|[က-႟]+|[຀-໿]+")
_KATAKANA = re.compile(r"[゠-ヿ]")
_HIRAGANA = re.compile(r"[぀-ゟ]")
# An unlisted language's function words: at most so long, and at least such a share of the text.
_SHORT, _FREQUENT = 4, 0.01
# Nouns are capitalised as names are.
_CAPITALISED_NOUNS = frozenset({"de"})


def read(sentences: Sequence[str], language: str) -> list[list[tuple[str, str, str, int, int]]]:
    known = function_words().get(language)
    little = known if known is not None else _frequent(sentences)
    return [_read_one(sentence, little, language) for sentence in sentences]


def _frequent(sentences: Sequence[str]) -> frozenset[str]:
    words = Counter(word.lower() for sentence in sentences for word in TOKEN.findall(sentence))
    least = max(3, words.total() * _FREQUENT)
    return frozenset(
        word for word, count in words.items() if count >= least and len(word) <= _SHORT
    )


def _read_one(
    sentence: str, little: frozenset[str], language: str
) -> list[tuple[str, str, str, int, int]]:
    found = []
    for match in TOKEN.finditer(sentence):
        word, start = match[0], match.start()
        if _UNSPACED.search(word):
            found += _runs(word, start)
            continue
        is_name = start > 0 and word[0].isupper() and language not in _CAPITALISED_NOUNS
        has_content = word[0].isalpha() and len(word) > 1 and word.lower() not in little
        part = ("P" if is_name else "N") if has_content else "x"
        found.append((word, word.lower(), part, start, match.end()))
    return found


def _runs(word: str, offset: int) -> list[tuple[str, str, str, int, int]]:
    found = []
    for match in _UNSPACED.finditer(word):
        run, start = match[0], offset + match.start()
        part = "x" if _HIRAGANA.match(run) else "N"
        size = 2 if len(run) > 4 and not _KATAKANA.match(run) else len(run)
        for at in range(0, len(run), size):
            piece = run[at : at + size]
            part_here = part if len(piece) > 1 else "x"
            found.append((piece, piece, part_here, start + at, start + at + len(piece)))
    return found
