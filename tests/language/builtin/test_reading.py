"""What the engine says of ordinary texts."""

from __future__ import annotations

import pytest

from mindhit.language.builtin import reading
from mindhit.language.builtin.words import korean
from mindhit.language.model import Document
from tests.language.builtin.texts import BEES, KOREAN, STORY, TERMS, session


@pytest.mark.parametrize("document", [BEES, KOREAN], ids=["english", "korean"])
def test_a_summary_leaves_out_what_the_text_is_not_about(document: Document) -> None:
    summary = reading.summarise(document, 3)
    assert len(summary.sentences) == 3
    assert summary.text == " ".join(summary.sentences)
    places = [document.text.index(sentence) for sentence in summary.sentences]
    assert places == sorted(places)
    for aside in ("The weather", "chickens", "날씨", "닭도"):
        assert aside not in summary.text


def test_a_text_of_fewer_sentences_is_its_own_summary() -> None:
    assert reading.summarise(Document("One sentence only."), 3).text == "One sentence only."


def test_no_result_shows_an_address() -> None:
    address = "https://bees.example/dance?utm_source=mail"
    document = Document(
        BEES.text.replace(". ", f" ({address}). ") + f"\n{address}", f"{BEES.title} {address}"
    )
    summary = reading.summarise(document, 3)
    topics = reading.find_topics([document, BEES])
    title = reading.suggest_title([document], topics)
    assert len(summary.sentences) == 3
    said = [summary.text, *summary.keywords, title.text]
    said += [word for topic in topics.topics for word in (topic.label, *topic.keywords)]
    assert not any("http" in each or "bees.example" in each for each in said)


def test_a_text_that_explains_has_terms_for_keywords() -> None:
    keywords = [word.lower() for word in reading.extract_keywords(TERMS, 5).keywords]
    assert "sparse matrix factorisation" in keywords
    assert "recommender systems" in keywords


def test_a_text_that_tells_has_names_and_words_for_keywords() -> None:
    keywords = reading.extract_keywords(STORY, 8).keywords
    assert {"marathon", "Anna Berg", "Erik Lund"} <= set(keywords)


def test_keywords_are_spelled_as_the_text_mostly_does() -> None:
    text = "The iPhone factory. An iPhone factory opens. One IPHONE factory closed. The iPhone factory grew."
    assert "iPhone factory" in reading.extract_keywords(Document(text), 3).keywords


def test_korean_keywords_are_nouns_without_particles() -> None:
    keywords = reading.extract_keywords(KOREAN, 10).keywords
    assert "꿀" in keywords or "꿀벌" in keywords
    assert not any(word.endswith(("에서", "는", "을")) for word in keywords)


def test_without_morphemes_korean_is_read_by_spaces_and_the_result_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(korean, "_kiwi", lambda: None)
    summary = reading.summarise(KOREAN, 3)
    assert summary.engine.limitation == "korean-without-morphemes"
    assert len(summary.sentences) == 3
    assert any("꿀벌" in word for word in summary.keywords)


def test_pages_about_three_things_make_three_topics_with_labels_of_their_own() -> None:
    pages = session()
    found = reading.find_topics(pages).topics
    assert sorted(sorted(topic.members) for topic in found) == [
        [0, 3, 6, 9],
        [1, 4, 7, 10],
        [2, 5, 8, 11],
    ]
    labels = [topic.label.lower() for topic in found]
    assert len(set(labels)) == 3
    for word in ("bread", "bicycle", "telescope"):
        assert any(word in label for label in labels), labels


def test_a_session_is_named_after_its_topics() -> None:
    pages = session()
    topics = reading.find_topics(pages)
    title = reading.suggest_title(pages, topics).text
    assert title == ", ".join(topic.label for topic in topics.topics)
    assert reading.suggest_title(pages, None).text == title


def test_one_page_gives_its_own_title() -> None:
    assert reading.suggest_title([BEES], None).text == BEES.title


def test_a_session_about_one_thing_is_named_after_it() -> None:
    pages = session()[::3]
    assert "bread" in reading.suggest_title(pages, None).text.lower()


def test_every_page_is_in_exactly_one_topic_and_one_subtopic() -> None:
    pages = [*session(), *session(), Document("", ""), Document("전혀 다른 이야기", "낯선 제목")]
    topics = reading.find_topics(pages).topics
    members = [place for topic in topics for place in topic.members]
    assert sorted(members) == list(range(len(pages)))
    for topic in topics:
        if topic.subtopics:
            divided = [place for each in topic.subtopics for place in each.members]
            assert sorted(divided) == sorted(topic.members)


def test_the_same_documents_give_the_same_results() -> None:
    pages = session()
    assert reading.find_topics(pages) == reading.find_topics(list(pages))
    for document in (BEES, STORY, KOREAN):
        assert reading.summarise(document, 3) == reading.summarise(document, 3)
