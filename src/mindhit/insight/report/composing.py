"""A report as a mail and as an answer of the API: the same facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta

from mindhit.insight.mindmap import labels
from mindhit.insight.model import Shape
from mindhit.insight.report import texts
from mindhit.insight.store.reports import Facts, LongRead
from mindhit.mail import Button, Image, Message, Picture, render

CONTENT_ID: Final = "map"
SUBJECT_CHARACTERS: Final = 100


State = Annotated[
    str, Meta(extra_json_schema={"enum": ["due", "sent", "off", "no_server", "failed"]})
]


class ReportPage(Shape, frozen=True):
    title: str
    duration_ms: int


class Report(Shape, frozen=True):
    """What the mail of a session says. `state` is null until the session was completed."""

    title: str
    started_at: str
    ended_at: str | None
    total_duration_ms: int
    page_count: int
    highlight_count: int
    top_keywords: list[str]
    longest: list[ReportPage]
    state: State | None
    sent_at: str | None


@dataclass(frozen=True, slots=True)
class Links:
    session: str
    unsubscribe: str


def title_of(facts: Facts, zone: tzinfo) -> str:
    if facts.title:
        return labels.clean(facts.title)
    words = texts.texts_for(facts.language)
    return words["untitled"].format(date=texts.date(facts.started_at, zone, facts.language))


def compose(
    facts: Facts,
    longest: Sequence[LongRead],
    session_id: UUID,
    zone: tzinfo,
    links: Links,
    png: bytes | None,
    host: str,
) -> Message:
    words = texts.texts_for(facts.language)
    title = title_of(facts, zone)
    rendered = render(
        title=title,
        paragraphs=list(_paragraphs(facts, longest, zone)),
        footer=words["why"],
        language=facts.language,
        button=Button(words["open"], links.session),
        picture=Picture(CONTENT_ID, words["map"]) if png else None,
        footer_link=Button(words["stop"], links.unsubscribe),
    )
    return Message(
        facts.email,
        words["subject"].format(title=title)[:SUBJECT_CHARACTERS],
        rendered.text,
        rendered.html,
        facts.language,
        f"report.{session_id}@{host}",
        (Image(CONTENT_ID, png),) if png else (),
        {
            "List-Unsubscribe": f"<{links.unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def _paragraphs(facts: Facts, longest: Sequence[LongRead], zone: tzinfo) -> list[str]:
    words, language = texts.texts_for(facts.language), facts.language
    when = words["when"].format(
        date=texts.date(facts.started_at, zone, language),
        duration=texts.duration(facts.total_duration_ms, language),
        pages=texts.page_count(facts.page_count, language),
    )
    found = [when]
    if facts.top_keywords:
        keywords = ", ".join(labels.clean(word) for word in facts.top_keywords)
        found.append(words["keywords"].format(keywords=keywords))
    named = [each for each in longest if each.title]
    if named:
        lines = [
            f"• {labels.shorten(labels.clean(each.title or ''))}"
            f" ({texts.duration(each.duration_ms, language)})"
            for each in named
        ]
        found.append("\n".join([words["longest"], *lines]))
    if facts.highlight_count:
        which = "highlight" if facts.highlight_count == 1 else "highlights"
        found.append(words[which].format(count=facts.highlight_count))
    return found
