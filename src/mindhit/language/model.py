"""What goes into the port and what comes out of it, whichever engine did the work.

    Document   ─ summarise ─▶ Summary      ─ extract_keywords ─▶ Keywords
    Documents  ─ find_topics ─▶ Topics     ─ suggest_title ─▶ Title

Every result says which engine made it and in which language the text is ("ko", "en", …; "und" when
it can't be known). Texts come from anywhere and are data: nothing here interprets them.
"""

from __future__ import annotations

from dataclasses import dataclass

# ISO 639-2's code for a language that is not determined.
UNDETERMINED = "und"


@dataclass(frozen=True, slots=True)
class Engine:
    """What made a result."""

    # "builtin", or the provider: "openai", "gemini", "claude", "compatible".
    name: str
    # The provider's model; of the built-in engine its version: another version, other results.
    model: str
    # What made the result weaker than it could be, as a code: "korean-without-morphemes".
    limitation: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A text to read. An engine reads no more of it than its own limit."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a text says. `text` is the sentences in their order, joined by spaces."""

    text: str
    sentences: tuple[str, ...]
    keywords: tuple[str, ...]
    language: str
    engine: Engine


@dataclass(frozen=True, slots=True)
class Keywords:
    """The phrases a text is about, the most important one first, spelled as in the text."""

    keywords: tuple[str, ...]
    language: str
    engine: Engine


@dataclass(frozen=True, slots=True)
class Topic:
    """Documents that belong together; `members` are their places in the input, ascending.

    Every document is in exactly one topic. `subtopics` divide `members` further, or are empty.
    """

    label: str
    members: tuple[int, ...]
    keywords: tuple[str, ...]
    subtopics: tuple[Topic, ...] = ()


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of several documents, the largest one first."""

    topics: tuple[Topic, ...]
    language: str
    engine: Engine


@dataclass(frozen=True, slots=True)
class Title:
    """A title for several documents read together; empty when there is nothing to say."""

    text: str
    language: str
    engine: Engine
