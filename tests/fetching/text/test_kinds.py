"""The kind of a page is what it declares, in an order that survives pages which declare several."""

from __future__ import annotations

import json

import pytest
from selectolax.lexbor import LexborHTMLParser

from mindhit.fetching.text.kinds import declared_kind
from mindhit.fetching.text.model import PageKind

URL = "https://example.org/a"


def page(head: str = "", body: str = "<p>text</p>", mark: str = "") -> LexborHTMLParser:
    return LexborHTMLParser(f"<html><head>{head}</head><body {mark}>{body}</body></html>")


def json_ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def og(kind: str) -> str:
    return f'<meta property="og:type" content="{kind}">'


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("", PageKind.OTHER),
        (og("website"), PageKind.OTHER),
        (og("article"), PageKind.ARTICLE),
        (og("Product"), PageKind.PRODUCT),
        (json_ld({"@type": "NewsArticle"}), PageKind.ARTICLE),
        (json_ld({"@type": ["Thing", "Product"]}), PageKind.PRODUCT),
        (json_ld({"@type": "https://schema.org/Product"}), PageKind.PRODUCT),
        (json_ld([{"@type": "WebSite"}, {"@type": "ItemList"}]), PageKind.LISTING),
        (json_ld({"@graph": [{"@type": "Organization"}, {"@type": "QAPage"}]}), PageKind.FORUM),
        (json_ld({"@type": "NewsArticle"}) + json_ld({"@type": "Product"}), PageKind.ARTICLE),
        (og("article") + json_ld({"@type": "DiscussionForumPosting"}), PageKind.FORUM),
        # What is nested is not what the page is about.
        (json_ld({"@type": "WebPage", "about": {"@type": "Product"}}), PageKind.OTHER),
        ('<meta name="generator" content="Discourse 3.2">', PageKind.FORUM),
        ('<meta name="generator" content="WordPress 6">', PageKind.OTHER),
    ],
)
def test_the_kind_is_what_the_head_declares(head: str, kind: PageKind) -> None:
    assert declared_kind(page(head), URL) is kind


def test_microdata_declares_a_kind_too() -> None:
    item = '<div itemscope itemtype="http://schema.org/Product/">a lamp</div>'
    assert declared_kind(page(body=item), URL) is PageKind.PRODUCT


def test_the_body_may_name_the_forum_software() -> None:
    assert declared_kind(page(mark='id="phpbb"'), URL) is PageKind.FORUM
    assert declared_kind(page(mark='class="wide vbulletin-5"'), URL) is PageKind.FORUM


POSTS = '<div class="post-body">first</div><div class="post-body">second</div>'


@pytest.mark.parametrize(
    ("url", "body", "kind"),
    [
        ("https://forum.example.org/a", POSTS, PageKind.FORUM),
        ("https://example.org/thread/5", POSTS, PageKind.FORUM),
        ("https://example.org/thread/5", "<p>a news thread</p>", PageKind.OTHER),
        ("https://example.org/2026/11/a", POSTS, PageKind.OTHER),
        ("https://[broken/thread", POSTS, PageKind.OTHER),
    ],
)
def test_several_posts_at_an_address_like_a_forums_are_a_forum(
    url: str, body: str, kind: PageKind
) -> None:
    assert declared_kind(page(body=body), url) is kind


@pytest.mark.parametrize(
    "block", ["", "{", "null", "5", '["x", null]', '{"@type": {}}', '{"@graph": 1}', "[" * 100_000]
)
def test_broken_declarations_are_none(block: str) -> None:
    head = f'<script type="application/ld+json">{block}</script>'
    assert declared_kind(page(head), URL) is PageKind.OTHER
