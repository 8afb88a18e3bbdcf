"""What all crawlers of bench/crawl.py share: the pages, and how one is parsed.

Nothing but the standard library: it runs in every peer's own environment.
"""

import json
import os
import re
import sys
import time

HOSTS = [f"127.0.0.{n}" for n in range(1, 11)]
PER_HOST = 2  # requests at once
_TITLE = re.compile(r"<title>([^<]*)</title>")
_LD = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
_ANSWERS = os.dup(1)
os.dup2(2, 1)  # what libraries print goes to stderr


def urls(port: int, pages: int) -> list[str]:
    """In turn over the hosts, so that twenty at once are two on each."""
    return [f"http://{HOSTS[n % len(HOSTS)]}:{port}/page/{n}" for n in range(pages)]


def page(path: str) -> bytes:
    """A product page of about 18 kB."""
    product = {"@type": "Product", "name": path, "offers": {"price": "9.90"}}
    filler = "<p class='text'>The quick brown fox jumps over the lazy dog.</p>\n" * 280
    return (
        f"<!doctype html><html><head><meta charset='utf-8'><title>{path}</title>"
        f'<script type="application/ld+json">{json.dumps(product)}</script></head>'
        f"<body>{filler}</body></html>"
    ).encode()


def parse(text: str) -> tuple[str, str]:
    """Title and price: the same work for everybody."""
    title, data = _TITLE.search(text), _LD.search(text)
    assert title is not None
    assert data is not None
    return title[1], json.loads(data[1])["offers"]["price"]


class Tally:
    """Counts parsed pages, and answers when all are there: when, and after how much CPU."""

    def __init__(self, expected: int) -> None:
        self._expected = expected
        self._seen: set[str] = set()
        self._cpu_s = time.process_time()

    def note(self, title: str) -> None:
        self._seen.add(title)
        if len(self._seen) == self._expected:
            cpu_s = time.process_time() - self._cpu_s
            answer = {"done_at": time.monotonic(), "cpu_s": cpu_s}
            os.write(_ANSWERS, json.dumps(answer).encode() + b"\n")


def asked() -> tuple[int, int, str]:
    """Port, number of pages, database (of ours)."""
    return int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
