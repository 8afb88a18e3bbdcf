"""Forum, product and listing pages for bench/extraction.py, made up: no public set marks their text.

Each kind has several layouts, as the common software of its kind builds them, with the navigation, side
bars, banners, buttons and links to other pages that such pages have around their text. What a reader
would copy is the truth: posts with their comments; a product's name, price, description, facts and
reviews; a listing's items. Authors' names, dates, votes, signatures, filters, paging and "you may also
like" are not. Which extractor reads them was chosen on the layouts of `SEEN`; those of `HELD_BACK` were
scored afterwards.
"""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

WHO = [
    "my neighbour",
    "the tomato in the corner",
    "the new kettle",
    "our old lamp",
    "this jacket",
    "the seller",
    "the last update",
    "my brother",
    "the small radio",
    "the flat upstairs",
    "the path along the lake",
    "a friend of mine",
    "the battery",
    "the manual",
]
DOES = [
    "stopped working",
    "turned yellow",
    "arrived two days late",
    "looks better than before",
    "makes a strange noise",
    "is still under warranty",
    "was cheaper last year",
    "needs more water",
    "has been repaired twice",
    "lost its colour",
    "is lighter than it looks",
    "gave up without a warning",
    "works as promised",
    "had to be cleaned by hand",
]
WHEN = [
    "after the first cold night",
    "although nobody touched it",
    "since Monday morning",
    "in spite of the good reviews",
    "because the soil was too wet",
    "when the window was open",
    "and I don't know why",
    "within a single week",
    "which surprised all of us",
    "so I would buy it again",
    "before the holidays began",
    "while we were away",
]
KOREAN_WHO = [
    "이웃집 아저씨가",
    "구석에 있는 토마토가",
    "새로 산 주전자가",
    "오래된 조명이",
    "판매자가",
    "작은 라디오가",
    "위층 집이",
    "호숫가 길이",
    "친구가",
    "배터리가",
]
KOREAN_WHEN = [
    "월요일 아침부터",
    "첫 추위가 지나고",
    "아무도 만지지 않았는데",
    "창문을 열어 두었을 때",
    "일주일도 안 되어",
    "좋은 후기와 달리",
    "휴가를 떠나기 전에",
    "흙이 너무 젖어서",
]
KOREAN_DOES = [
    "갑자기 멈췄어요",
    "노랗게 변했습니다",
    "이틀 늦게 도착했어요",
    "전보다 좋아 보입니다",
    "이상한 소리를 냅니다",
    "아직 보증 기간이에요",
    "두 번이나 수리했습니다",
    "생각보다 가벼워요",
]
NAMES = [
    "ada",
    "grace",
    "linus",
    "margaret",
    "barbara",
    "dennis",
    "radia",
    "ken",
    "frances",
    "edsger",
]
THINGS = [
    "Kettle",
    "Lamp",
    "Desk",
    "Kayak",
    "Tent",
    "Jacket",
    "Radio",
    "Camera",
    "Bicycle",
    "Clock",
    "Guitar",
    "Stove",
]


class MadePage(NamedTuple):
    kind: str
    layout: str
    html: str
    text: str
    url: str


class Words:
    """The same words for the same seed."""

    def __init__(self, seed: str, korean: bool = False) -> None:
        self._random = random.Random(seed)
        self._korean = korean
        self._said: set[str] = set()

    def say(self, least: int, most: int) -> str:
        """So many sentences, none of which the page has yet."""
        return " ".join(self._sentence() for _ in range(self._random.randint(least, most)))

    def _sentence(self) -> str:
        parts = (KOREAN_WHO, KOREAN_WHEN, KOREAN_DOES) if self._korean else (WHO, DOES, WHEN)
        while True:
            text = " ".join(self._random.choice(part) for part in parts) + "."
            if text not in self._said:
                self._said.add(text)
                return text[0].upper() + text[1:]

    def name(self) -> str:
        return f"{self._random.choice(NAMES)}{self._random.randint(1, 99)}"

    def thing(self) -> str:
        return f"{self._random.choice(THINGS)} {self._random.choice('ABCDEF')}{self._random.randint(100, 999)}"

    def number(self, least: int, most: int) -> int:
        return self._random.randint(least, most)


def around(main: str, head: str, words: Words, *, side: str = "", tag: str = "main") -> str:
    """A page with what stands around its text."""
    menu = "".join(f"<li><a href='/c{n}'>{each}s</a></li>" for n, each in enumerate(THINGS))
    links = "".join(
        f"<li><a href='/n{n}'>{html.escape(words.say(1, 1))}</a></li>" for n in range(6)
    )
    page = (
        f"<!doctype html><html><head><title>Example</title>{head}<style>p {{ margin: 0 }}</style></head><body>"
        "<div class='cookie-banner'><p>We use cookies to improve your experience.</p><button>Accept</button></div>"
        f"<header><a class='logo' href='/'>Example</a><nav><ul>{menu}</ul></nav>"
        "<form class='search'><input name='q'><button>Search</button></form><a href='/login'>Log in</a></header>"
        f"<div class='wrap'><{tag} class='content'>{main}</{tag}>"
        f"<aside class='sidebar'>{side}<h4>Popular now</h4><ul>{links}</ul></aside></div>"
        "<footer><ul><li><a href='/imprint'>Imprint</a></li><li><a href='/privacy'>Privacy</a></li></ul>"
        "<p>© Example Ltd. All rights reserved.</p></footer><script>var a = 1;</script></body></html>"
    )
    return page.replace("><", ">\n<")  # as templates write it


def json_ld(kind: str) -> str:
    return f'<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "{kind}"}}</script>'


Made = tuple[str, str, str]  # its HTML, its text, its path


# Forums


def old_board(words: Words) -> Made:
    texts = [words.say(1, 4) for _ in range(words.number(3, 9))]
    rows = "".join(
        f"<tr><td class='profile'><b>{words.name()}</b><br>Posts: {words.number(1, 900)}<br>Joined: May 2019</td>"
        f"<td><p class='date'>Mon May {n + 1}, 2023 4:0{n % 10} pm</p><div class='postbody'>{text}</div>"
        "<div class='signature'>Sent from my garden</div><a href='#q'>Quote</a> <a href='#r'>Report</a></td></tr>"
        for n, text in enumerate(texts)
    )
    title = "Yellow leaves"
    body = f"<h2>{title}</h2><table class='forumline'>{rows}</table><div class='pagination'>Page 1 of 3 <a href='?2'>Next</a></div>"
    return (
        around(body, '<meta name="generator" content="phpBB">', words, tag="div"),
        "\n".join([title, *texts]),
        "/viewtopic.php?t=7",
    )


def modern_board(words: Words) -> Made:
    texts = [words.say(1, 5) for _ in range(words.number(3, 10))]
    posts = "".join(
        f"<article class='topic-post'><div class='topic-meta-data'><a href='/u'>{words.name()}</a><time>{n + 1}d</time></div>"
        f"<div class='cooked'><p>{text}</p></div><nav class='post-controls'><button>Like</button><button>Reply</button></nav></article>"
        for n, text in enumerate(texts)
    )
    body = f"<h1>Yellow leaves</h1><div class='post-stream'>{posts}</div>"
    return (
        around(body, '<meta name="generator" content="Discourse 3.2">', words),
        "\n".join(["Yellow leaves", *texts]),
        "/t/yellow/7",
    )


def questions(words: Words) -> Made:
    said: list[str] = ["Why do the leaves turn yellow?"]

    def comments() -> str:
        made = [words.say(1, 1) for _ in range(words.number(1, 3))]
        said.extend(made)
        return (
            "<ul class='comments-list'>"
            + "".join(
                f"<li class='comment'><span class='comment-copy'>{each}</span> – <a href='/u'>{words.name()}</a> <span>2 days ago</span></li>"
                for each in made
            )
            + "</ul>"
        )

    def post(kind: str) -> str:
        text = words.say(2, 5)
        said.append(text)
        votes = f"<div class='votecell'><button>▲</button><span>{words.number(0, 40)}</span></div>"
        user = f"<div class='user-info'>answered May 3 by <a href='/u'>{words.name()}</a></div>"
        return f"<div class='{kind}'>{votes}<div class='s-prose'><p>{text}</p></div>{user}{comments()}</div>"

    answers = post("question") + "<h2>3 Answers</h2>" + "".join(post("answer") for _ in range(3))
    body = f"<h1>{said[0]}</h1>{answers}"
    return around(body, json_ld("QAPage"), words), "\n".join(said), "/questions/12/why"


def threaded(words: Words) -> Made:
    said = ["Ask the garden: what is wrong with my tomatoes?", words.say(2, 4)]

    def comment(depth: int) -> str:
        text = words.say(1, 3)
        said.append(text)
        inner = "".join(comment(depth + 1) for _ in range(words.number(0, 2))) if depth < 3 else ""
        return (
            f"<div class='comment'><p class='tagline'><a href='/u'>{words.name()}</a> {words.number(1, 99)} points 3 hours ago</p>"
            f"<div class='usertext'><div class='md'><p>{text}</p></div></div><ul class='buttons'><li><a>permalink</a></li><li><a>reply</a></li></ul>"
            f"<div class='child'>{inner}</div></div>"
        )

    replies = "".join(comment(0) for _ in range(3))
    body = f"<h1>{said[0]}</h1><div class='usertext'><div class='md'><p>{said[1]}</p></div></div><div class='commentarea'>{replies}</div>"
    return (
        around(body, json_ld("DiscussionForumPosting"), words),
        "\n".join(said),
        "/r/garden/comments/5/tomatoes",
    )


def message_board(words: Words) -> Made:
    texts = [words.say(1, 4) for _ in range(words.number(3, 8))]
    posts = "".join(
        f"<article class='message message--post'><div class='message-cell message-cell--user'><h4 class='message-name'>{words.name()}</h4>"
        f"<h5>Member</h5><dl><dt>Messages</dt><dd>{words.number(1, 900)}</dd></dl></div><div class='message-cell message-cell--main'>"
        f"<header><time>May {n + 1}, 2023</time> <a>#{n + 1}</a></header><div class='message-body'><div class='bbWrapper'>{text}</div></div>"
        "<footer><a>Report</a> <a>Like</a> <a>Reply</a></footer></div></article>"
        for n, text in enumerate(texts)
    )
    body = f"<h1 class='p-title'>Headphones after the update</h1>{posts}<form><textarea></textarea><button>Post reply</button></form>"
    return (
        around(body, "", words, tag="div").replace("<body>", "<body id='XF' class='xenforo'>"),
        "\n".join(["Headphones after the update", *texts]),
        "/threads/update.9/",
    )


def korean_board(words: Words) -> Made:
    said = ["토마토 잎이 노래요", words.say(3, 6)]
    replies = [words.say(1, 2) for _ in range(words.number(3, 8))]
    items = "".join(
        f"<li><span class='nick'>{words.name()}</span><p class='comment_text'>{each}</p><span class='date'>05.0{n % 9 + 1} 14:20</span><a>답글</a></li>"
        for n, each in enumerate(replies)
    )
    body = (
        f"<h3 class='title'>{said[0]}</h3><div class='info'>조회 {words.number(10, 999)} 추천 3</div><div class='view_content'><p>{said[1]}</p></div>"
        f"<div class='comment_box'><strong>댓글</strong><ul class='comment_list'>{items}</ul></div>"
    )
    return (
        around(body, json_ld("DiscussionForumPosting"), words, tag="div"),
        "\n".join([*said, *replies]),
        "/board/garden/9",
    )


# Products


def _facts(words: Words) -> list[tuple[str, str]]:
    names = ("Height", "Width", "Weight", "Power", "Material", "Made in", "Colour", "Warranty")
    values = (
        "45 cm",
        "30 cm",
        "1.2 kilograms",
        "2200 watts",
        "brushed steel",
        "Lisbon",
        "sand",
        "two years",
    )
    pairs = list(zip(names, values, strict=True))
    return pairs[: words.number(4, 8)]


def _also(words: Words) -> str:
    cards = "".join(
        f"<li><a href='/p{n}'><img alt=''><span>{words.thing()}</span><b>{words.number(10, 99)}.00 EUR</b></a></li>"
        for n in range(6)
    )
    return f"<section class='related'><h2>Customers also bought</h2><ul>{cards}</ul></section>"


def shop_with_table(words: Words) -> Made:
    name, price, about, facts = (
        words.thing(),
        f"{words.number(10, 300)}.90 EUR",
        words.say(2, 4),
        _facts(words),
    )
    reviews = [words.say(1, 2) for _ in range(3)]
    rows = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in facts)
    said = "".join(
        f"<div class='review'><b class='by'>{words.name()}</b> ★★★★☆<p>{each}</p></div>"
        for each in reviews
    )
    body = (
        f"<div class='breadcrumb'><a href='/'>Home</a> / <a href='/k'>Kitchen</a></div><h1>{name}</h1><p class='price'>{price}</p><button>Add to cart</button>"
        f"<div class='description'><p>{about}</p></div><table class='specs'>{rows}</table><section id='reviews'><h2>Reviews</h2>{said}</section>{_also(words)}"
    )
    text = "\n".join(
        [name, price, about, *(f"{key} {value}" for key, value in facts), "Reviews", *reviews]
    )
    return around(body, json_ld("Product"), words), text, "/kettle"


def shop_with_bullets(words: Words) -> Made:
    name, price, about = words.thing(), f"{words.number(10, 300)}.00 USD", words.say(1, 2)
    bullets = [words.say(1, 1) for _ in range(5)]
    points = "".join(f"<li>{each}</li>" for each in bullets)
    body = (
        f"<div itemscope itemtype='https://schema.org/Product'><h1 itemprop='name'>{name}</h1><span itemprop='price'>{price}</span>"
        f"<select><option>S</option><option>M</option></select><button>Buy now</button><ul class='features'>{points}</ul>"
        f"<div itemprop='description'>{about}</div></div>{_also(words)}"
    )
    return around(body, "", words), "\n".join([name, price, *bullets, about]), "/dp/B01"


def shop_in_parts(words: Words) -> Made:
    name, price, about, facts = (
        words.thing(),
        f"{words.number(10, 300)}.50 EUR",
        words.say(3, 6),
        _facts(words),
    )
    terms = "".join(f"<dt>{key}</dt><dd>{value}</dd>" for key, value in facts)
    body = (
        f"<h1>{name}</h1><div class='buybox'><div class='price'>{price}</div><button>Add to basket</button></div>"
        f"<div class='tabs'><div class='tab' id='d'><div>{about}</div></div><div class='tab' id='s'><dl>{terms}</dl></div></div>{_also(words)}"
    )
    text = "\n".join([name, price, about, *(f"{key} {value}" for key, value in facts)])
    return (
        around(body, '<meta property="og:type" content="product">', words, tag="div"),
        text,
        "/item/5",
    )


def korean_shop(words: Words) -> Made:
    name, price, about = "접이식 스탠드 조명", f"{words.number(10, 99)},900원", words.say(2, 5)
    reviews = [words.say(1, 1) for _ in range(4)]
    said = "".join(f"<li><em>{words.name()}</em><p>{each}</p></li>" for each in reviews)
    body = f"<h2 class='prd_name'>{name}</h2><strong class='price'>{price}</strong><button>장바구니</button><div class='detail'><p>{about}</p></div><ul class='review_list'>{said}</ul>{_also(words)}"
    return (
        around(body, json_ld("Product"), words, tag="div"),
        "\n".join([name, price, about, *reviews]),
        "/goods/77",
    )


# Listings

FILTERS = "<h4>Filter</h4><ul><li><label><input type='checkbox'>In stock</label></li><li><label><input type='checkbox'>New</label></li></ul>"
PAGING = "<div class='pagination'><a href='?1'>1</a> <a href='?2'>2</a> <a href='?3'>3</a> <a href='?2'>Next</a></div>"


def grid(words: Words) -> Made:
    items = [(words.thing(), f"{words.number(5, 400)}.00 EUR") for _ in range(words.number(12, 24))]
    cards = "".join(
        f"<div class='card'><a href='/p{n}'><img alt=''><span class='name'>{name}</span></a><span class='price'>{price}</span></div>"
        for n, (name, price) in enumerate(items)
    )
    body = f"<h1>Everything for the desk</h1><div class='grid'>{cards}</div>{PAGING}"
    text = "\n".join(["Everything for the desk", *(f"{name} {price}" for name, price in items)])
    return around(body, json_ld("ItemList"), words, side=FILTERS), text, "/desk"


def results(words: Words) -> Made:
    items = [(words.say(1, 1), words.say(1, 2)) for _ in range(10)]
    hits = "".join(
        f"<div class='result'><h3><a href='/r{n}'>{title}</a></h3><p>{snippet}</p></div>"
        for n, (title, snippet) in enumerate(items)
    )
    body = f"<h1>Results</h1>{hits}{PAGING}"
    text = "\n".join(["Results", *(f"{title} {snippet}" for title, snippet in items)])
    return around(body, json_ld("SearchResultsPage"), words, side=FILTERS), text, "/search?q=tomato"


def homes(words: Words) -> Made:
    items = [
        (
            f"Flat {n} with {words.number(2, 6)} rooms",
            f"{words.number(40, 140)} square metres",
            words.say(1, 2),
        )
        for n in range(10)
    ]
    rows = "".join(
        f"<li class='ad'><h2><a href='/f{n}'>{title}</a></h2><div class='size'>{size}</div><p>{about}</p><button>Save</button></li>"
        for n, (title, size, about) in enumerate(items)
    )
    body = f"<h1>Flats to let</h1><ul class='results'>{rows}</ul>{PAGING}"
    text = "\n".join(["Flats to let", *(" ".join(each) for each in items)])
    return around(body, json_ld("CollectionPage"), words, side=FILTERS, tag="div"), text, "/flats"


def jobs(words: Words) -> Made:
    items = [
        (f"{words.thing()} engineer", f"Team {words.name()}", f"{words.number(20, 90)},000 a year")
        for _ in range(14)
    ]
    rows = "".join(
        f"<tr><td><a href='/j{n}'>{a}</a></td><td>{b}</td><td>{c}</td></tr>"
        for n, (a, b, c) in enumerate(items)
    )
    body = f"<h1>Open positions</h1><table><tr><th>Position</th><th>Team</th><th>Pay</th></tr>{rows}</table>{PAGING}"
    text = "\n".join(["Open positions", "Position Team Pay", *(" ".join(each) for each in items)])
    return around(body, json_ld("ItemList"), words), text, "/jobs"


def headlines(words: Words) -> Made:
    items = [words.say(1, 1) for _ in range(18)]
    lines = "".join(f"<li><a href='/a{n}'>{each}</a></li>" for n, each in enumerate(items))
    body = f"<h1>All stories</h1><ol class='stories'>{lines}</ol>{PAGING}"
    return (
        around(body, json_ld("CollectionPage"), words),
        "\n".join(["All stories", *items]),
        "/stories",
    )


Layout = Callable[[Words], Made]
SEEN: dict[str, tuple[Layout, ...]] = {
    "forum": (old_board, modern_board, questions),
    "product": (shop_with_table, shop_with_bullets),
    "listing": (grid, results),
}
HELD_BACK: dict[str, tuple[Layout, ...]] = {
    "forum": (threaded, message_board, korean_board),
    "product": (shop_in_parts, korean_shop),
    "listing": (homes, jobs, headlines),
}


def made_pages(layouts: dict[str, tuple[Layout, ...]], of_each: int) -> Iterator[MadePage]:
    for kind, makers in layouts.items():
        for make in makers:
            for n in range(of_each):
                words = Words(f"{make.__name__} {n}", korean="korean" in make.__name__)
                page, text, path = make(words)
                yield MadePage(kind, make.__name__, page, text, f"https://example.org{path}")
