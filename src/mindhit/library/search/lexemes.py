"""A document as a tsvector: every entry begins with a short hash of its reader and says where the word is.

    t  in the title
    s  anywhere but in a recorded text: title, highlight, note, summary, keywords, address
    x  anywhere
    k  the kind of document, m its months, years, decades and centuries, h its site, whole and by parts

Each letter includes those above it, so that a condition on one place is one entry, and nothing has to be
compared row by row: an index that knows weights would fetch every row to look at them. Other forms, and
words that are spelled wrong, are looked for under `s`, which is a tenth of the entries.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

from mindhit.library.search import words as rules

# Characters that are indexed: of all titles together, of all that is said, and of a recorded text. Titles that
# there is no room for are indexed with what is said. A tsvector has room for a megabyte; in the worst case, where
# no two pairs of syllables are the same, a character of a title takes 42 bytes, of what is said 32, of a text 10.
LONGEST_TITLE: Final = 4_000
LONGEST_SAID: Final = 20_000
LONGEST_TEXT: Final = 10_000
TITLE, SAID, ANYWHERE, KIND, MONTH, HOST = "tsxkmh"
# A month 202511 is also found by its year, decade and century: 2025, 202, 20.
_PERIODS: Final = (6, 4, 3, 2)
LAST_MONTH: Final = 9999 * 12 + 11  # since the year 0


@dataclass(frozen=True, slots=True)
class Document:
    """What is indexed of one thing. `months` are those in which it was read or saved."""

    kind: str
    domain: str | None
    months: Sequence[str]
    title: Sequence[str] = ()
    said: Sequence[str] = ()  # highlights, notes, summaries, keywords, addresses
    text: str = ""


@lru_cache(maxsize=1_000)
def reader(user_id: UUID) -> str:
    """Three characters in front of all of a person's entries."""
    return urlsafe_b64encode(hashlib.sha256(user_id.bytes).digest()[:3])[:3].decode()


def month(at: datetime) -> str:
    return f"{at.year:04}{at.month:02}"


def lexemes(user_id: UUID, document: Document) -> str:
    """The tsvector, in writing."""
    titles = _words(document.title, LONGEST_TITLE)
    others = _words([*document.said, *document.title], LONGEST_SAID)
    text = _words([document.text], LONGEST_TEXT) - rules.STOP_WORDS
    title, said = _entries(titles), _entries(titles | others)
    found = {f"{TITLE}{entry}" for entry in title}
    found |= {f"{SAID}{entry}" for entry in said}
    found |= {f"{ANYWHERE}{entry}" for entry in said | _entries(text)}
    found |= {f"{SAID}{pair}" for pair in _open_pairs(titles | others)}
    found.add(f"{KIND}{document.kind}")
    found |= {f"{MONTH}{month[:length]}" for month in document.months for length in _PERIODS}
    found |= {f"{HOST}{each}" for each in hosts(document.domain or "")}
    mark = reader(user_id)
    return " ".join(f"'{mark}{entry}'" for entry in sorted(found))


def hosts(domain: str) -> list[str]:
    """docs.python.org, python.org, and the names docs and python."""
    parts = [part for part in rules.site(domain).split(".") if part]
    wholes = [".".join(parts[i:]) for i in range(max(len(parts) - 1, 1))]
    return list(dict.fromkeys([*wholes, *parts[:-1]])) if parts else []


def periods(first: int, last: int) -> list[str]:
    """The fewest centuries, decades, years and months that these are, as months since the year 0, both included."""
    first, last = max(first, 12), min(last, LAST_MONTH)
    found = list[str]()
    while first <= last:
        months, digits = next(
            (months, digits)
            for months, digits in ((1_200, 2), (120, 3), (12, 4), (1, 6))
            if first % months == 0 and first + months - 1 <= last
        )
        found.append(f"{first // 12:04}{first % 12 + 1:02}"[:digits])
        first += months
    return found


def _words(fields: Iterable[str], room: int) -> set[str]:
    """The words of some fields, as far as there is room for them. Folding may make a field longer."""
    found = set[str]()
    for field in fields:
        folded = rules.fold(field[:room])[:room]
        found.update(rules.words(folded))
        room -= len(folded)
    return found


def _entries(words: Iterable[str]) -> set[str]:
    found = set[str]()
    for word in words:
        if rules.is_paired(word):
            found.update(rules.pairs(word))
        else:
            found.add(rules.singular(word))
    return found


def _open_pairs(words: Iterable[str]) -> set[str]:
    return {pair for word in words if rules.is_paired(word) for pair in rules.open_pairs(word)}
