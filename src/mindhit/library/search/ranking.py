"""How well a document, as it is now, answers what was asked, and where it does. Pure.

    title > highlight, note, tag > keywords, topics > summary, description > address > text

A word counts where it is found best. Exact ones count more than other forms, those more than words that
begin with it, and those more than one with a wrong letter; Korean counts more at the beginning of a run
than inside of one. Rare words count more than common ones. What was typed in the same order counts once
more. Among equals the newer one comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice, pairwise
from math import log2
from typing import Final

from mindhit.library.search import words as rules
from mindhit.library.search.lexemes import LONGEST_SAID
from mindhit.library.search.matching import Word, gapped, near
from mindhit.library.search.parsing import Parsed
from mindhit.library.search.snippets import BEGINNING, Shown, places


class Field(StrEnum):
    TITLE = "title"
    HIGHLIGHT = "highlight"
    NOTE = "note"
    TAGS = "tags"
    KEYWORDS = "keywords"
    TOPICS = "topics"
    SUMMARY = "summary"
    DESCRIPTION = "description"
    ADDRESS = "address"
    TEXT = "text"


WEIGHTS: Final[Mapping[Field, float]] = {
    Field.TITLE: 8.0,
    Field.HIGHLIGHT: 5.0,
    Field.NOTE: 5.0,
    Field.TAGS: 5.0,
    Field.KEYWORDS: 4.0,
    Field.TOPICS: 4.0,
    Field.SUMMARY: 3.0,
    Field.DESCRIPTION: 3.0,
    Field.ADDRESS: 2.5,
    Field.TEXT: 2.0,
}
_FORM, _INSIDE, _BEGINNING, _MISSPELLED = 0.9, 0.7, 0.6, 0.5
_MOST_COUNTED: Final = 16  # of a word in a text
_MOST_TRIED: Final = 50  # words of a text that begin like one that is looked for
# Places at which a phrase may begin; where a text has more, all are tried at once.
_MOST_PLACES: Final = 50
# Places at which a text has the letters of a word, also inside of others. A word of two letters has no
# more of them in what is indexed of a field.
_MOST_MET: Final = LONGEST_SAID // 2
_REST: Final = re.compile(rf"[^\W_{rules.PAIRED}]*")
_IN_A_ROW: Final = 3.0
_LONG_TITLE: Final = 12  # words


@dataclass(frozen=True, slots=True)
class Question:
    """`must` says whether a document needs every word; `misspelled` which may have a wrong letter."""

    parsed: Parsed
    words: tuple[Word, ...]
    rarity: Mapping[str, float]
    misspelled: frozenset[str]
    must: bool = True

    def weight_of(self, one: Word) -> float:
        """Where some words are enough, those that nothing has don't count."""
        return self.rarity.get(one.typed, 1.0 if self.must else 0.01)


@dataclass(frozen=True, slots=True)
class Rank:
    score: float
    found_in: Field | None
    has_all: bool = True


def rank(question: Question, fields: Sequence[tuple[Field, str]]) -> Rank | None:
    """None where the document does not answer: it has changed since it was indexed, or lacks a phrase."""
    folded = [(field, rules.fold(text)) for field, text in fields if text]
    if not _phrases_fit(question.parsed, folded):
        return None
    score, where, weight, has_all = 0.0, dict[Field, float](), 0.0, True
    for one in question.words:
        best, field = _best(question, one, folded)
        if field is None:
            if question.must:
                return None
            has_all = False
            continue
        weight += question.weight_of(one)
        score += best * question.weight_of(one)
        where[field] = where.get(field, 0.0) + best
    if question.words and not where:
        return None
    if not question.must:  # three words in a text say more than one in a title
        score *= weight / sum(question.weight_of(one) for one in question.words)
    score += _in_a_row(question, folded)
    return Rank(score, max(where, key=lambda each: where[each]) if where else None, has_all)


def _best(
    question: Question, one: Word, folded: Sequence[tuple[Field, str]]
) -> tuple[float, Field | None]:
    best, where = 0.0, None
    for field, text in folded:
        if WEIGHTS[field] <= best:  # of a word in the title, the text is not looked through
            continue
        quality = _quality(question, one, field, text)
        if quality <= 0:
            continue
        value = WEIGHTS[field] * quality
        if field is Field.TITLE:
            value *= 1.0 if text.count(" ") < _LONG_TITLE else 0.9
        if value > best:
            best, where = value, field
    in_text = next((text for field, text in folded if field is Field.TEXT), "")
    if where is not None and in_text:
        best += 0.5 * log2(1 + min(_count(one, in_text), _MOST_COUNTED))
    return best, where


def _quality(question: Question, one: Word, field: Field, text: str) -> float:
    if one.is_paired:
        if one.base in text:
            return 1.0 if _begins_a_run(one.base, text) else _INSIDE
        if any(form in text for form in one.forms):
            return _FORM
    elif (quality := _spelled(one, text)) > 0:
        return quality
    if one.typed in question.misspelled and field is not Field.TEXT:
        return _MISSPELLED if _is_near(one, text) else 0.0
    return 0.0


def _begins_a_run(base: str, text: str) -> bool:
    """전세 is in 전세보증금 at its beginning, and in 완전세척 by chance."""
    return any(not at or not rules.is_paired(text[at - 1]) for at in _apart(text, base))


def _spelled(one: Word, text: str) -> float:
    best = 0.0
    for token in _beginning_with(one, text):
        known = rules.singular(token)
        if known == one.base or token == one.typed:
            return 1.0
        best = max(best, _FORM if known in one.forms else _BEGINNING)
    return best


def _beginning_with(one: Word, text: str) -> Iterator[str]:
    """Words that begin with it, or with another form of it. By `find`: a pattern that begins with a
    condition is tried at every letter (13 ms for fifty texts, against 1)."""
    for stem in _stems(one):
        if stem not in text:
            continue
        begun = (at for at in _apart(text, stem) if _begins_a_word(text, at))
        for at in islice(begun, _MOST_TRIED):
            yield _REST.match(text, at)[0]  # type: ignore[index]


def _begins_a_word(text: str, at: int) -> bool:
    """오픈AI is two words."""
    return not at or not text[at - 1].isalnum() or rules.is_paired(text[at - 1])


def _apart(text: str, word: str) -> Iterator[int]:
    """Places that don't overlap: no word begins inside of its own letters."""
    at, met = text.find(word), 0
    while at >= 0 and met < _MOST_MET:
        yield at
        at, met = text.find(word, at + len(word)), met + 1


@lru_cache(maxsize=500)
def _stems(one: Word) -> tuple[str, ...]:
    """It, and its forms without those that begin with another: what begins with reading begins with read. It
    comes first by itself: a text may have many readers before somebody is reading."""
    stems = list[str]()
    for form in sorted((one.base, *one.forms), key=len):
        if not form.startswith(tuple(stems)):
            stems.append(form)
    return tuple(dict.fromkeys((one.base, *stems)))


def _count(one: Word, text: str) -> int:
    return text.count(one.base)


def _is_near(one: Word, text: str) -> bool:
    if one.is_paired:
        return any(
            _has_gapped(run, written)
            for run in rules.words(text)
            if rules.is_paired(run)
            for written in one.runs
        )
    found = near(one)
    return any(rules.singular(each) in found for each in rules.words(text))


def _has_gapped(run: str, base: str) -> bool:
    found = {*rules.pairs(run), *rules.open_pairs(run)}
    return any(found.issuperset(pattern) for pattern in gapped(base))


def _phrases_fit(parsed: Parsed, folded: Sequence[tuple[Field, str]]) -> bool:
    for phrase in parsed.phrases:
        if not any(_has_phrase(phrase, text) for _, text in folded):
            return False
    return not any(_has_phrase(phrase, text) for phrase in parsed.excluded for _, text in folded)


def _has_phrase(phrase: tuple[str, ...], text: str) -> bool:
    """The words one after the other, whatever is between them that is no word."""
    if not all(word in text for word in phrase):
        return False
    # Most texts don't have the first two side by side, which a pattern finds out in 0.3 ms for fifty texts, against 0.8.
    # With all words of a long phrase it might take forever: a text may repeat one of them.
    if len(phrase) > 1 and _in_order(phrase[:2]).search(text) is None:
        return False
    whole, is_paired = _in_order(phrase), rules.is_paired(phrase[0])
    ends_anywhere, tried = rules.is_paired(phrase[-1]), 0
    for at in places(text, phrase[0], len(text)):
        if not is_paired and not _begins_a_word(text, at):
            continue
        found = whole.match(text, at)
        if found is not None and (ends_anywhere or _REST.match(text, found.end())[0] == ""):  # type: ignore[index]
            return True
        tried += 1
        if tried == _MOST_PLACES:
            return _joined(phrase) in _joined(tuple(rules.words(text)))
    return False


@lru_cache(maxsize=500)
def _in_order(phrase: tuple[str, ...]) -> re.Pattern[str]:
    """Whether its last word ends there is another question: to compile a pattern with a class of all syllables
    takes 5 ms, and whoever types two words asks with a new one."""
    whole = re.escape(phrase[0])
    for before, word in pairwise(phrase):
        may_touch = rules.is_paired(before) or rules.is_paired(word)
        whole += (r"[\W_]*" if may_touch else r"[\W_]+") + re.escape(word)
    return re.compile(whole)


def _joined(words: Sequence[str]) -> str:
    """To be searched in one go, where a text repeats the first word of a phrase all the time. Other words
    stand between spaces; runs without any, for they are often spelled together."""
    return "".join(word if rules.is_paired(word) else f" {word} " for word in words)


def _in_a_row(question: Question, folded: Sequence[tuple[Field, str]]) -> float:
    typed = question.parsed.words
    if len(typed) < 2:
        return 0.0
    best = 0.0
    for field, text in folded:
        if WEIGHTS[field] > best and _has_phrase(typed, text):
            best = WEIGHTS[field]
    return _IN_A_ROW * best / WEIGHTS[Field.TITLE]


def shown(question: Question) -> Shown | None:
    """What is marked in a text as it stands, which is not folded. Of forms that begin with another one only
    that: the rest of a word is marked anyway, and a pattern with all of them takes twice as long to compile."""
    options = [re.escape(one.base) for one in question.words if one.is_paired]
    spelled = [each for one in question.words if not one.is_paired for each in _stems(one)]
    if spelled:
        near = "|".join(
            re.escape(each) for each in sorted(set(spelled), key=lambda w: (-len(w), w))
        )
        options.append(rf"(?P<{BEGINNING}>(?<![^\W_])(?i:{near}))")
    if not options:
        return None
    return Shown(tuple(one.base for one in question.words), re.compile("|".join(options)))
