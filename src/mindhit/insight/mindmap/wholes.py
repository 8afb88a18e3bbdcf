"""Is a keyword whole? An engine without a model cuts words out of sentences, and some of the cuts are wrong.

    "Santa" where the text says "Santa Fe"            the whole name is taken
    "Williams" where it says three different ones     no keyword
    "Officers" where it also says "officers"          a sentence began with it: no name
    "commercial moon" of "commercial moon shots"      no keyword
    "코스 길" of "코스 길찾기"                          no keyword

Looked up in the text that the keyword is of. A word that is not there is taken as it is: a model chose
it, or it stands further below than the text was read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from mindhit.insight.mindmap import labels
from mindhit.language.builtin import is_verb

MOST_WORDS: Final = 4  # of a name
SHARE: Final = 0.6  # of the places where it stands, that have to agree
_AFTER: Final = re.compile(r" ((?:of (?:the )?)?[^\W_][\w&'’-]*)")
_BEFORE: Final = re.compile(r"([^\W_][\w-]*(?: and| &)?) $")
# What a Korean word may go on with and still be the word.
_KOREAN_END: Final = re.compile(
    r"(?:들|인|이[다며고었]|입니다|였|하[다는고며면여]|한|할|해|했|되|된|될|적|으?로[는도서써]?|에서?[는도]?|에게|까지|부터|처럼|보다|라는|이라는|은|는|이|가|을|를|의|와|과|도|만|나|랑)"
)
_HANGUL: Final = re.compile(r"[가-힣]")
_TITLES: Final = labels.listed("titles")
_ALSO_NOUNS: Final = labels.listed("also_nouns")
_OF_NAMES: Final = labels.listed("of_names")


@lru_cache(maxsize=16_384)
def whole_word(word: str, text: str, title: str = "") -> str | None:
    """The keyword as the text has it, or None if it is a piece of something else. Titles are no evidence
    of names: some have a capital in every word."""
    if _HANGUL.search(word):
        return word if _ends_well(word, f"{title}\n{text}") else None
    word = labels.named(word)
    if not word.isascii():
        return word
    if _is_mixed(word):
        return None
    if word[:1].isupper():
        return _whole_name(word, text)
    return None if _is_cut(word, f"{title}\n{text}") else word


def _is_mixed(word: str) -> bool:
    """ "game Challenges": the end of one thing and the beginning of another."""
    first, *rest = word.split(" ")
    if not rest or not first.islower() or first in _OF_NAMES or not first.isalpha():
        return False
    return any(each[:1].isupper() and each[1:].islower() for each in rest)


def _ends_well(word: str, text: str) -> bool:
    at = [end for _, end in _places(word, text, is_open=True)]
    if not at:
        return True
    fine = sum(not _HANGUL.match(text, end) or bool(_KOREAN_END.match(text, end)) for end in at)
    return fine >= SHARE * len(at)


def _whole_name(word: str, text: str) -> str | None:
    if " " not in word and not word.isupper() and _is_common(word, text):
        return None
    if len(word) > 7 and word.isupper() and word.isalpha():
        word = word.capitalize()  # as the line of a report begins: "CLEVELAND (AP)"
    places = list(_places(word, text))
    name, grown = word, True
    while grown and places and name.count(" ") < MOST_WORDS:
        grown = False
        for look, is_after in ((_after, True), (_before, False)):
            said = Counter(look(text, start, end) for start, end in places)
            [(next_, times)] = said.most_common(1)
            if next_ is not None and times >= SHARE * len(places):
                name = f"{name} {next_}" if is_after else f"{next_} {name}"
                places = list(_places(name, text))
                grown = True
    if len(name.split(" ")) > MOST_WORDS or _is_several(name, text, places):
        return None
    # "President Richard" of "President Richard von Weizsäcker"
    is_begun = sum(text[end : end + 5].lstrip(" ").split(" ")[0] in _OF_NAMES for _, end in places)
    return None if places and is_begun >= SHARE * len(places) else name


def _is_common(word: str, text: str) -> bool:
    """It is also written small."""
    small = word.lower()
    return any(
        True for each in {small, f"{small}s", labels.stem(small)} for _ in _places(each, text)
    )


def _is_several(name: str, text: str, places: list[tuple[int, int]]) -> bool:
    """A surname of several people, none of them more than the others."""
    if len(places) < 2 or " " in name:
        return False
    first = [_before(text, start, end) for start, end in places]
    return len(set(first) - {None}) > 1 and first.count(None) < (1 - SHARE) * len(first)


def _after(text: str, _start: int, end: int) -> str | None:
    """The next word, if it belongs to a name too."""
    found = _AFTER.match(text, end)
    if found is None:
        return None
    last = found[1].split(" ")[-1]
    if not last[0].isupper() or last.lower() in labels.FUNCTION:
        return None
    return found[1].removesuffix("'s").removesuffix("’s")


def _before(text: str, start: int, _end: int) -> str | None:
    found = _BEFORE.search(text, max(0, start - 40), start)
    if found is None or not found[1][0].isupper() or found[1].lower() in labels.FUNCTION:
        return None
    begins = text[max(0, found.start() - 3) : found.start()].rstrip(" ")
    if not begins or begins[-1] in '.!?:;"“”\n':
        return None  # a capital that the sentence gave it
    return None if found[1].lower() in _TITLES else found[1]


def _is_cut(word: str, text: str) -> bool:
    """A phrase that always goes on: something else is meant."""
    ends = [end for _, end in _places(word, text.lower())] if " " in word else []
    return bool(ends) and all(_goes_on(text, end) for end in ends)


def _goes_on(text: str, end: int) -> bool:
    """With another noun, as far as that can be told."""
    found = _AFTER.match(text, end)
    if found is None or not found[1].isalpha():
        return False
    word = found[1].lower()
    return word in _ALSO_NOUNS or not (word in labels.FUNCTION or is_verb(word))


def _places(word: str, text: str, *, is_open: bool = False) -> Iterator[tuple[int, int]]:
    """Where it stands as a word; `is_open`: or begins one."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        before = text[at - 1 : at]
        is_begun = not (
            before.isalpha() or before in {"-", "_"} or (before.isdigit() and not is_open)
        )
        is_ended = is_open or end >= len(text) or not (text[end].isalnum() or text[end] in "-_")
        if is_begun and is_ended:
            yield at, end
        at = text.find(word, end)
