"""Pages of the timeline, sentence by sentence. Every log here is also painted by the oracle."""

from __future__ import annotations

import pytest

from mindhit.tracking.protocol import Event
from tests.tracking.sentences import (
    NEW_TEXT,
    TEXT,
    A,
    B,
    C,
    alive,
    closed,
    focused,
    marked,
    opened,
    pauses,
    read,
    stays,
    told,
    went,
)

# Foreground


def test_switching_a_to_b_to_a_within_200_ms_is_three_visits() -> None:
    timeline = told([opened(0, A), opened(100, B, tab=2), opened(200, A)], stop=300)
    assert stays(timeline) == ["A 0-100", "B 100-200", "A 200-300"]
    assert [visit.opened_by_seq for visit in timeline.visits] == [1, 2, 3]
    assert [visit.visit_order for visit in timeline.visits] == [1, 2, 3]
    assert [visit.tab_id for visit in timeline.visits] == [1, 2, 1]


def test_a_stay_of_one_millisecond_is_a_visit_and_one_of_none_is_not() -> None:
    timeline = told([opened(0, A), went(5, B), went(6, C), went(6, A)], stop=9)
    assert stays(timeline) == ["A 0-5", "B 5-6", "A 6-9"]


def test_the_same_url_in_another_tab_is_another_visit() -> None:
    timeline = told([opened(0, A), opened(10, A, tab=2)], stop=20)
    assert stays(timeline) == ["A 0-10", "A 10-20"]


def test_a_navigation_in_a_background_tab_changes_nothing() -> None:
    timeline = told([opened(0, A), went(10, B, tab=2), went(20, C, tab=2)], stop=30)
    assert stays(timeline) == ["A 0-30"]


@pytest.mark.parametrize("blank", [went(10, None), opened(10, None), opened(10, None, tab=2)])
def test_a_page_without_url_is_no_page(blank: Event) -> None:
    timeline = told([opened(0, A), blank, opened(30, B)], stop=40)
    assert stays(timeline) == ["A 0-10", "B 30-40"]
    assert pauses(timeline) == ["no_page 10-30"]


def test_a_closed_tab_ends_its_visit_and_only_its_own() -> None:
    timeline = told([opened(0, A), opened(5, B, tab=2), closed(10, 1), closed(20, 2)], stop=30)
    assert stays(timeline) == ["A 0-5", "B 5-20"]
    assert pauses(timeline) == ["no_page 20-30"]


def test_of_two_windows_the_focused_one_counts() -> None:
    log = [focused(0, 10), opened(0, A, 1, 10), opened(10, B, 2, 20), focused(20, 20)]
    assert stays(told(log, stop=30)) == ["A 0-20", "B 20-30"]


def test_until_the_focus_is_told_it_follows_the_tab_that_was_activated() -> None:
    log = [opened(0, A, 1, 10), opened(10, B, 2, 20), focused(20, 10), opened(30, C, 3, 20)]
    assert stays(told(log, stop=40)) == ["A 0-10", "B 10-20", "A 20-40"]


# Same page


def test_a_second_navigation_to_the_same_url_does_not_split_a_visit() -> None:
    log = [opened(0, A), went(10, A), read(15, A, TEXT), opened(18, A), went(20, A, redirect=True)]
    assert stays(told(log, stop=30)) == ["A 0-30"]


def test_a_visit_keeps_the_title_and_the_text_it_was_last_seen_with() -> None:
    log = [
        opened(0, A, title="Loading"),
        read(5, A, TEXT, title="Ready"),
        went(8, A),
        opened(10, B, tab=2),
        read(15, A, NEW_TEXT),
        opened(20, A),
    ]
    first, _, last = told(log, stop=30).visits
    assert (first.title, first.content_id) == ("Ready", TEXT)
    assert (last.title, last.content_id) == ("Ready", NEW_TEXT)


def test_a_navigation_that_carries_content_is_a_navigation_and_an_extraction() -> None:
    whole = told([opened(0, None), went(0, A, content_id=TEXT, extraction_ok=True)], stop=9)
    parts = told([opened(0, None), went(0, A), read(0, A, TEXT)], stop=9)
    assert whole.visits == parts.visits
    assert [(r.url_id, r.content_id) for r in whole.texts_read] == [(A, TEXT)]
    assert [(r.url_id, r.content_id) for r in parts.texts_read] == [(A, TEXT)]


def test_a_text_that_could_not_be_had_is_told_and_takes_none_away() -> None:
    timeline = told([opened(0, A), read(5, A, TEXT), read(6, A, None)], stop=9)
    assert [visit.content_id for visit in timeline.visits] == [TEXT]
    assert [reading.content_id for reading in timeline.texts_read] == [TEXT, None]


def test_a_text_without_tab_is_of_the_page_in_the_foreground() -> None:
    log = [opened(0, A), opened(5, A, tab=2), read(6, A, TEXT, tab=None), opened(8, A, tab=1)]
    assert [visit.content_id for visit in told(log, stop=9).visits] == [None, TEXT, None]


def test_a_text_of_a_page_that_the_tab_no_longer_shows_is_of_no_visit() -> None:
    timeline = told([opened(0, A), went(5, B), read(6, A, TEXT)], stop=9)
    assert [visit.content_id for visit in timeline.visits] == [None, None]
    assert [reading.url_id for reading in timeline.texts_read] == [A]


def test_a_text_that_ends_a_silence_is_of_the_visit_that_begins_with_it() -> None:
    timeline = told([opened(0, A), read(200_000, A, TEXT, tab=None)], stop=200_009)
    assert [visit.content_id for visit in timeline.visits] == [TEXT]


# Redirects


def test_of_redirects_only_the_final_url_becomes_a_visit_with_the_first_hops_entry() -> None:
    hops = [went(10, A, transition="link"), went(12, B, redirect=True), went(15, C, redirect=True)]
    before, after = told([opened(0, B), *hops], stop=20).visits
    assert (before.url_id, before.entered, before.left) == (B, 0, 10)
    assert (after.url_id, after.entered, after.left, after.opened_by_seq) == (C, 10, 20, 2)
    assert (after.transition, after.from_url_id) == ("link", B)


def test_a_redirecting_page_leaves_nothing_of_its_own_on_the_visit() -> None:
    log = [opened(0, None), went(0, A, title="Moved", content_id=TEXT), went(5, B, redirect=True)]
    (visit,) = told(log, stop=9).visits
    assert (visit.url_id, visit.title, visit.content_id) == (B, None, None)


def test_redirects_in_a_background_tab_wait_with_their_origin_until_it_is_seen() -> None:
    log = [
        opened(0, A),
        went(5, B, tab=2, transition="link", opener_tab_id=1),
        went(6, C, tab=2, redirect=True, transition="typed"),
        opened(9, C, tab=2),
        opened(12, A),
        opened(15, C, tab=2),
    ]
    timeline = told(log, stop=20)
    assert stays(timeline) == ["A 0-9", "C 9-12", "A 12-15", "C 15-20"]
    assert [v.transition for v in timeline.visits] == [None, "link", None, None]
    assert [v.from_url_id for v in timeline.visits] == [None, A, None, None]


def test_a_redirect_takes_over_no_visit_that_is_already_over() -> None:
    log = [opened(0, A), opened(5, B, tab=2), went(6, C, tab=1, redirect=True), opened(9, C)]
    assert stays(told(log, stop=12)) == ["A 0-5", "B 5-9", "C 9-12"]


# How the reader came to a page


@pytest.mark.parametrize("transition", ["link", "form_submit"])
def test_what_was_followed_comes_from_the_page_before(transition: str) -> None:
    timeline = told([opened(0, A), went(5, B, transition=transition)], stop=9)
    assert timeline.visits[1].transition == transition
    assert timeline.visits[1].from_url_id == A


def test_a_page_in_a_new_tab_comes_from_the_page_of_the_tab_that_opened_it() -> None:
    log = [opened(0, A), went(5, B, tab=2, transition="link", opener_tab_id=1), opened(6, B, tab=2)]
    assert [visit.from_url_id for visit in told(log, stop=9).visits] == [None, A]


def test_what_was_typed_comes_from_nowhere() -> None:
    timeline = told([opened(0, A), went(5, B, transition="typed")], stop=9)
    assert timeline.visits[1].transition == "typed"
    assert timeline.visits[1].from_url_id is None


def test_a_page_that_was_not_seen_for_a_millisecond_tells_its_way_to_the_next_visit() -> None:
    log = [opened(0, A), went(5, B, transition="link"), focused(5, -1), focused(8, 0)]
    timeline = told(log, stop=9)
    assert stays(timeline) == ["A 0-5", "b 5-8", "B 8-9"]
    assert [visit.transition for visit in timeline.visits] == [None, "link", None]
    assert [visit.from_url_id for visit in timeline.visits] == [None, A, None]


# Highlights


def test_a_highlight_is_of_the_visit_it_was_made_in() -> None:
    log = [opened(0, A), marked(5, A), opened(8, B, tab=2), marked(9, B, 2), opened(10, A)]
    assert [h.visit_seq for h in told([*log, marked(11, A)], stop=12).highlights] == [1, 3, 5]


def test_a_highlight_that_arrives_after_the_visit_is_of_the_last_one_in_its_tab() -> None:
    log = [opened(0, A), opened(5, B, tab=2), opened(8, A), opened(9, B, tab=2), marked(9, A)]
    assert [highlight.visit_seq for highlight in told(log, stop=12).highlights] == [3]


@pytest.mark.parametrize("late", [marked(9, A, tab=None), marked(9, B, tab=1), marked(9, A, tab=5)])
def test_a_highlight_of_a_page_that_no_tab_is_known_to_show_is_of_no_visit(late: Event) -> None:
    timeline = told([opened(0, A), opened(5, B, tab=2), late], stop=12)
    assert [highlight.visit_seq for highlight in timeline.highlights] == [None]


@pytest.mark.parametrize("tab", [1, None])
def test_a_highlight_that_ends_a_silence_is_of_the_visit_that_begins_with_it(
    tab: int | None,
) -> None:
    timeline = told([opened(0, A), alive(10), marked(200_000, A, tab)], stop=200_009)
    assert stays(timeline) == ["A 0-10", "A 200000-200009"]
    assert [highlight.visit_seq for highlight in timeline.highlights] == [3]


def test_a_highlight_on_a_page_that_was_redirected_to_is_of_the_visit_taken_over() -> None:
    log = [opened(0, A), went(2, B, redirect=True), marked(5, B), opened(8, C, 2), marked(9, B)]
    assert [highlight.visit_seq for highlight in told(log, stop=12).highlights] == [1, 1]


# What never becomes a page


def test_a_navigation_brings_no_tab_to_the_front() -> None:
    timeline = told([went(0, A), went(2, B), opened(5, B), went(9, C)], stop=12)
    assert stays(timeline) == ["B 5-9", "C 9-12"]
    assert pauses(timeline) == ["no_page 0-5"]


def test_a_redirect_that_leads_to_a_page_that_is_not_recorded_was_no_page() -> None:
    log = [opened(0, A), went(5, B, transition="link"), went(7, None, redirect=True), went(20, C)]
    timeline = told(log, stop=30)
    assert stays(timeline) == ["A 0-5", "C 20-30"]
    assert pauses(timeline) == ["no_page 5-20"]


def test_a_redirecting_page_that_was_left_before_it_redirected_stays_a_visit() -> None:
    log = [opened(0, A), opened(5, B, tab=2), went(6, None, tab=1, redirect=True)]
    assert stays(told(log, stop=9)) == ["A 0-5", "B 5-9"]


# A form that posts to its own address


def test_a_new_document_with_another_title_begins_a_visit_where_it_was_submitted() -> None:
    log = [
        opened(0, A, title="Search"),
        went(10, A, transition="form_submit", new_document=True),
        went(12, A, title="Results"),
    ]
    first, second = told(log, stop=30).visits
    assert (first.entered, first.left, first.title) == (0, 10, "Search")
    assert (second.entered, second.left, second.title) == (10, 30, "Results")
    assert (second.opened_by_seq, second.transition, second.from_url_id) == (2, "form_submit", A)


def test_a_new_document_with_another_text_begins_a_visit_too() -> None:
    log = [
        opened(0, A, title="Search"),
        read(5, A, TEXT),
        went(10, A, transition="form_submit", new_document=True),
        went(12, A, title="Search"),
        read(15, A, NEW_TEXT),
    ]
    first, second = told(log, stop=30).visits
    assert (first.left, first.content_id) == (10, TEXT)
    assert (second.entered, second.content_id) == (10, NEW_TEXT)


@pytest.mark.parametrize(
    "again",
    [
        [went(10, A, transition="reload"), went(12, A, title="Other")],
        [went(10, A, transition="link", new_document=True), went(12, A, title="Search")],
        [went(10, A, new_document=True, redirect=True), went(12, A, title="Other")],
    ],
)
def test_a_reload_or_the_same_document_again_splits_nothing(again: list[Event]) -> None:
    assert stays(told([opened(0, A, title="Search"), *again], stop=30)) == ["A 0-30"]


def test_a_form_whose_page_was_left_meanwhile_splits_nothing_afterwards() -> None:
    log = [
        opened(0, A, title="Search"),
        went(10, A, transition="form_submit", new_document=True),
        opened(15, B, tab=2),
        opened(20, A, title="Results"),
    ]
    timeline = told(log, stop=30)
    assert stays(timeline) == ["A 0-15", "B 15-20", "A 20-30"]
    assert [visit.title for visit in timeline.visits] == ["Search", None, "Results"]


# How the reader came to a page, continued


@pytest.mark.parametrize("transition", ["typed", "forward_back", "auto_bookmark", "reload"])
def test_what_was_typed_into_a_new_tab_or_found_in_the_history_comes_from_nowhere(
    transition: str,
) -> None:
    log = [
        opened(0, A),
        went(5, B, tab=2, transition=transition, opener_tab_id=1),
        opened(6, B, tab=2),
    ]
    _, visit = told(log, stop=9).visits
    assert (visit.transition, visit.from_url_id) == (transition, None)


def test_a_highlight_that_comes_after_the_next_page_is_of_the_visit_to_its_own() -> None:
    log = [opened(0, A), went(5, B), marked(6, A), closed(8), marked(9, B)]
    assert [highlight.visit_seq for highlight in told(log, stop=12).highlights] == [1, 2]


def test_a_visit_has_the_address_that_was_seen_last_before_it_ended() -> None:
    log = [
        opened(0, A, address="http://a.example/#/one"),
        went(5, A, address="http://a.example/#/two"),
        went(10, B),
        went(15, A),
    ]
    addresses = [visit.address for visit in told(log, stop=20).visits]
    assert addresses == ["http://a.example/#/two", None, None]
