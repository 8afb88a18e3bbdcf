"""The subject of a page in the widest sense: business, sports, cooking.

A group of pages may belong together and share no word: a bank, a merger and an oil price are all business.
`subjects.toml` has the words by which a page is counted for a subject. A page that uses few of them, or as
many of two subjects, has none: no name is better than a wrong one.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from functools import cache
from importlib import resources
from math import log2
from typing import Final

from mindhit.insight.mindmap import labels
from mindhit.insight.model import PageRead

READ: Final = 4_000  # characters of a text
IN_TITLE, IN_KEYWORDS, IN_TEXT = 2.0, 1.0, 0.75
FEWEST_WORDS: Final = 2  # different ones; a text that uses one word often may mean something else
# Points that a page needs: a long text meets many words by chance.
ENOUGH, ENOUGH_OF_SHORT = 4.0, 2.5
SHORT: Final = 1_000  # characters
AHEAD: Final = 1.4  # of the second subject
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")


@cache
def _lexicon() -> tuple[tuple[dict[str, str], ...], dict[str, frozenset[int]], int]:
    """Names by language; words → the subjects they count for; the most words of an entry."""
    text = resources.files(__package__).joinpath("subjects.toml").read_text(encoding="utf-8")
    subjects = tomllib.loads(text)["subject"]
    found: defaultdict[str, set[int]] = defaultdict(set)
    for number, subject in enumerate(subjects):
        for entry in subject["words"].split(","):
            found[" ".join(map(labels.stem, entry.split()))].add(number)
    names = tuple({"en": each["en"], "ko": each["ko"]} for each in subjects)
    longest = max(len(entry.split()) for entry in found)
    return names, {word: frozenset(of) for word, of in found.items()}, longest


def name_of(subject: int, language: str) -> str:
    names, _, _ = _lexicon()
    return names[subject].get(language, names[subject]["en"])


def is_name(label: str) -> bool:
    names, _, _ = _lexicon()
    return any(label in each.values() for each in names)


def subject_of(page: PageRead) -> int | None:
    """The subject that a page plainly has, if any."""
    points: Counter[int] = Counter()
    words: defaultdict[int, set[str]] = defaultdict(set)
    sources = (
        (page.title, IN_TITLE),
        (" , ".join(page.keywords), IN_KEYWORDS),
        (f"{page.summary or ''} {page.text[:READ]}", IN_TEXT),
    )
    for text, weight in sources:
        for word, times in _known(text).items():
            subjects = _lexicon()[1][word]
            for subject in subjects:
                points[subject] += weight * log2(1 + times) / len(subjects)  # type: ignore[assignment]
                words[subject].add(word)
    ranked = [each for each, _ in points.most_common() if len(words[each]) >= FEWEST_WORDS]
    enough = ENOUGH if len(page.text) > SHORT else ENOUGH_OF_SHORT
    if not ranked or points[ranked[0]] < enough:
        return None
    others = [value for subject, value in points.items() if subject != ranked[0]]
    return ranked[0] if points[ranked[0]] >= AHEAD * max(others, default=0) else None


def _known(text: str) -> Counter[str]:
    """Entries of the lexicon in a text, longer ones before the words they are made of."""
    _, lexicon, longest = _lexicon()
    stems = [labels.stem(each) for each in _WORD.findall(text.casefold())]
    found: Counter[str] = Counter()
    place = 0
    while place < len(stems):
        for length in range(min(longest, len(stems) - place), 0, -1):
            entry = " ".join(stems[place : place + length])
            if entry in lexicon:
                found[entry] += 1
                place += length
                break
        else:
            place += 1
    return found
