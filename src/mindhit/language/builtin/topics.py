"""Pages read together into topics with labels, and a title for all of them.

A page counts by its title and its beginning: what it is about is said there, and eighty pages are
read in a tenth of a second.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from mindhit.language.builtin import clusters, phrases, sentences, words
from mindhit.language.builtin.cleaning import clean, clean_line
from mindhit.language.builtin.languages import detect_language
from mindhit.language.builtin.phrases import Phrase, Spellings, Stems
from mindhit.language.model import UNDETERMINED, Document, Topic

# A session of a long day has a few hundred pages; more are put with the last topic.
MOST_DOCUMENTS = 500
_READ_CHARACTERS = 3_000
# The first sentences, in which labels are looked for.
_LEAD_CHARACTERS = 600
# A word of the title counts as often as one that the beginning repeats three times.
_TITLE_WEIGHT = 3
_KEYWORDS = 6
# "oil prices" says more than "prices" where about as many pages have it.
_TWO_WORDS = 1.4
# A topic is divided further when it is this large, into groups of at least two.
_DIVIDED_FROM = 8
# The share of the pages from which one topic is what the whole was about, and its title.
_MAIN_SHARE = 0.6
_LABELS_IN_TITLE = 3


class Page(NamedTuple):
    """A document as far as topics need it."""

    language: str
    title: str
    words: Counter[str]
    # Of the title, then of each of the first sentences.
    phrases: list[list[Phrase]]


def read(document: Document) -> Page:
    text = clean(document.text[: 2 * _READ_CHARACTERS])[:_READ_CHARACTERS]
    title = clean_line(document.title)
    language = detect_language(f"{title}\n{text[:_LEAD_CHARACTERS]}")
    counts = words.count_stems(text, language)
    for stem, count in words.count_stems(title, language).items():
        counts[stem] += _TITLE_WEIGHT * count
    lead = sentences.split(text[:_LEAD_CHARACTERS])
    return Page(language, title, counts, phrases.read([title, *lead], language))


def main_language(pages: Sequence[Page]) -> str:
    known = Counter(page.language for page in pages if page.language != UNDETERMINED)
    return known.most_common(1)[0][0] if known else UNDETERMINED


def find_topics(pages: Sequence[Page]) -> tuple[Topic, ...]:
    """Every page in one topic, the largest topic first, each with a label of its own."""
    if not pages:
        return ()
    known = pages[:MOST_DOCUMENTS]
    groups = clusters.group([page.words for page in known])
    groups[-1] = [*groups[-1], *range(len(known), len(pages))]
    labels = _Labels(pages)
    named = [(places, labels.of(places)) for places in groups]
    return tuple(
        Topic(
            chosen[0], tuple(places), tuple(chosen[1:]), _divide(pages, places, chosen[0], labels)
        )
        for places, chosen in named
    )


def _divide(
    pages: Sequence[Page], places: Sequence[int], label: str, labels: _Labels
) -> tuple[Topic, ...]:
    if not _DIVIDED_FROM <= len(places) <= MOST_DOCUMENTS:
        return ()
    groups = clusters.group([pages[place].words for place in places])
    if len(groups) < 2 or len(groups[-1]) < 2:
        return ()
    found, among = [], labels.count(places)
    for group in groups:
        members = [places[at] for at in group]
        chosen = labels.of(members, among=among, without=label)
        found.append(Topic(chosen[0], tuple(members), tuple(chosen[1:])))
    return tuple(found)


class Among(NamedTuple):
    """So many pages, and how many of them have each phrase."""

    pages: int
    having: Counter[Stems]


class _Labels:
    """Names for groups of pages: the phrase that most of their titles and beginnings share and the
    other pages don't, titles counting double; no two groups get the same."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = pages
        self._spellings = Spellings()
        # A title's spelling counts double as well.
        self._in_titles, self._phrases = list[set[Stems]](), list[set[Stems]]()
        for page in pages:
            self._in_titles.append(self._stems_of(page.phrases[:1], 2))
            self._phrases.append(self._in_titles[-1] | self._stems_of(page.phrases[1:], 1))
        self._everywhere = self.count(range(len(pages)))
        self._used: set[str] = set()

    def _stems_of(self, lead: Sequence[Sequence[Phrase]], times: int) -> set[Stems]:
        found = set()
        for stems, text in chain.from_iterable(lead):
            self._spellings.note(stems, text, times)
            found.add(stems)
            if len(stems) > 2:  # "British film industry" is about the film industry too
                found.add(stems[-2:])
        return found

    def count(self, places: Sequence[int]) -> Among:
        return Among(len(places), _count(self._phrases, places))

    def of(self, places: Sequence[int], among: Among | None = None, without: str = "") -> list[str]:
        """The label, then further keywords: what tells these pages from the others `among` which
        they are."""
        pages, everywhere = among or self._everywhere
        others = pages - len(places)
        here, titles = _count(self._phrases, places), _count(self._in_titles, places)

        @cache  # thousands of phrases are on one page and on no other
        def score(count: int, all_pages: int, in_titles: int, *, is_long: bool) -> float:
            contrast = _contrast(count / len(places), (all_pages - count) / max(1, others))
            weight: float = (count + in_titles) ** 0.5
            return contrast * weight * (_TWO_WORDS if is_long else 1)

        scores = {
            stems: score(count, everywhere[stems], titles[stems], is_long=len(stems) > 1)
            for stems, count in here.items()
        }
        ranked = sorted(scores, key=lambda stems: (-scores[stems], stems))
        chosen = self._spelled(ranked, {without.casefold()})
        label = next((text for text in chosen if text.casefold() not in self._used), None)
        label = label or self._fallback(places)
        self._used.add(label.casefold())
        return [label, *[text for text in chosen if text != label][:_KEYWORDS]]

    def _spelled(self, ranked: Sequence[Stems], refused: set[str]) -> list[str]:
        chosen: dict[str, str] = {}
        for stems in ranked:
            text = self._spellings.find(stems)
            if text is not None and text.casefold() not in refused and len(text) > 1:
                chosen.setdefault(text.casefold(), text)
            if len(chosen) > 3 * _KEYWORDS:
                break
        return list(chosen.values())

    def _fallback(self, places: Sequence[int]) -> str:
        """Nothing is left to name it by: the title of a page, else a number."""
        for place in places:
            title = self._pages[place].title
            if title and title.casefold() not in self._used:
                return title[:80]
        return str(len(self._used) + 1)


def _count(found: Sequence[set[Stems]], places: Sequence[int]) -> Counter[Stems]:
    return Counter(chain.from_iterable([found[place] for place in places]))


def _contrast(inside: float, outside: float) -> float:
    """How much of the group has it, and how much more often than the others have it."""
    return inside * math.log((inside + 0.02) / (outside + 0.02))


def make_title(pages: Sequence[Page], topics: Sequence[Topic]) -> str:
    """One page's own title, else the label of the main topic, else those of the largest few; empty
    where there are no words for it."""
    if len(pages) == 1 and pages[0].title:
        return pages[0].title
    topics = [topic for topic in topics if not topic.label.isdecimal()]  # see `_fallback`
    if not topics:
        return ""
    if len(topics[0].members) >= _MAIN_SHARE * len(pages):
        return topics[0].label
    shared = [topic.label for topic in topics if len(topic.members) > 1] or [topics[0].label]
    return ", ".join(shared[:_LABELS_IN_TITLE])
