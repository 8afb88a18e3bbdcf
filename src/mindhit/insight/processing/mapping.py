"""The map of a session, with its title and its keywords: what is asked of the language engine, and what
becomes of the answers."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import msgspec

from mindhit import tracking
from mindhit.db import Tx
from mindhit.insight import store
from mindhit.insight.mindmap import labels
from mindhit.insight.mindmap.branches import FEW_PAGES, outline, shared_keywords
from mindhit.insight.mindmap.building import build_outline
from mindhit.insight.model import (
    LAYOUT_VERSION,
    MAP_VERSION,
    Graph,
    MadeBy,
    PageRead,
    to_json,
)
from mindhit.insight.showing import refresh_shown
from mindhit.insight.store.maps import NewMap
from mindhit.insight.store.processing import Stock
from mindhit.language import Document, Engine, Language, Reader, Topic, Topics, prompts
from mindhit.language.builtin import VERSION as BUILTIN_VERSION
from mindhit.tracking import SessionId

MOST_PAGES: Final = 500  # for topics; further ones follow their site
LONGEST_TITLE: Final = 120
UNTITLED: Final = {"en": "Session", "ko": "세션"}


@dataclass(frozen=True, slots=True)
class Made:
    graph: Graph
    title: str
    keywords: list[str]
    by: MadeBy


def made_of(pages: Sequence[PageRead], title: str | None) -> str:
    """The same for the same pages, times, highlights, summaries, reader's title and versions."""
    facts = [
        (
            page.url_id,
            page.title,
            page.visit_ids,
            page.duration_ms,
            page.highlight_count,
            page.summary,
            page.keywords,
        )
        for page in pages
    ]
    versions = (MAP_VERSION, LAYOUT_VERSION, BUILTIN_VERSION, sorted(prompts.VERSIONS.items()))
    return hashlib.sha256(msgspec.json.encode((versions, title, facts))).hexdigest()


async def make(language: Language, reader: Reader, pages: Sequence[PageRead], stock: Stock) -> Made:
    """Asks for topics where there are many pages, and for a title where the reader gave none."""
    engine = Engine("builtin", BUILTIN_VERSION)
    topics: Topics | None = None
    chosen = _longest(pages)
    documents = documents_of(pages)
    if len(pages) > FEW_PAGES:
        topics = await language.find_topics(documents, reader)
        engine = topics.engine
    title = labels.clean(stock.title or "") if stock.title_by == "reader" else ""
    if not title and documents and engine_asked(topics):
        suggested = await language.suggest_title(documents, reader, topics=topics)
        if suggested.engine.name != "builtin":  # its own takes any word; the map names it better
            title = labels.clean(suggested.text)[:LONGEST_TITLE]
        engine = _both(topics, suggested.engine)
    found = _whole(topics.topics if topics else (), chosen, pages)
    by_model = engine.name != "builtin"
    graph, title, keywords = await asyncio.to_thread(
        _draw, title, pages, found, stock.language, by_model
    )
    by = MadeBy(
        engine.name,
        engine.model,
        f"topics.{prompts.VERSIONS['topics']}",
        LAYOUT_VERSION,
        engine.limitation,
    )
    return Made(graph, title, keywords, by)


def _both(topics: Topics | None, named_by: Engine) -> Engine:
    """What made a map: what found its topics, if they were asked for. Where a model did and no model
    named it, that says why."""
    if topics is None:
        return named_by
    return replace(topics.engine, limitation=topics.engine.limitation or named_by.limitation)


def _draw(
    title: str, pages: Sequence[PageRead], topics: Sequence[Topic], language: str, by_model: bool
) -> tuple[Graph, str, list[str]]:
    """Map, title and keywords. What it costs grows with the pages: it runs in a thread."""
    root = outline(title, pages, topics, language, trusts_labels=by_model)
    root.label = root.label[:LONGEST_TITLE] or _fallback_title(pages, language)
    return build_outline(root, pages), root.label, shared_keywords(pages)


def engine_asked(topics: Topics | None) -> bool:
    """Not where the built-in engine found the topics: the rules of maps name a session better."""
    return topics is None or topics.engine.name != "builtin"


async def keep(
    tx: Tx, user_id: UUID, session_id: SessionId, made: Made, facts: str, timeline_version: int
) -> None:
    """Map, topics, title and keywords, together. Raises `SessionNotFound`."""
    await tracking.put_keywords(tx, user_id, session_id, made.keywords)
    if made.graph.nodes[0].related_page_visit_ids:
        await tracking.suggest_title(tx, user_id, session_id, made.title)
    await tx.run(
        store.maps.PUT_MAP,
        NewMap(
            session_id=session_id,
            user_id=user_id,
            nodes=to_json(made.graph.nodes),
            edges=to_json(made.graph.edges),
            metadata=msgspec.to_builtins(made.by),
            made_of=facts,
            timeline_version=timeline_version,
            thumbnail=[],
        ),
    )
    await refresh_shown(tx, user_id, session_id)


def documents_of(pages: Sequence[PageRead]) -> list[Document]:
    """What topics and a title are asked about."""
    chosen = (pages[place] for place in _longest(pages))
    return [document(page.title, page.domain, page.summary, page.text) for page in chosen]


def _longest(pages: Sequence[PageRead]) -> list[int]:
    """Places of the pages that topics are found for, in their order."""
    by_time = sorted(range(len(pages)), key=lambda place: (-pages[place].duration_ms, place))
    return sorted(by_time[:MOST_PAGES])


def document(title: str, domain: str, summary: str | None, text: str) -> Document:
    """What the page is called and says; the name of its site says nothing of it."""
    said = f"{summary}\n{text}" if summary else text
    return Document(said, labels.page_label(title, domain))


def _whole(
    topics: Sequence[Topic], chosen: Sequence[int], pages: Sequence[PageRead]
) -> list[Topic]:
    """The topics with places among all pages; those that were not asked about follow their site."""
    found = [_moved(topic, chosen) for topic in topics]
    rest = sorted(set(range(len(pages))) - set(chosen))
    if not rest or not found:
        return found
    sites: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for number, topic in enumerate(found):
        sites_of = (pages[place].domain for place in topic.members)
        for domain in sites_of:
            sites[domain][number] += 1
    extra: defaultdict[int, list[int]] = defaultdict(list)
    for place in rest:
        if known := sites.get(pages[place].domain):
            extra[known.most_common(1)[0][0]].append(place)
    return [
        Topic(topic.label, (*topic.members, *extra[number]), topic.keywords, topic.subtopics)
        for number, topic in enumerate(found)
    ]


def _moved(topic: Topic, chosen: Sequence[int]) -> Topic:
    return Topic(
        topic.label,
        tuple(chosen[place] for place in topic.members),
        topic.keywords,
        tuple(_moved(each, chosen) for each in topic.subtopics),
    )


def _fallback_title(pages: Sequence[PageRead], language: str) -> str:
    if not pages:
        return UNTITLED.get(language, UNTITLED["en"])
    longest = max(pages, key=lambda page: page.duration_ms)
    return labels.page_label(longest.title, longest.domain)
