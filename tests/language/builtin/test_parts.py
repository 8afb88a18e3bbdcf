"""The steps of reading: cleaning, languages, sentences, words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.language.builtin import cleaning, phrases
from mindhit.language.builtin.cleaning import clean, clean_line
from mindhit.language.builtin.languages import detect_language
from mindhit.language.builtin.sentences import split
from mindhit.language.builtin.words import english, korean, read


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The bees in our city make more honey than those in the country."),
        ("ko", "도시의 꿀벌은 시골의 꿀벌보다 꿀을 많이 모은다."),
        ("de", "Die Bienen in der Stadt machen mehr Honig als die auf dem Land."),
        ("fr", "Les abeilles de la ville font plus de miel que celles de la campagne."),
        ("es", "Las abejas de la ciudad hacen más miel que las del campo."),
        ("pt", "As abelhas da cidade fazem mais mel do que as do campo."),
        ("it", "Le api della città fanno più miele di quelle della campagna."),
        ("nl", "De bijen in de stad maken meer honing dan die op het platteland."),
        ("pl", "Pszczoły w mieście robią więcej miodu niż te na wsi, bo jest tam cieplej."),
        ("tr", "Şehirdeki arılar kırdakilerden daha çok bal yapar ve bu çok iyi bir şey."),
        ("ru", "Пчёлы в городе делают больше мёда, чем в деревне, и это хорошо."),
        ("uk", "Бджоли в місті роблять більше меду, ніж у селі, і це добре."),
        ("ja", "都会のミツバチは田舎のミツバチより多くの蜂蜜を作ります。"),
        ("zh", "城市里的蜜蜂比乡下的蜜蜂产更多的蜂蜜。"),
        ("ar", "النحل في المدينة يصنع العسل أكثر من النحل في الريف."),
        ("he", "הדבורים בעיר מייצרות יותר דבש מאשר הדבורים של הכפר."),
        ("el", "Οι μέλισσες στην πόλη κάνουν περισσότερο μέλι."),
        ("th", "ผึ้งในเมืองทำน้ำผึ้งได้มาก"),
        ("hi", "शहर की मधुमक्खियाँ अधिक शहद बनाती हैं।"),
        ("ko", "삼성전자 Galaxy S26 Ultra 출시, AI 기능 강화"),
        ("und", "🎉 123 !!!"),
        ("und", ""),
    ],
)
def test_languages_are_told_by_script_and_little_words(language: str, text: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Smith met Mr. J. Jones at 5 p.m. in the U.S. Embassy. They talked.", 2),
        ("It costs 3.5 million. That is much!", 2),
        ('He said "It works. Really." and left. She stayed.', 2),
        ("꿀벌이 난다. “정말인가요? 그렇다면 좋겠다”고 말했다. 끝.", 3),
        ("꿀벌이 난다.꽃이 핀다.", 2),
        ("蜜蜂飞。花开。", 2),
        ("A title without a stop\nA sentence.", 2),
    ],
)
def test_sentences_end_where_readers_think_they_end(text: str, count: int) -> None:
    assert len(split(text)) == count, split(text)


def test_wrapped_lines_are_joined_and_others_are_kept() -> None:
    wrapped = (
        "A heading\nThis paragraph was wrapped at about sixty characters, so\n"
        "that its lines end in the middle of sentences, like this one\ndoes, and like most mails do."
    )
    assert clean(wrapped).split("\n")[0] == "A heading"
    assert "sixty characters, so that its lines" in clean(wrapped)
    assert clean("Milk\nBread\nButter") == "Milk\nBread\nButter"


def test_markup_entities_and_addresses_are_removed() -> None:
    text = "<p>Bees &amp; honey</p><script>var x = 1 < 2;</script>See [our page](https://bees.example/a) or write to a@bees.example"
    assert clean(text) == "Bees & honey\nSee our page or write to"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Bees dance (https://bees.example/a_(b)?c=d#e). They do.", "Bees dance. They do."),
        ("HTTPS://BEES.EXAMPLE says so", "says so"),
        ("See www.bees.example, or not", "See, or not"),
        ("More: bees.org/dance/figures.html and so on", "More: and so on"),
        ("벌은 춤을 춘다(https://bees.example/춤).", "벌은 춤을 춘다."),
        ("Get it at ftp://bees.example/a.zip.", "Get it at."),
        ("and/or TCP/IP, Node.js/Express", "and/or TCP/IP, Node.js/Express"),
    ],
)
def test_no_address_is_left(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_forms_of_an_english_word_have_one_stem() -> None:
    for forms in (
        ["bee", "bees", "Bee's"],
        ["company", "companies"],
        ["stop", "stopped", "stopping"],
        ["box", "boxes"],
    ):
        assert len({english.stem(form) for form in forms}) == 1, forms


def test_english_parts_depend_on_neighbours() -> None:
    (sentence,) = read(
        ["They plan to visit New York, where a moving target is the new plan."], "en"
    )
    parts = {token.text: token.part for token in sentence.tokens}
    assert parts["visit"] == "w"
    assert parts["New"] == parts["York"] == "P"
    assert parts["moving"] == "V"
    assert parts["new"] == "a"
    assert [token.part for token in sentence.tokens if token.text == "plan"] == ["w", "N"]


def test_korean_is_read_by_morphemes() -> None:
    assert korean.has_model()
    (sentence,) = read(["지카바이러스가 남성의 생식능력을 저하시킨다."], "ko")
    nouns = [token.text for token in sentence.tokens if token.part in "NP"]
    assert "바이러스" in "".join(nouns)
    assert "가" not in nouns


ASCII = st.text(st.characters(max_codepoint=127)) | st.lists(
    st.sampled_from(["C++", "rock-n-roll", "U.S.", "AT&T", "a_b", "It's", "3.5", "--", "#", " "])
).map("".join)


@given(ASCII)
def test_ascii_is_read_as_other_texts_are(text: str) -> None:
    """By patterns of its own: a letter that is not ASCII, far away, changes nothing."""
    text = clean(text)
    assert english.count_stems(text) == english.count_stems(f"{text} ö")
    (plain,), (other,) = english.read([text]), english.read([f"{text} ö"])
    assert [each[:2] for each in plain] == [each[:2] for each in other[:-1]]


@given(st.lists(ASCII | st.text(), max_size=5), st.sampled_from(["en", "de", "und"]))
def test_phrases_are_the_same_with_and_without_tokens(texts: list[str], language: str) -> None:
    sentences = [clean_line(text) for text in texts]
    by_tokens = [list(phrases.find([each])) for each in read(sentences, language)]
    assert phrases.read(sentences, language) == by_tokens


@given(st.text(st.characters() | st.sampled_from("a \n\t\u00ad\u200b\u202e\u2065\ufeff\x00\x85")))
def test_nothing_unseen_is_left(text: str) -> None:
    """Whatever spares the search for them finds all of them."""
    assert not cleaning._UNSEEN.search(clean(text))
