"""Names for groups of pages: the words that many of them share and the others don't.

Candidates are what the engine suggests and the pages' own keywords. A name of two words, or one that is
written with a capital, says more than a single common noun: "oil prices" rather than "concerns". A common
noun alone names a group only where it stands in titles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mindhit.insight.mindmap import labels
from mindhit.insight.mindmap.wholes import whole_word
from mindhit.insight.model import PageRead
from mindhit.language import Topic

CANDIDATES: Final = 6  # keywords of a page that are looked at
SEVERAL_WORDS, CAPITAL, COMMON = 1.6, 1.3, 0.7
IN_TITLES: Final = 1.0  # how much more a name counts that stands in all titles
FITS_TOPIC: Final = 0.5  # of the pages
FITS_SUBTOPIC: Final = 0.6
NOUN_IN_TITLES: Final = 0.6  # of the pages, for a common noun alone
FITS_WHOLE: Final = 0.6
LONGEST_NAME: Final = 40
LOOKED_UP: Final = 40  # pages of a group in whose texts its suggested names are looked up


class Naming:
    """For the pages of one session: what each of them says is read once."""

    def __init__(self, pages: Sequence[PageRead], *, trusts_labels: bool = False) -> None:
        """`trusts_labels`: a model chose the topics' labels, in words that pages need not have."""
        self._trusts_labels = trusts_labels
        self._pages = pages
        self._titles = [labels.stems(page.title) for page in pages]
        self._said = [
            title | labels.stems(" ".join([page.summary or "", *page.keywords[:CANDIDATES]]))
            for title, page in zip(self._titles, pages, strict=True)
        ]
        self._saying, self._titled = _places(self._said), _places(self._titles)
        self._lines: dict[int, str] = {}

    def topic(self, topic: Topic, names: Sequence[str]) -> str:
        """A model's label where it fits, else what its pages share, else its longest page."""
        if self._trusts_labels and labels.is_fit(topic.label):
            return labels.shorten(labels.clean(topic.label))
        longest = max(topic.members, key=lambda at: (self._pages[at].duration_ms, -at))
        return self.shared(topic) or names[longest]

    def shared(self, topic: Topic) -> str | None:
        """A name that most of its pages share."""
        for name, fit in self._ranked(topic.members, [topic.label, *topic.keywords]):
            if fit >= FITS_TOPIC and self._says_enough(name, topic.members):
                return labels.capitalised(name)
        return None

    def has(self, place: int, name: str) -> bool:
        """Does a page say this name? Anywhere, as far as it was read."""
        return f" {' '.join(labels.stems_in_order(name))} " in self._line(place)

    def _line(self, place: int) -> str:
        """All that was read of a page, as stems."""
        if place not in self._lines:
            page = self._pages[place]
            parts = (page.title, page.summary or "", page.text, *page.keywords[:CANDIDATES])
            said = (" ".join(labels.stems_in_order(part)) for part in parts)
            self._lines[place] = f" {' | '.join(said)} "
        return self._lines[place]

    def subtopic(self, topic: Topic, parent: str) -> str | None:
        """None where no name fits most of its pages, or none says more than its topic's."""
        if self._trusts_labels and labels.is_fit(topic.label):
            label = labels.shorten(labels.clean(topic.label))
            return None if labels.overlap(label, parent) else label
        for name, fit in self._ranked(topic.members, [topic.label, *topic.keywords]):
            is_new = not labels.overlap(name, parent)
            if fit >= FITS_SUBTOPIC and is_new and self._says_enough(name, topic.members):
                return labels.capitalised(name)
        return None

    def whole(self) -> str | None:
        """What most of all pages share, if anything."""
        found = self._ranked(range(len(self._pages)), ())
        return found[0][0] if len(self._pages) > 1 and found and found[0][1] >= FITS_WHOLE else None

    def _says_enough(self, name: str, members: Sequence[int]) -> bool:
        if labels.is_telling(name):
            return True
        titled = sum(labels.stems(name) <= self._titles[at] for at in members)
        return titled >= NOUN_IN_TITLES * len(members)

    def _ranked(self, members: Iterable[int], suggested: Iterable[str]) -> list[tuple[str, float]]:
        """Names that two pages or more share, the best first, with the share of pages they fit."""
        inside = set(members)
        outside = len(self._pages) - len(inside)
        spelled: dict[str, str] = {}
        for word in self._candidates(sorted(inside), suggested):
            if labels.is_fit(word) and len(word) <= LONGEST_NAME:
                name = labels.named(word)
                spelled.setdefault(labels.normalised(name), name)
        scored = []
        for name in spelled.values():
            words = labels.stems(name)
            saying = _having(words, self._saying)
            if len(saying & inside) < FITS_TOPIC * len(inside):
                continue  # before it costs anything: it would not be taken
            if len(words) > 1:  # side by side, not anywhere on the page
                saying = {at for at in saying if self.has(at, name)}
            fits = len(saying & inside)
            if fits < min(2, len(inside)) or not words:
                continue
            titled = len(_having(words, self._titled) & inside) / len(inside)
            beyond = (len(saying) - fits) / max(1, outside)
            fit = fits / len(inside)
            score = fit * (1 - beyond) * (1 + IN_TITLES * titled) * _shape(name, words)
            scored.append((-score, name, fit))
        return [(name, fit) for _, name, fit in sorted(scored)]

    def _candidates(self, members: Sequence[int], suggested: Iterable[str]) -> Iterator[str]:
        """Words that are whole in the texts they are of."""
        read = [self._pages[at] for at in members]
        text = "\n".join(page.text for page in read[:LOOKED_UP])
        titles = "\n".join(page.title for page in read[:LOOKED_UP])
        found = [whole_word(word, text, titles) for word in suggested]
        for page in read:
            found += [whole_word(w, page.text, page.title) for w in page.keywords[:CANDIDATES]]
        yield from (word for word in found if word is not None)


def _places(said: Sequence[frozenset[str]]) -> dict[str, set[int]]:
    """Word → the pages that have it."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for place, words in enumerate(said):
        for word in words:
            found[word].add(place)
    return found


def _having(words: Iterable[str], places: Mapping[str, set[int]]) -> set[int]:
    """The pages that have all of these words, the rarest first."""
    several = sorted((places.get(word, set()) for word in words), key=len)
    return set.intersection(*several) if several else set()


def _shape(name: str, words: frozenset[str]) -> float:
    if len(words) > 1:
        return SEVERAL_WORDS
    if not name.isascii():
        return 1.0
    return CAPITAL if name[:1].isupper() else COMMON
