"""The answers when a text was too much for the engine: short, cheap, and never wrong.

They look at the first few thousand characters only, so they can be made anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from mindhit.language.builtin.cleaning import clean, clean_line
from mindhit.language.builtin.engine import NAME, VERSION
from mindhit.language.builtin.languages import detect_language
from mindhit.language.builtin.sentences import split
from mindhit.language.model import Document, Engine, Keywords, Summary, Title, Topic, Topics

_LOOKED_AT = 3_000


def summary(document: Document, sentences: int, limitation: str) -> Summary:
    text = clean(document.text[:_LOOKED_AT])
    found = tuple(split(text)[:sentences])
    return Summary(" ".join(found), found, (), detect_language(text), _engine(limitation))


def keywords(document: Document, limitation: str) -> Keywords:
    return Keywords((), detect_language(document.text[:_LOOKED_AT]), _engine(limitation))


def topics(documents: Sequence[Document], limitation: str) -> Topics:
    """One topic that has all of them, named after the first title."""
    language = detect_language(" ".join(each.title[:100] for each in documents[:100]))
    if not documents:
        return Topics((), language, _engine(limitation))
    one = Topic(_first_title(documents), tuple(range(len(documents))), ())
    return Topics((one,), language, _engine(limitation))


def title(documents: Sequence[Document], limitation: str) -> Title:
    text = _first_title(documents)
    return Title(text, detect_language(text), _engine(limitation))


def _first_title(documents: Sequence[Document]) -> str:
    return next((line for each in documents if (line := clean_line(each.title))), "")


def _engine(limitation: str) -> Engine:
    return Engine(NAME, VERSION, limitation)
