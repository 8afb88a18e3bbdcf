"""The text of pages: articles without their surroundings, other pages whole, broken ones at all."""

from __future__ import annotations

import pytest

from mindhit.fetching.text import LONGEST_TEXT, PageKind
from mindhit.fetching.text.extraction import extract

URL = "https://example.org/news/a"
NAVIGATION = "<nav><ul>" + "".join(f"<li><a href='/{n}'>Section {n}</a></li>" for n in range(30))
NAVIGATION += "</ul></nav>"
PARAGRAPHS = [
    "The lighthouse on the northern cape was built in 1846, after a winter in which eleven ships were lost.",
    "Its keeper wrote down every passing vessel, and the books are still read by those who study trade.",
    "Since the lamp was replaced, the tower has been open to visitors from May to the end of October.",
]
FOOTER = (
    "<footer><p>Copyright Example Ltd. All rights reserved. <a href='/terms'>Terms</a></p></footer>"
)


def article(paragraphs: list[str], head: str = "") -> str:
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return (
        f"<html lang='en-GB'><head><title>Lighthouses - Example</title>{head}</head><body>{NAVIGATION}"
        f"<main><article><h1>Lighthouses</h1>{body}</article></main>{FOOTER}</body></html>"
    )


def test_an_article_is_its_paragraphs_without_navigation_and_footer() -> None:
    found = extract(article(PARAGRAPHS), URL)
    assert found.kind is PageKind.ARTICLE
    for paragraph in PARAGRAPHS:
        assert paragraph in found.text
    assert "Section 7" not in found.text
    assert "All rights reserved" not in found.text


def test_korean_articles_too() -> None:
    korean = [
        "북쪽 곶의 등대는 열한 척의 배가 침몰한 겨울이 지난 뒤인 1846년에 세워졌다.",
        "등대지기는 지나가는 모든 배를 기록했고, 그 책은 지금도 무역을 연구하는 사람들이 읽는다.",
        "등명기가 교체된 뒤로 등대는 5월부터 10월 말까지 방문객에게 열려 있다.",
    ]
    found = extract(article(korean), URL)
    assert all(each in found.text for each in korean)


def test_all_posts_of_a_forum_are_kept() -> None:
    posts = "".join(
        f"<div class='post'><p class='by'>ada{n}</p><p>My answer number {n} is short.</p></div>"
        for n in range(12)
    )
    html = (
        "<html><head><meta name='generator' content='phpBB'></head>"
        f"<body>{NAVIGATION}<main>{posts}</main>{FOOTER}</body></html>"
    )
    found = extract(html, "https://example.org/viewtopic.php?t=5")
    assert found.kind is PageKind.FORUM
    assert all(f"My answer number {n} is short." in found.text for n in range(12))


def test_a_product_keeps_its_facts() -> None:
    html = (
        '<html><head><script type=\'application/ld+json\'>{"@type": "Product"}</script></head>'
        f"<body>{NAVIGATION}<main><h1>Brass lamp</h1><p>129 EUR</p><p>Height 45 cm, for one"
        " E14 bulb, made in Lisbon.</p></main></body></html>"
    )
    found = extract(html, "https://shop.example/lamp")
    assert found.kind is PageKind.PRODUCT
    assert "129 EUR" in found.text
    assert "Height 45 cm" in found.text


def test_what_a_page_declares_about_itself() -> None:
    head = (
        "<meta property='og:title' content=' The\n lighthouses '><meta name=description content='Of towers.'>"
        "<meta property='og:image' content='/tower.jpg'><link rel=canonical href='?id=5'>"
        "<link rel='shortcut icon' href='//cdn.example.org/icon.png'>"
        "<meta property='og:site_name' content='Example'>"
    )
    meta = extract(article(PARAGRAPHS, head), URL).meta
    assert (meta.title, meta.description, meta.site_name) == (
        "The lighthouses",
        "Of towers.",
        "Example",
    )
    assert meta.image == "https://example.org/tower.jpg"
    assert meta.canonical == "https://example.org/news/a?id=5"
    assert meta.favicon == "https://cdn.example.org/icon.png"
    assert meta.language == "en"


def test_a_page_without_a_title_has_its_headings_or_none() -> None:
    assert extract("<h1>A  heading</h1>", URL).meta.title == "A heading"
    assert extract("<title> </title><p>text", URL).meta.title is None


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:image/png;base64,AA", "http://[x", ""]
)
def test_addresses_that_nobody_can_open_are_left_out(address: str) -> None:
    meta = extract(f'<link rel="canonical" href="{address}"><p>text</p>', URL).meta
    assert meta.canonical is None


BROKEN = {
    "empty": "",
    "spaces": " \n ",
    "no markup": "only words, no markup at all",
    "zero bytes": "<p>be\x00fore</p>",
    "unpaired surrogate": "<p>be\ud800fore</p>",
    "deep": "<div>" * 2000 + "deep" + "</div>" * 2000,
    "unclosed": "<p><b><i>never closed" * 1000,
    "one long word": "<p>" + "x" * 1_000_000,
    "only scripts": "<script>document.write('x')</script>" * 100,
    "comments": "<!--" + "<p>x</p>" * 1000,
    "frames": "<frameset><frame src='a'></frameset>",
    "not html": "%PDF-1.7 \x80\x81",
    "xml": "<?xml version='1.0'?><rss><channel><title>x</title></channel></rss>",
    "entities": "<p>" + "&lt;" * 10_000,
}


@pytest.mark.parametrize("name", BROKEN)
def test_no_page_raises(name: str) -> None:
    found = extract(BROKEN[name], URL)
    assert len(found.text) <= LONGEST_TEXT
    found.text.encode()  # nothing unpaired is left
    assert "\x00" not in found.text
