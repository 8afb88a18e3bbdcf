"""The kind of a page, as far as it declares one.

Looked at in this order, because a forum's page may also call itself an article, and an article about
a product also describes the product:

1. forum: schema.org DiscussionForumPosting or QAPage, or made by forum software
2. article: schema.org Article and its kinds
3. forum: an address or a body like those of forums; several posts in it
4. article: `og:type` article
5. product: schema.org Product, or `og:type` product
6. listing: schema.org ItemList, CollectionPage, SearchResultsPage, OfferCatalog

A page that declares nothing is OTHER; `extraction.py` then compares what the extractors found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from mindhit.fetching.text.model import PageKind

TYPES: Final = {
    PageKind.FORUM: frozenset({"discussionforumposting", "qapage"}),
    PageKind.ARTICLE: frozenset(
        {
            "article", "newsarticle", "blogposting", "techarticle", "scholarlyarticle", "report",
            "reportagenewsarticle", "analysisnewsarticle", "opinionnewsarticle", "reviewnewsarticle",
            "backgroundnewsarticle", "liveblogposting", "recipe",
        }
    ),
    PageKind.PRODUCT: frozenset({"product", "productgroup", "individualproduct", "productmodel"}),
    PageKind.LISTING: frozenset(
        {"itemlist", "collectionpage", "searchresultspage", "offercatalog"}
    ),
}  # fmt: skip
OG_TYPES: Final = {
    "article": PageKind.ARTICLE,
    "blog": PageKind.ARTICLE,
    "product": PageKind.PRODUCT,
    "og:product": PageKind.PRODUCT,
    "product.item": PageKind.PRODUCT,
    "product.group": PageKind.LISTING,
}
# At the start of `<meta name="generator">`, or in the `id` or `class` of the body.
FORUM_SOFTWARE: Final = (
    "discourse", "phpbb", "vbulletin", "xenforo", "mybb", "smf", "flarum", "invision", "vanilla",
    "nodebb", "ips_theme", "question2answer",
)  # fmt: skip
FORUM_HOSTS: Final = frozenset({"forum", "forums", "community", "discuss", "board", "boards"})
FORUM_PATHS: Final = frozenset(
    {
        "forum", "forums", "thread", "threads", "topic", "topics", "t", "viewtopic.php",
        "showthread.php", "questions", "discussion", "discussions", "comments",
    }
)  # fmt: skip
# Classes of the text of one post.
POSTS: Final = ".postbody,.post-body,.post_body,.post_message,.message-body,.messageContent,.cPost_contentWrap,.topic-post,.answer"
# What forum software writes beside the text of a post: who, when, how often liked, what to click.
ABOUT_POSTS: Final = (
    ".postprofile,.post-buttons,.signature,.userinfo,.user-info,.user-details,.post_author,.post_meta,.poster,.keyinfo,"
    ".message-cell--user,.message-user,.message-attribution,.message-signature,.message-actionBar,.message-footer,"
    ".topic-meta-data,.topic-avatar,.post-controls,.post-menu-area,.votecell,.js-vote-count,.post-signature,.js-post-menu,"
    ".comment-user,.comment-date,.tagline,.flat-list.buttons,.cAuthorPane,.ipsComment_meta,.ipsComment_controls,.Post-header,"
    ".Post-actions,[itemprop=author],[itemprop=dateCreated],[itemprop=datePublished],[itemprop=upvoteCount],[rel=author],time"
)
FEWEST_POSTS: Final = 2
MOST_TYPES: Final = 2000  # names of types read from one page
LARGEST_BLOCK: Final = 1_000_000  # characters of JSON-LD in one script


def declared_kind(tree: LexborHTMLParser, url: str) -> PageKind:
    types = set(_schema_types(tree))
    if types & TYPES[PageKind.FORUM] or _is_forum_software(tree):
        return PageKind.FORUM
    if types & TYPES[PageKind.ARTICLE]:
        return PageKind.ARTICLE
    if _is_like_a_forum(tree, url):
        return PageKind.FORUM
    og_kind = OG_TYPES.get(_og_type(tree), PageKind.OTHER)
    for kind in (PageKind.ARTICLE, PageKind.PRODUCT, PageKind.LISTING):
        if types & TYPES[kind] or og_kind is kind:
            return kind
    return PageKind.OTHER


def _schema_types(tree: LexborHTMLParser) -> Iterator[str]:
    """Names of schema.org types, in lower case, from JSON-LD and microdata."""
    for script in tree.css('script[type="application/ld+json"]'):
        block = script.text()
        if len(block) <= LARGEST_BLOCK:
            yield from _json_types(block)
    for node in tree.css("[itemtype]")[:MOST_TYPES]:
        for name in (node.attributes.get("itemtype") or "").split():
            yield name.rstrip("/").rpartition("/")[2].lower()


def _json_types(block: str) -> Iterator[str]:
    """Of the things a page is about: the top level and `@graph`, not what is nested in them (an
    article's publisher, the products that a shop recommends)."""
    try:
        value = json.loads(block, strict=False)
    except (ValueError, RecursionError):
        return
    things: list[Any] = value if isinstance(value, list) else [value]
    for thing in things[:MOST_TYPES]:
        if isinstance(thing, dict):
            graph = thing.get("@graph")
            members = graph if isinstance(graph, list) else []
            for each in [thing, *members[:MOST_TYPES]]:
                yield from _type_names(each)


def _type_names(thing: object) -> Iterator[str]:
    named = thing.get("@type") if isinstance(thing, dict) else None
    for name in named if isinstance(named, list) else [named]:
        if isinstance(name, str):
            yield name.rpartition("/")[2].lower()


def _og_type(tree: LexborHTMLParser) -> str:
    node = tree.css_first('meta[property="og:type"]')
    return ((node.attributes.get("content") if node is not None else None) or "").strip().lower()


def _is_forum_software(tree: LexborHTMLParser) -> bool:
    generator = tree.css_first('meta[name="generator"]')
    named = (generator.attributes.get("content") or "") if generator is not None else ""
    if named.lower().startswith(FORUM_SOFTWARE):
        return True
    body = tree.body
    marks = (
        f"{body.attributes.get('id') or ''} {body.attributes.get('class') or ''}" if body else ""
    )
    return any(word.startswith(FORUM_SOFTWARE) for word in marks.lower().split())


def _is_like_a_forum(tree: LexborHTMLParser, url: str) -> bool:
    if len(tree.css(POSTS)) < FEWEST_POSTS:
        return False
    try:
        parts = urlsplit(url)
        labels = set((parts.hostname or "").split("."))
    except ValueError:
        return False
    segments = set(parts.path.lower().split("/"))
    return bool(labels & FORUM_HOSTS or segments & FORUM_PATHS)
