"""Fifty questions of ours over the articles of a folder and the demo. Part of `bench/search.py`."""

import gzip
import html
import json
import re
import time
from pathlib import Path
from typing import Any

import httpx2

from bench.figures import Report

QUESTIONS = Path(__file__).with_name("search_questions.json")
LONGEST_TEXT = 10_000
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)


def _articles(folder: Path) -> dict[str, dict[str, str]]:
    """Name → address, title and text, as a browser would have told them."""
    truth = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    found = {}
    for name, article in truth.items():
        page = gzip.decompress((folder / f"{name}.html.gz").read_bytes()).decode("utf-8", "replace")
        title = _TITLE.search(page)
        found[name] = {
            "url": f"https://articles.example.org/{name}",
            "title": " ".join(html.unescape(title[1]).split())[:300] if title else "",
            "text": article["articleBody"][:LONGEST_TEXT],
        }
    return found


def record(client: httpx2.Client, folder: Path) -> None:
    """One session in which every article was read, and the demo."""
    began = int(time.time() * 1000) - 8 * 3_600_000
    events: list[dict[str, Any]] = [{"type": "TAB_ACTIVATED", "tabId": 1, "windowId": 1}]
    for article in _articles(folder).values():
        where = {"tabId": 1, "windowId": 1, "url": article["url"]}
        told = {"title": article["title"], "noFetch": True}
        read = {**told, "content": article["text"], "extractionOk": True}
        events += [
            {"type": "NAV_COMMITTED", **where, "payload": told},
            {"type": "CONTENT_EXTRACTED", **where, "payload": read},
            {"type": "ALIVE"},
        ]
    session = client.post("/v1/sessions/start", json={"started_at": began}).json()["session_id"]
    numbered = [{"seq": n, "t": began + 20_000 * n, **each} for n, each in enumerate(events, 1)]
    for first in range(0, len(numbered), 60):
        sent = client.post(
            f"/v1/sessions/{session}/events:batch", json={"events": numbered[first : first + 60]}
        )
        assert sent.status_code == 200, sent.text
    stopped = client.post(f"/v1/sessions/{session}/stop", json={"last_seq": len(numbered)})
    assert stopped.status_code == 202, stopped.text


def ask(report: Report, client: httpx2.Client) -> None:
    asked = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    places = []
    for each in asked:
        hits = client.get("/v1/search", params={"q": each["question"], "limit": 20}).json()["hits"]
        place = next((n for n, hit in enumerate(hits, 1) if each["page"] in (hit["url"] or "")), 0)
        places.append(place)
        report.settings[f"{each['question']} → {each['page']}"] = place
    report.add("questions", len(asked))
    report.add("questions_top1", sum(place == 1 for place in places) / len(asked))
    report.add("questions_top3", sum(1 <= place <= 3 for place in places) / len(asked))
    report.add("questions_found", sum(place > 0 for place in places) / len(asked))
