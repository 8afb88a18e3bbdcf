"""Realistic batches for bench/ingest.py: what a busy browser sends, ready to be sent.

200 events a batch: 25 navigations, each to a page that nobody has seen, with about 4 KB of text (as
the seed sends it, with the navigation); the rest are switches between tabs, focus lost and gained,
signs of life, idleness, closed tabs and a few highlights.
"""

import json
import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

EVENTS = 200
NAVIGATIONS = 25
TEXT = 4_000
WORDS = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "is",
    "that",
    "for",
    "it",
    "as",
    "was",
    "with",
    "be",
    "by",
    "on",
    "not",
    "he",
    "his",
    "but",
    "at",
    "are",
    "this",
    "have",
    "from",
    "which",
    "one",
    "had",
    "or",
    "were",
    "their",
    "an",
    "when",
    "there",
    "can",
    "more",
    "no",
    "if",
    "out",
    "so",
    "said",
    "what",
    "up",
    "its",
    "about",
    "into",
    "memory",
    "browser",
    "session",
    "timeline",
    "database",
    "transaction",
    "queue",
    "worker",
    "event",
    "visit",
    "page",
    "reader",
    "브라우저",
    "기억",
    "시간",
    "기록",
    "페이지",
    "데이터",
    "사용자",
    "검색",
    "문서",
    "읽기",
    "요약",
    "지도",
    "목록",
    "세션",
]
# Of what a batch is made beside its navigations, in parts.
OTHERS = (
    ["TAB_ACTIVATED"] * 70
    + ["ALIVE"] * 60
    + ["WINDOW_FOCUS_CHANGED"] * 24
    + ["TAB_REMOVED"] * 10
    + ["IDLE_STATE_CHANGED"] * 6
    + ["HIGHLIGHT"] * 5
)
START_MS = 1_780_000_000_000
# Stands in every page and text; replaced for each round, so that nothing was ever seen before.
MARK = "R0000000"


@dataclass(slots=True)
class Browser:
    """One recording, going on for as long as it is asked for batches."""

    session_id: str
    seed: int
    seq: int = 0
    t: int = START_MS

    def batches(self) -> Iterator[list[dict[str, object]]]:
        draw = random.Random(self.seed)
        tabs: dict[int, str] = {1: self._page(draw)}
        while True:
            kinds = [*draw.sample(OTHERS, EVENTS - NAVIGATIONS), *["NAV_COMMITTED"] * NAVIGATIONS]
            draw.shuffle(kinds)
            yield [self._event(draw, kind, tabs) for kind in kinds]

    def _event(self, draw: random.Random, kind: str, tabs: dict[int, str]) -> dict[str, object]:
        self.seq += 1
        self.t += draw.choice((40, 300, 2_000, 9_000, 25_000))
        event: dict[str, object] = {
            "sessionId": self.session_id,
            "seq": self.seq,
            "t": self.t,
            "type": kind,
        }
        tab = draw.choice(list(tabs))
        if kind == "NAV_COMMITTED":
            tab = draw.randint(1, 30)
            tabs[tab] = self._page(draw)
            event |= {"tabId": tab, "windowId": 1, "url": tabs[tab], "payload": _read(draw)}
        elif kind == "TAB_ACTIVATED":
            event |= {"tabId": tab, "windowId": 1, "url": tabs[tab]}
        elif kind == "WINDOW_FOCUS_CHANGED":
            event |= {"windowId": 1, "payload": {"focused": draw.random() < 0.6}}
        elif kind == "IDLE_STATE_CHANGED":
            state = draw.choice(("active", "active", "idle"))
            event |= {"payload": {"state": state, "thresholdMs": 60_000}}
        elif kind == "TAB_REMOVED":
            event |= {"tabId": tab, "windowId": 1}
            if len(tabs) > 1:
                del tabs[tab]
        elif kind == "HIGHLIGHT":
            event |= {"tabId": tab, "url": tabs[tab], "payload": {"text": _text(draw, 120)}}
        return event

    @staticmethod
    def _page(draw: random.Random) -> str:
        site = draw.randint(1, 400)
        return f"https://www.site{site}.example/read/{MARK}-{draw.getrandbits(64):x}?page={site}&utm_source=x"


def _read(draw: random.Random) -> dict[str, object]:
    title = _text(draw, 50)
    return {
        "title": title,
        "transition": "link",
        "redirect": False,
        "content": f"{MARK} {_text(draw, TEXT)}",
        "extractionOk": True,
        "meta": {"title": title, "description": _text(draw, 120), "ogTitle": title},
    }


def _text(draw: random.Random, length: int) -> str:
    words, size = [], 0
    while size < length:
        word = draw.choice(WORDS)
        words.append(word)
        size += len(word) + 1
    return " ".join(words)[:length]


def browser(seed: int) -> Browser:
    return Browser(str(uuid.UUID(int=random.Random(seed).getrandbits(128), version=4)), seed)


def encode(events: list[dict[str, object]]) -> bytes:
    return json.dumps({"events": events}, ensure_ascii=False, separators=(",", ":")).encode()


def remade(body: bytes, session_id: str, new_id: str, number: int) -> bytes:
    """The same batch of another session, on pages that nobody has seen."""
    mark = f"R{number:07d}".encode()
    return body.replace(session_id.encode(), new_id.encode()).replace(MARK.encode(), mark)
