"""A document as a tsvector: every entry begins with a short hash of its reader and says where the word is.

    t  in the title
    s  anywhere but in a recorded text: title, highlight, note, summary, keywords, address
    x  anywhere
    k  the kind of document, m its months, h its site, whole and by parts

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

# Characters of a field that are indexed. A recorded text has at most 10,000.
LONGEST_FIELD: Final = 20_000
TITLE, SAID, ANYWHERE, KIND, MONTH, HOST = "tsxkmh"


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
    title = _entries(document.title)
    said = title | _entries(document.said)
    text = _entries([document.text], is_text=True) if document.text else set[str]()
    found = {f"{TITLE}{entry}" for entry in title}
    found |= {f"{SAID}{entry}" for entry in said}
    found |= {f"{ANYWHERE}{entry}" for entry in said | text}
    found |= {f"{SAID}{pair}" for pair in _open_pairs([*document.title, *document.said])}
    found.add(f"{KIND}{document.kind}")
    found |= {f"{MONTH}{each}" for each in document.months}
    found |= {f"{HOST}{each}" for each in hosts(document.domain or "")}
    mark = reader(user_id)
    return " ".join(f"'{mark}{entry}'" for entry in sorted(found))


def hosts(domain: str) -> list[str]:
    """docs.python.org, python.org, and the names docs and python."""
    parts = [
        part for part in rules.fold(domain).replace("'", "").replace("\\", "").split(".") if part
    ]
    wholes = [".".join(parts[i:]) for i in range(max(len(parts) - 1, 1))]
    return list(dict.fromkeys([*wholes, *parts[:-1]])) if parts else []


def _entries(fields: Iterable[str], *, is_text: bool = False) -> set[str]:
    found: set[str] = set()
    for field in fields:
        for word in set(rules.words(field[:LONGEST_FIELD])):
            if rules.is_paired(word):
                found.update(rules.pairs(word))
            elif not is_text or word not in rules.STOP_WORDS:
                found.add(rules.singular(word))
    return found


def _open_pairs(fields: Iterable[str]) -> set[str]:
    return {
        pair
        for field in fields
        for word in set(rules.words(field[:LONGEST_FIELD]))
        if rules.is_paired(word)
        for pair in rules.open_pairs(word)
    }
