"""The main text of a page.

Measured with `bench/extraction.py` on 91 article pages (F1, then precision and recall):

    trafilatura                    0.962    0.938  0.988
    trafilatura for precision      0.975    0.966  0.985
    resiliparse                    0.882    0.804  0.977    in a tenth of the time

so articles are read by trafilatura favouring precision, and resiliparse, which is nearly free, says
whether that can be right: of 91 articles only those that declare themselves as such were ever less
than half of what resiliparse found.

On forums, products and listings (made up, `bench/extraction_pages.py`; F1 over layouts that the choice was
made on, then over others):

                                   forum          product        listing
    trafilatura, with comments     0.841  0.748   0.948  0.876   1.000  0.985
    resiliparse                    0.807  0.737   0.882  0.741   0.971  0.557

so those are read by trafilatura as it comes, which takes comments for text, without what the page itself
marks as navigation or as being about a post; and by resiliparse where trafilatura has less than half.
"""

from __future__ import annotations

import re
from typing import Final

import trafilatura
from resiliparse.extract.html2text import extract_plain_text
from selectolax.lexbor import LexborHTMLParser

from mindhit.fetching.text.kinds import ABOUT_POSTS, declared_kind
from mindhit.fetching.text.metadata import read_meta
from mindhit.fetching.text.model import LONGEST_TEXT, Extracted, PageKind

LONGEST_PAGE: Final = 5_000_000  # characters of HTML that are looked at
SMALL_SHARE: Final = (
    0.5  # an extractor that found less than this share of another's missed something
)
LEAST_LEFT: Final = 0.2  # short posts are less than the text around them
# Kinds whose text is made of similar blocks, which in an article would be comments or links.
REPEATING: Final = frozenset({PageKind.FORUM, PageKind.PRODUCT, PageKind.LISTING})
# What such a page marks as not its text. In articles the extractor finds that by itself, and better.
_NAVIGATION: Final = "nav,[role=navigation],[role=banner],[role=contentinfo],body>footer"
BESIDE: Final = {
    PageKind.FORUM: f"{_NAVIGATION},{ABOUT_POSTS}",
    PageKind.PRODUCT: _NAVIGATION,
    PageKind.LISTING: _NAVIGATION,
}

_NOT_TEXT: Final = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f\\ud800-\\udfff\\ufffe\\uffff]")
# Between what a browser shows apart: without a space, "Power" and "2200 watts" would be one word.
_CELL_END: Final = re.compile(
    r"(?=</(?:t[dh]|d[td]|li|option|button|label|h[1-6])\s*>)", re.IGNORECASE
)
_TABLE_RULE: Final = re.compile(r"^\|(?:---\|)+[ ]*\n?", re.MULTILINE)
_TABLE_ROW: Final = re.compile(r"^\|(.*)\|[ ]*$", re.MULTILINE)
_SPACES: Final = re.compile(r"[^\S\n]+")
_EMPTY_LINES: Final = re.compile(r"\n\s*\n+")


def extract(html: str, url: str) -> Extracted:
    """Never raises for what a page contains."""
    html = _NOT_TEXT.sub(" ", html[:LONGEST_PAGE])
    tree = LexborHTMLParser(html)
    kind, meta = declared_kind(tree, url), read_meta(tree, url)
    if kind in REPEATING:
        html = _without(tree, html, BESIDE[kind])
    text, kind = _main_text(html, kind)
    return Extracted(_tidy(text), kind, meta)


def _without(tree: LexborHTMLParser, html: str, selectors: str) -> str:
    """A page without these parts, unless they are nearly all of it: then they mean something else
    here. Changes the tree."""
    body = tree.body
    before = len(body.text()) if body is not None else 0
    for node in tree.css(selectors):
        node.decompose()
    body = tree.body
    is_usable = body is not None and len(body.text()) >= LEAST_LEFT * before
    return (tree.html or html) if is_usable else html


def _main_text(html: str, declared: PageKind) -> tuple[str, PageKind]:
    everything = _whole(html)
    if declared not in REPEATING:
        article = _article(html, precise=True)
        if len(article) >= SMALL_SHARE * len(everything):
            return (article or everything), (PageKind.ARTICLE if article else declared)
        if declared is PageKind.ARTICLE:
            ordinary = _article(html)
            found = ordinary if len(article) < SMALL_SHARE * len(ordinary) else article
            return (found, declared) if found else (everything, declared)
    with_comments = _article(html, comments=True)
    is_cut = len(with_comments) < SMALL_SHARE * len(everything)
    return (everything if is_cut else with_comments), declared


def _article(html: str, *, precise: bool = False, comments: bool = False) -> str:
    try:
        found = trafilatura.extract(html, include_comments=comments, favor_precision=precise)
    except MemoryError:
        raise  # nothing that this process says can be trusted after it
    except Exception:  # noqa: BLE001  lxml and trafilatura raise all kinds for broken pages
        return ""
    return _TABLE_ROW.sub(_cells, _TABLE_RULE.sub("", found or ""))


def _cells(row: re.Match[str]) -> str:
    """trafilatura draws tables; nobody reads the strokes."""
    return " ".join(cell.strip() for cell in row[1].split("|"))


def _whole(html: str) -> str:
    try:
        html = _CELL_END.sub(" ", html)
        found = extract_plain_text(html, main_content=True, alt_texts=False, noscript=False)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001
        return ""
    return str(found)


def _tidy(text: str) -> str:
    text = _SPACES.sub(" ", _NOT_TEXT.sub(" ", text))
    return _EMPTY_LINES.sub("\n\n", text).strip()[:LONGEST_TEXT]
