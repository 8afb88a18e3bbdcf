"""The pure rules of search: words, entries of the index, what was typed, snippets."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st

from mindhit.library.search import words
from mindhit.library.search.lexemes import (
    LAST_MONTH,
    LONGEST_SAID,
    LONGEST_TEXT,
    LONGEST_TITLE,
    Document,
    hosts,
    lexemes,
    periods,
    reader,
)
from mindhit.library.search.matching import (
    condition,
    excluded,
    gapped,
    near,
    neighbours,
    whole,
    word,
)
from mindhit.library.search.parsing import LONGEST_QUERY, MOST_WORDS, parse
from mindhit.library.search.ranking import Field, Question, rank, shown
from mindhit.library.search.snippets import LONGEST, Shown, marked, snippet

ADA = UUID(int=1)
LETTERS = st.text(st.sampled_from("abcdefghij"), min_size=5, max_size=9)
SYLLABLES = st.text(st.sampled_from("가나다라마바사아자차"), min_size=4, max_size=7)


def question(typed: str, **more: object) -> Question:
    parsed = parse(typed)
    known = {"rarity": {}, "misspelled": frozenset(parsed.wanted), **more}
    return Question(parsed, tuple(word(each) for each in parsed.wanted), **known)  # type: ignore[arg-type]


@given(st.text(max_size=300))
def test_entries_are_quoted_whatever_a_text_has_in_it(text: str) -> None:
    written = lexemes(ADA, Document("page", text, ["202501"], [text], [text], text))
    entries = re.findall(r"'([^']*)'", written)
    assert written == " ".join(f"'{entry}'" for entry in entries)
    assert not any("\\" in entry for entry in entries)
    assert all(entry.startswith(reader(ADA)) for entry in entries)


@example("abcdefghijklmnopqrstuvwxyz" * 2)  # the longest conditions there are: of one long word
@example("".join(map(chr, range(0xAC00, 0xAC00 + 50))))
@given(st.text(max_size=LONGEST_QUERY * 2))
def test_anything_can_be_typed_and_is_bounded(typed: str) -> None:
    parsed = parse(typed)
    assert len(parsed.words) <= MOST_WORDS
    for each in parsed.wanted:
        written = condition("abc", word(each), misspelled=True)
        assert len(written) < 75_000
        assert re.sub(r"'[^'\\]*'(:\*)?|[ ()&|!]", "", written) == ""


def test_operators_are_read_and_what_is_none_is_words() -> None:
    parsed = parse(
        'bread site:https://www.Example.org/x "wild  Yeast" -rye before:2026-03 after:2025'
    )
    assert parsed.words == ("bread",)
    assert parsed.phrases == (("wild", "yeast"),)
    assert parsed.excluded == (("rye",),)
    assert parsed.sites == ("example.org",)
    assert str(parsed.before)[:10] == "2026-03-01"
    assert str(parsed.after)[:10] == "2025-01-01"
    assert parse("before:lunch").words == ("lunch",)
    assert parse("after:2026-13-01").after is None


def test_a_site_is_read_however_it_was_copied() -> None:
    for typed in (
        '"a.example"',
        "a.example:443",
        "https://www.A.example:8080/x?y#z",
        "'a.example'",
        "a.example.",
    ):
        assert parse(f"site:{typed}").sites == ("a.example",), typed
    parsed = parse("-site:b.example bread")
    assert (parsed.sites, parsed.other_sites, parsed.words) == ((), ("b.example",), ("bread",))
    [long] = parse(f"site:{chr(0xFDFA) * 400}").sites
    assert len(long.encode()) < 2_000  # an entry of the index has 2,046 bytes at most


def test_a_word_in_quotes_stands_as_it_is() -> None:
    parsed = parse('"cat"')
    assert (parsed.words, parsed.phrases) == ((), (("cat",),))
    asked = Question(parsed, (whole("cat"),), {}, frozenset())
    assert rank(asked, [(Field.TITLE, "The cat, asleep")]) is not None
    assert rank(asked, [(Field.TITLE, "A category of cats")]) is None


def test_what_must_not_be_there_is_a_word_and_not_its_syllables() -> None:
    assert excluded("abc", ["cats"]) == "!'abcxcat'"
    assert excluded("abc", ["고양"]) == "!'abcx고양'"
    assert excluded("abc", ["고양이"]) == ""  # 고양시에 사는 양이
    asked = question("사료 -고양이", misspelled=frozenset())
    assert rank(asked, [(Field.TITLE, "고양시 양이네 사료")]) is not None
    assert rank(asked, [(Field.TITLE, "고양이 사료")]) is None


def test_words_of_a_phrase_are_apart_and_korean_may_be_spelled_together() -> None:
    for typed, text, is_there in (
        ('"data base"', "a data-base, here", True),
        ('"data base"', "a database", False),
        ('"고양이 사료"', "고양이사료를 샀다", True),
        ('"오픈ai 모델"', "오픈AI의 모델", False),
        ('"오픈ai 모델"', "오픈AI 모델을", True),
        ('"ai 모델"', "오픈AI 모델을", True),
    ):
        parsed = parse(typed)
        asked = Question(parsed, tuple(whole(each) for each in parsed.wanted), {}, frozenset())
        again = f"{'data '.join(['고양이 ai '] * 80)} . {text}"  # places at which it might begin
        for said in (text, again):
            assert (rank(asked, [(Field.TITLE, said)]) is not None) == is_there, (typed, said[-20:])


def test_a_word_behind_hangul_is_a_word() -> None:
    found = rank(question("ai", misspelled=frozenset()), [(Field.TITLE, "오픈AI는 무엇인가")])
    alone = rank(question("ai", misspelled=frozenset()), [(Field.TITLE, "AI 무엇인가")])
    assert found is not None
    assert alone is not None
    assert found.score == alone.score


def test_the_largest_document_has_room_in_a_tsvector() -> None:
    """No two of its pairs are the same."""
    pairs = (f"{chr(0xAC00 + a)}{chr(0xAC00 + b)}" for a in range(200) for b in range(200, 400))
    run = "".join(pairs)
    document = Document(
        "bookmark",
        "a.example",
        ["202501"],
        [run[:10_000]],
        [run[:20_000], run[20_000:40_000]],
        run[40_000:50_000],
    )
    written = lexemes(ADA, document)
    size = sum(len(entry.encode()) for entry in re.findall(r"'([^']*)'", written))
    assert 500_000 < size < 1_000_000
    assert LONGEST_TITLE * 42 + LONGEST_SAID * 32 + LONGEST_TEXT * 10 < 1_000_000


@given(st.integers(12, LAST_MONTH), st.integers(12, LAST_MONTH))
def test_periods_are_exactly_the_months_between(first: int, last: int) -> None:
    found = periods(first, last)
    assert len(found) <= 150
    months = list[int]()
    for each in found:
        length = {2: 1_200, 3: 120, 4: 12, 6: 1}[len(each)]
        year = int(f"{each[:4]:0<4}")
        begins = year * 12 + (int(each[4:]) - 1 if len(each) == 6 else 0)
        months += range(begins, begins + length)
    assert months == list(range(first, last + 1))


def test_a_plural_of_five_letters_may_have_a_wrong_one() -> None:
    assert "tree" in near(word("treas"))
    assert "boat" in near(word("boads"))
    assert "mint" not in near(word("lint"))


def test_a_day_begins_in_the_persons_zone() -> None:
    assert parse("before:2026-03", ZoneInfo("Asia/Seoul")).before == datetime(
        2026, 2, 28, 15, tzinfo=UTC
    )
    assert parse("after:0001 before:9999-12-31", ZoneInfo("Asia/Seoul")).after is not None
    assert parse("the of").words == ("the", "of")
    assert parse("the bread").words == ("bread",)
    assert parse('"unended phrase').phrases == (("unended", "phrase"),)


@given(LETTERS, st.data())
def test_one_wrong_letter_is_a_neighbour_on_both_sides(right: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(right) - 1))
    letter = data.draw(st.sampled_from("klmnop"))
    changed, more = f"{right[:at]}{letter}{right[at + 1 :]}", f"{right[:at]}{letter}{right[at:]}"
    for wrong in (changed, more, f"{right[:at]}{right[at + 1 :]}"):
        base = words.singular(right)
        if wrong != right:
            assert base in {*neighbours(wrong), wrong}
        if len(wrong) >= 5:
            assert rank(question(wrong), [(Field.TITLE, f"about {right} here")]) is not None


@given(SYLLABLES, st.data())
def test_one_wrong_syllable_leaves_pairs_in_common(right: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(right) - 1))
    wrong = f"{right[:at]}뷁{right[at + 1 :]}"
    entries = {*words.pairs(right), *words.open_pairs(right)}
    assert any(entries.issuperset(pattern) for pattern in gapped(wrong))
    assert not any(pattern == [] for pattern in gapped(wrong))


def test_a_text_forgives_nothing() -> None:
    asked = question("clorophyll")
    assert rank(asked, [(Field.TEXT, "chlorophyll is green")]) is None
    assert rank(asked, [(Field.SUMMARY, "chlorophyll is green")]) is not None


def test_forms_of_words_are_found_from_each_other() -> None:
    for typed, said in (
        ("queries", "query"),
        ("cache", "caches"),
        ("caches", "cache"),
        ("running", "runs"),
        ("run", "running"),
        ("baked", "baking"),
        ("boxes", "box"),
        ("보증금은", "보증금을"),
    ):
        asked = question(typed, misspelled=frozenset())
        assert rank(asked, [(Field.TEXT, f"x {said} y")]) is not None, typed


def test_hosts_are_found_whole_and_by_their_parts() -> None:
    assert hosts("docs.python.org") == ["docs.python.org", "python.org", "docs", "python"]
    assert hosts("localhost") == ["localhost"]
    assert hosts("") == []


def test_readers_have_marks_of_their_own() -> None:
    assert len({reader(uuid4()) for _ in range(200)}) > 190


@given(st.text(max_size=2_000), st.sampled_from(["a", "the", "가"]))
def test_a_snippet_is_short_and_made_of_the_text(text: str, typed: str) -> None:
    pieces = snippet(text, Shown((typed,), re.compile(re.escape(typed), re.IGNORECASE)))
    whole = "".join(piece for piece, _ in pieces)
    assert len(whole) <= LONGEST + 4
    assert all(typed in piece.lower() for piece, is_hit in pieces if is_hit)


def test_a_snippet_shows_the_place_with_most_of_what_was_asked() -> None:
    text = f"yeast {'filler ' * 100} wild yeast and yeast {'filler ' * 100}"
    pieces = snippet(text, Shown(("wild", "yeast"), re.compile("wild|yeast")))
    assert [piece for piece, is_hit in pieces if is_hit] == ["wild", "yeast", "yeast"]
    assert pieces[0][0].startswith("… ")


def test_a_word_of_a_phrase_stands_as_it_was_typed() -> None:
    assert condition("abc", whole("paintings")) == "(('abcxpainting'))"
    assert not whole("paintings").may_be_misspelled
    assert condition("abc", whole("법에서")) == "(('abcx법에' & 'abcx에서'))"


def test_words_that_end_like_a_particle_may_have_a_wrong_syllable() -> None:
    assert word("장소고나").runs == ["장소고나"]
    assert word("데이터베이스를").runs == ["데이터베이스", "데이터베이스를"]
    title = [(Field.TITLE, "장소고나")]
    assert rank(question("장뷁고나"), title) is not None


def test_a_word_of_five_letters_may_lack_one_and_one_of_four_is_itself() -> None:
    assert "plant" in neighbours("plnt")
    assert "mint" not in neighbours("lint")


def test_korean_counts_more_at_the_beginning_of_a_run() -> None:
    asked = question("전세", misspelled=frozenset())
    begins = rank(asked, [(Field.TITLE, "전세보증금 돌려받기")])
    inside = rank(asked, [(Field.TITLE, "완전세척 하는 법")])
    assert begins is not None
    assert inside is not None
    assert begins.score > inside.score


def test_a_word_is_found_behind_any_number_of_words_that_have_its_letters_in_them() -> None:
    strings, threads = "A string is a string. " * 30, "A thread of the thread. " * 60
    for typed, text in (
        ("ring", f"{strings} A ring buffer is a ring."),
        ("reading", f"{threads} I was reading."),
        ("art", "a part " * 1_400 + "art"),
    ):
        found = rank(question(typed, misspelled=frozenset()), [(Field.TEXT, text)])
        assert found is not None, typed
    assert rank(question("ring"), [(Field.TEXT, strings)]) is None


def test_a_word_as_it_is_counts_whole_behind_any_number_that_begin_like_it() -> None:
    asked = question("reading", misspelled=frozenset())
    alone = rank(asked, [(Field.TITLE, "reading")])
    behind = rank(asked, [(Field.TITLE, f"{'readers-' * 60}reading")])
    assert alone is not None
    assert behind is not None
    assert behind.score == alone.score


def test_korean_that_begins_a_run_is_told_from_any_number_of_places_inside_of_one() -> None:
    asked = question("전세", misspelled=frozenset())
    inside = rank(asked, [(Field.SUMMARY, "완전세척 " * 60)])
    begins = rank(asked, [(Field.SUMMARY, f"{'완전세척 ' * 60}전세")])
    assert inside is not None
    assert begins is not None
    assert begins.score > inside.score


def test_other_forms_are_marked_to_their_ends() -> None:
    text = "Bake, Baked and BAKING: a baker, bakeries, unbaked 빵baking을"
    marked_words = [piece for piece, is_hit in marked(text, shown(question("baked"))) if is_hit]
    assert marked_words == ["Bake", "Baked", "BAKING", "baker", "bakeries"]


def test_a_snippet_is_of_the_first_place_with_most_of_the_words() -> None:
    text = (
        f"{'x ' * 200}ring {'x ' * 200}ring buffer ring {'x ' * 200}buffer ring ring {'x ' * 200}"
    )
    hits = [piece for piece, is_hit in snippet(text, shown(question("ring buffer"))) if is_hit]
    assert hits == ["ring", "buffer", "ring"]


def test_a_phrase_is_found_behind_any_number_of_places_where_it_only_begins() -> None:
    text = f"{'ring buffering, ' * 80}a string buffer, ring buffer"
    assert rank(question('"ring buffer"'), [(Field.TEXT, text)]) is not None
    assert rank(question('"ring buffer"'), [(Field.TEXT, text.replace("g buffer", "g a"))]) is None


def test_a_snippet_shows_the_word_and_not_others_that_have_its_letters_in_them() -> None:
    text = f"{'A string is a string. ' * 30} The ring buffer. {'More of it. ' * 30}"
    asked = shown(question("ring"))
    assert [piece for piece, is_hit in snippet(text, asked) if is_hit] == ["ring"]
