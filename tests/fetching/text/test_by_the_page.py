"""Forum, product and listing pages, made up: the text that a reader would copy, scored by words.

Each has navigation, a footer and links around it. Measured: all of them 1.0; trafilatura 0.95 to 1.0,
resiliparse 0.78 to 1.0. bench/extraction_pages.py has larger ones in more layouts.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
import trafilatura
from resiliparse.extract.html2text import extract_plain_text

from mindhit.fetching.text.extraction import extract
from mindhit.fetching.text.model import PageKind

NAVIGATION = "<nav><ul><li><a href='/'>Start</a><li><a href='/new'>Newest</a><li><a href='/me'>Account</a></ul></nav>"
FOOTER = "<footer><p>Imprint Privacy Cookies Contact</p></footer>"

POSTS = (
    "My tomato plants have yellow leaves since Monday. What can I do?",
    "Yellow leaves often mean too much water. Let the soil dry first.",
    "Mine looked the same last year. It was a lack of magnesium.",
    "Thanks! The soil was wet indeed, I water less now.",
    "Post a photo next week, then we will see whether it helped.",
)
KOREAN_POSTS = (
    "월요일부터 토마토 잎이 노랗게 변했어요. 어떻게 하면 좋을까요?",
    "물을 너무 많이 주면 잎이 노래져요. 흙을 먼저 말려 보세요.",
    "저도 작년에 같은 일이 있었는데 마그네슘이 부족했어요.",
    "감사합니다! 흙이 정말 젖어 있었네요. 물을 줄일게요.",
)
FACTS = ("Capacity 1.7 litres", "Power 2200 watts", "Cord 75 centimetres", "Weight 1.2 kilograms")
ITEMS = tuple(
    f"Flat {n} with {n + 1} rooms and a balcony, {60 + 7 * n} square metres" for n in range(1, 9)
)


def page(body: str, head: str = "", mark: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>Example</title>{head}</head>"
        f"<body {mark}>{NAVIGATION}<main>{body}</main>{FOOTER}</body></html>"
    )


def json_ld(kind: str) -> str:
    return f'<script type="application/ld+json">{{"@type": "{kind}", "name": "x"}}</script>'


def posts(*texts: str) -> str:
    return "".join(
        f"<div class='post' id='p{n}'><div class='author'>user{n}</div><div class='post-body'>"
        f"<p>{text}</p></div></div>"
        for n, text in enumerate(texts)
    )


def table(*facts: str) -> str:
    rows = "".join(
        f"<tr><th>{fact.split()[0]}</th><td>{fact.partition(' ')[2]}</td></tr>" for fact in facts
    )
    return f"<table>{rows}</table>"


ABOUT = "A quiet kettle of brushed steel that switches itself off when the water boils."
PAGES = {
    "forum by its software": (
        page(posts(*POSTS), '<meta name="generator" content="Discourse 3.2">'),
        "https://example.org/t/yellow/7",
        PageKind.FORUM,
        " ".join(POSTS),
    ),
    "forum by its posts": (
        page(posts(*POSTS)),
        "https://forum.example.org/thread/5",
        PageKind.FORUM,
        " ".join(POSTS),
    ),
    "Korean forum": (
        page(posts(*KOREAN_POSTS), json_ld("DiscussionForumPosting")),
        "https://example.kr/board/9",
        PageKind.FORUM,
        " ".join(KOREAN_POSTS),
    ),
    "product": (
        page(f"<h1>Kettle</h1><p>{ABOUT}</p>{table(*FACTS)}", json_ld("Product")),
        "https://shop.example/kettle",
        PageKind.PRODUCT,
        f"Kettle {ABOUT} {' '.join(FACTS)}",
    ),
    "questions and answers": (
        page(
            f"<h1>Yellow leaves</h1><div class='question'><p>{POSTS[0]}</p></div>"
            + "".join(
                f"<div class='answer'><p>{text}</p><ul class='comments'><li>{comment}</li></ul></div>"
                for text, comment in zip(POSTS[1:3], POSTS[3:], strict=True)
            ),
            json_ld("QAPage"),
        ),
        "https://example.org/questions/12",
        PageKind.FORUM,
        f"Yellow leaves {POSTS[0]} {POSTS[1]} {POSTS[3]} {POSTS[2]} {POSTS[4]}",
    ),
    "listing with prices": (
        page(
            "<h1>Offers</h1><div class='grid'>"
            + "".join(
                f"<div class='card'><a href='/{n}'><span>Lamp {n}</span></a><dl><dt>Price</dt>"
                f"<dd>{n}9 euros</dd></dl></div>"
                for n in range(1, 13)
            )
            + "</div>",
            json_ld("ItemList"),
        ),
        "https://shop.example/lamps",
        PageKind.LISTING,
        "Offers " + " ".join(f"Lamp {n} Price {n}9 euros" for n in range(1, 13)),
    ),
    "listing": (
        page(
            "<h1>Flats to let</h1>"
            + "".join(f"<div class='card'><h3>{each}</h3></div>" for each in ITEMS),
            json_ld("ItemList"),
        ),
        "https://homes.example/flats",
        PageKind.LISTING,
        f"Flats to let {' '.join(ITEMS)}",
    ),
}


def f1(truth: str, found: str) -> float:
    """Of words, each as often as it stands there."""
    wanted, got = Counter(re.findall(r"\w+", truth)), Counter(re.findall(r"\w+", found))
    common = (wanted & got).total()
    return 2 * common / max(1, wanted.total() + got.total())


@pytest.mark.parametrize("name", PAGES)
def test_the_page_chooses_how_it_is_read(name: str) -> None:
    html, url, kind, truth = PAGES[name]
    found = extract(html, url)
    assert found.kind is kind
    assert f1(truth, found.text) >= 0.95, found.text
    for outside in ("Imprint", "Newest"):
        assert outside not in found.text


def test_over_all_of_them_it_is_better_than_either_extractor() -> None:
    ours = trafilaturas = resiliparses = 0.0
    for html, url, _, truth in PAGES.values():
        ours += f1(truth, extract(html, url).text)
        trafilaturas += f1(truth, trafilatura.extract(html) or "")
        resiliparses += f1(truth, str(extract_plain_text(html, main_content=True)))
    assert ours > max(trafilaturas, resiliparses)


def test_what_stands_beside_posts_is_left_out() -> None:
    beside = [
        "<div class='postprofile'>Joined 2019, 812 posts</div>",
        "<time>Yesterday at noon</time>",
        "<div class='signature'>Sent from the garden</div>",
    ]
    html = page(
        posts(*POSTS).replace(
            "<div class='post-body'>", "".join(beside) + "<div class='post-body'>"
        ),
        json_ld("DiscussionForumPosting"),
    )
    text = extract(html, "https://example.org/t/7").text
    assert all(post in text for post in POSTS)
    for each in ("812 posts", "Yesterday", "Sent from"):
        assert each not in text


def test_a_page_that_is_mostly_what_usually_stands_beside_posts_keeps_it() -> None:
    html = page(f"<div class='userinfo'>{posts(*POSTS)}</div>", json_ld("QAPage"))
    text = extract(html, "https://example.org/questions/7").text
    assert all(post in text for post in POSTS)


def test_where_the_one_extractor_lost_most_the_other_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    html, url, _, truth = PAGES["listing"]
    monkeypatch.setattr(trafilatura, "extract", lambda *_args, **_options: "Flats to let")
    assert f1(truth, extract(html, url).text) >= 0.95


def test_cells_of_a_table_are_words_of_their_own() -> None:
    html, url, *_ = PAGES["product"]
    assert "Power 2200 watts" in extract(html, url).text
