"""The built-in engine itself: documents in, results out. Pure; runs in the processes of the pool.

Deterministic: the same documents give the same result, on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from mindhit.language.builtin import keyphrases, ranking, sentences, topics, words
from mindhit.language.builtin.cleaning import clean, clean_line
from mindhit.language.builtin.engine import engine_for
from mindhit.language.builtin.languages import detect_language
from mindhit.language.builtin.words import Sentence
from mindhit.language.model import Document, Keywords, Summary, Title, Topics


def summarise(document: Document, count: int) -> Summary:
    text, title = clean(document.text), clean_line(document.title)
    language = detect_language(text or title)
    found = words.read(sentences.split(text), language)
    heading = words.read([title], language)
    chosen = [found[place].text for place in ranking.best(found, heading[0].stems, count)]
    keywords = keyphrases.extract(_with_title(heading, found), language)
    return Summary(" ".join(chosen), tuple(chosen), tuple(keywords), language, engine_for(language))


def extract_keywords(document: Document, limit: int) -> Keywords:
    text, title = clean(document.text), clean_line(document.title)
    language = detect_language(text or title)
    found = words.read([title, *sentences.split(text)], language)
    keywords = keyphrases.extract(_with_title(found[:1], found[1:]), language, limit)
    return Keywords(tuple(keywords), language, engine_for(language))


def find_topics(documents: Sequence[Document]) -> Topics:
    pages = [topics.read(document) for document in documents]
    language = topics.main_language(pages)
    return Topics(topics.find_topics(pages), language, engine_for(language))


def suggest_title(documents: Sequence[Document], known: Topics | None) -> Title:
    pages = [topics.read(document) for document in documents]
    found = known.topics if known is not None else topics.find_topics(pages)
    language = topics.main_language(pages)
    return Title(topics.make_title(pages, found), language, engine_for(language))


def _with_title(heading: Sequence[Sentence], found: Sequence[Sentence]) -> list[Sentence]:
    """The title is read first, unless the text begins with it already."""
    if not heading[0].text or (found and found[0].text.startswith(heading[0].text)):
        return list(found)
    return [*heading, *found]
