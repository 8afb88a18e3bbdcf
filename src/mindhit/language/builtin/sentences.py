"""Text into sentences, by punctuation, for every script.

A line break always ends a sentence (`cleaning` has joined wrapped lines). Full stops of
abbreviations, initials and numbers don't. Nothing is longer than `LONGEST_SENTENCE`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from mindhit.language.builtin.lists import words

LONGEST_SENTENCE = 600
# Ranking compares each with each other; a long newspaper feature has 300.
MOST_SENTENCES = 600

_CLOSING = "\"'”’»」』)）\\]"
_END = re.compile(
    rf"(?<![.!?…])[.!?…]++[{_CLOSING}]*+(?=\s)"  # where words are separated by spaces
    rf"|[。！？．]+[{_CLOSING}]*|[؟۔।॥።]+"  # scripts with marks of their own
    rf"|(?<=[가-힣])[.!?]+[{_CLOSING}]*(?=[가-힣\"“‘'(])"  # Korean, where the space was forgotten
)
_BEFORE = re.compile(r"(\S+)$")
_ABBREVIATIONS = words("abbreviations", "words")
_OPENING = "\"'“‘«「『(（["
# Quotes whose full stops belong to the sentence around them.
_QUOTED = re.compile(
    r"“[^“”\n]{0,400}”|「[^「」\n]{0,400}」|『[^『』\n]{0,400}』|\"[^\"\n]{0,400}\""
)
_LETTER = re.compile(r"[^\W\d_]")


def split(text: str) -> list[str]:
    """The sentences of cleaned text, in order."""
    found: list[str] = []
    for line in text.split("\n"):
        for sentence in _of_line(line):
            found += _pieces(sentence)
            if len(found) >= MOST_SENTENCES:
                return found[:MOST_SENTENCES]
    return found


def _of_line(line: str) -> Iterator[str]:
    quotes = [match.span() for match in _QUOTED.finditer(line)]
    start = 0
    for match in _END.finditer(line):
        if _ends_here(line, start, match) and not _is_inside(match, quotes):
            yield line[start : match.end()].strip()
            start = match.end()
    if rest := line[start:].strip():
        yield rest


def _is_inside(match: re.Match[str], quotes: list[tuple[int, int]]) -> bool:
    """Whether the sentence goes on after the quote in which it seems to end."""
    at = bisect_left(quotes, (match.start(), 0)) - 1
    return at >= 0 and match.end() < quotes[at][1]


def _ends_here(line: str, start: int, match: re.Match[str]) -> bool:
    mark = match[0]
    if mark[0] != ".":
        return True
    after = line[match.end() : match.end() + 20].lstrip()
    if after and after[0].islower():
        return False
    before = _BEFORE.search(line, max(start, match.start() - 40), match.start())
    if before is None or len(mark) > 1:
        return True
    word = before[1].lstrip(_OPENING)
    is_initial = len(word) == 1 and word.isalpha() and word.isupper()
    if is_initial or word.lower() in _ABBREVIATIONS:
        return False
    return not (word.isdigit() and len(word) < 3 and start + len(word) >= match.start() - 1)


def _pieces(sentence: str) -> Iterator[str]:
    """One that is too long, cut at spaces; one without a letter is left out."""
    while len(sentence) > LONGEST_SENTENCE:
        end = sentence.rfind(" ", LONGEST_SENTENCE // 2, LONGEST_SENTENCE)
        end = end if end > 0 else LONGEST_SENTENCE
        if _LETTER.search(sentence, 0, end):
            yield sentence[:end].strip()
        sentence = sentence[end:].strip()
    if _LETTER.search(sentence):
        yield sentence
