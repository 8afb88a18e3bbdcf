"""What models are asked: versioned files beside this one, and the texts they are asked about.

A changed prompt is a new file with a higher version, never a changed file: its name is part of what an
answer is stored under, and of what a result says about itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, Final

from mindhit.language.limits import PAGE_CHARACTERS, PAGE_TITLE_CHARACTERS, TEXT_CHARACTERS
from mindhit.language.model import Document
from mindhit.language.outputs import SCHEMAS
from mindhit.language.providers.model import Question

VERSIONS: Final[Mapping[str, str]] = {
    "summarise": "v1",
    "keywords": "v1",
    "topics": "v1",
    "title": "v1",
    "test": "v1",
}


def ask(operation: str, text: str, **numbers: int) -> Question:
    version = VERSIONS[operation]
    instructions = Template(_file(operation, version)).substitute(**_words(numbers))
    return Question(operation, version, instructions, text, SCHEMAS[operation])


def page(document: Document) -> str:
    """One page as data, between lines that its own text can't contain: they are made of its hash."""
    title, text = _title(document), _clean(document.text[:TEXT_CHARACTERS])
    return _between_markers(f"Title: {title}\n\n{text}")


def pages(documents: Sequence[Document]) -> str:
    entries = [
        f"{number}. {_title(each) or '(no title)'}\n   {_line(each.text[:PAGE_CHARACTERS])}"
        for number, each in enumerate(documents, 1)
    ]
    return _between_markers("\n".join(entries))


def _title(document: Document) -> str:
    return _line(document.title[:PAGE_TITLE_CHARACTERS])


def _between_markers(body: str) -> str:
    marker = f"=== page data {hashlib.sha256(body.encode()).hexdigest()[:16]} ==="
    return f"{marker}\n{body}\n{marker}"


def _line(text: str) -> str:
    return " ".join(_clean(text).split())


def _clean(text: str) -> str:
    """Without unpaired surrogates and NUL, which neither JSON nor the database can hold."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def _words(numbers: Mapping[str, int]) -> dict[str, Any]:
    return {name: str(number) for name, number in numbers.items()}


@cache
def _file(operation: str, version: str) -> str:
    return (files(__package__) / f"{operation}.{version}.md").read_text(encoding="utf-8")
