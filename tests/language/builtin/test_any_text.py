"""Whatever comes in, a sensible answer comes out: no exception, and no more work than the limit."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindhit.language.builtin import MOST_CHARACTERS, reading
from mindhit.language.builtin.cleaning import clean
from mindhit.language.builtin.sentences import LONGEST_SENTENCE
from mindhit.language.model import Document

ODD = {
    "empty": "",
    "spaces": " \n\t \r\n ",
    "ten megabytes": "The quick brown fox jumps over the lazy dog. " * 222_223,
    "ten megabytes of Korean": "꿀벌이 꿀을 모은다. " * 900_000,
    "an endless word": "a" * 10_000_000,
    "an endless Korean word": "가" * 1_000_000,
    "only full stops": "." * 1_000_000,
    "only quotes": "“" * 500_000,
    "quotes and stops": '".' * 500_000,
    "only angle brackets": "<" * 1_000_000,
    "unclosed tags": "<a " * 300_000,
    "unclosed script": "<script>" * 100_000,
    "at signs": "@a" * 500_000,
    "mixed scripts": "Hello 세계 мир 世界 مرحبا שלום γειά नमस्ते สวัสดี. " * 30,
    "emoji": "🎉🎊👩‍👩‍👧‍👦 " * 500,
    "markup": "<html><head><style>p{}</style></head><body><p>Bees make honey.</p><p>Bees fly far.</p></body></html>",
    "right to left": "النحل يصنع العسل في المدينة. النحل في المدينة أفضل من الريف. العسل لذيذ. "
    * 3,
    "a language nobody knows": "Zogu blirm fentak suri. Blirm zogu natek! Fentak zogu wuri blirm? "
    * 5,
    "no spaces": "我喜欢蜂蜜和蜜蜂。蜜蜂在城市里采蜜。城市的蜂蜜很好。蜜蜂喜欢公园。" * 3,
    "Thai": "ผึ้งในเมืองทำน้ำผึ้งได้มากกว่าผึ้งในชนบท " * 20,
    "control characters": "Bees\x00 make\x1b[31m honey\u202e. " * 10,
    "unpaired surrogates": "Bees \ud800 make honey. " * 10,
    "numbers": "1 2 3 4.5 6,7 " * 1000,
    "one letter": "a",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_any_text_has_an_answer(text: str) -> None:
    document = Document(text, text[:5000])
    summary = reading.summarise(document, 3)
    assert len(summary.sentences) <= 3
    assert all(len(sentence) <= LONGEST_SENTENCE for sentence in summary.sentences)
    assert len(summary.keywords) <= 10
    assert all(0 < len(word) <= 300 for word in summary.keywords)
    reading.extract_keywords(document, 10)
    topics = reading.find_topics([document, Document("Bees make honey.", "Bees"), document])
    assert sum(len(topic.members) for topic in topics.topics) == 3
    reading.suggest_title([document, document], topics)


@pytest.mark.parametrize("text", ["", "🎉", "1 2 3", "..."])
def test_what_has_no_words_has_no_title(text: str) -> None:
    assert reading.suggest_title([Document(text, "")], None).text == ""
    assert reading.suggest_title([Document(text, ""), Document("", "")], None).text == ""


@pytest.mark.parametrize("text", [ODD["ten megabytes"], ODD["an endless word"]])
def test_no_more_than_the_limit_is_read(text: str) -> None:
    assert len(clean(text)) <= MOST_CHARACTERS


def test_markup_is_not_part_of_a_summary() -> None:
    summary = reading.summarise(Document(ODD["markup"]), 3)
    assert summary.sentences == ("Bees make honey.", "Bees fly far.")


def test_right_to_left_text_has_a_language_a_summary_and_keywords() -> None:
    summary = reading.summarise(Document(ODD["right to left"]), 2)
    assert summary.language == "ar"
    assert len(summary.sentences) == 2
    assert "النحل" in summary.keywords


def test_an_unknown_language_is_read_by_what_repeats() -> None:
    summary = reading.summarise(Document(ODD["a language nobody knows"]), 2)
    assert summary.language == "und"
    assert len(summary.sentences) == 2
    assert {word.lower() for word in summary.keywords} & {"blirm", "fentak", "zogu"}


def test_thousands_of_pages_are_all_in_topics() -> None:
    draw = random.Random(7)
    words = [f"{first}{second}" for first in ("bee", "car", "sea", "sky") for second in "abcdefgh"]
    pages = [Document(" ".join(draw.choices(words, k=30)), "") for _ in range(1_200)]
    topics = reading.find_topics(pages).topics
    members = sorted(place for topic in topics for place in topic.members)
    assert members == list(range(1_200))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.text(max_size=400), st.text(max_size=60))
def test_random_characters_never_raise(text: str, title: str) -> None:
    document = Document(text, title)
    reading.summarise(document, 2)
    reading.find_topics([document, document])
