"""Whatever pages are called, say and name as theirs: text here, never run, and nothing is fetched from them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import execute, signed_in
from tests.e2e.web_stage import HOSTILE, Home, record_hostile, settled

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Elsewhere:
    """A site that was visited, and would learn who looks back at it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_error(404)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    made = Elsewhere()
    yield made
    made.server.shutdown()
    made.server.server_close()


def check_inert(tab: Page) -> None:
    """Nothing of what pages wrote has become a part of this one."""
    assert tab.evaluate("document.title") != "run"
    assert tab.locator("main :is(script, b, i, iframe, object, embed, svg image)").count() == 0
    assert tab.locator("main [onerror], main a[href^='javascript' i]").count() == 0
    assert tab.evaluate(WIDER) <= 0, "something is wider than the page"


def test_whatever_pages_are_called_is_text(tab: Page, home: Home) -> None:
    id_ = record_hostile(home)
    tab.set_viewport_size({"width": 1280, "height": 2_000})  # rows that are far away are not drawn
    tab.goto(f"{home.url}/sessions/{id_}")
    expect(tab.get_by_role("heading", name="<b>Bold</b> & 'quoted'")).to_be_visible()
    for title in HOSTILE:
        shown = title[:60].strip()
        expect(tab.locator("li[data-index] a", has_text=shown)).to_have_count(1)
        expect(tab.locator("blockquote", has_text=shown)).to_have_count(1)
    expect(tab.get_by_text("4 events are missing here")).to_be_visible()
    check_inert(tab)
    marked = home.client.get("/v1/highlights").json()["highlights"][0]
    for path in ("/highlights", f"/pages/{marked['url_id']}"):
        tab.goto(home.url + path)
        expect(tab.locator("blockquote").first).to_be_visible()
        check_inert(tab)
    tab.goto(f"{home.url}/?q=%3Cb%3E")
    expect(tab.locator("li[data-status] a")).to_have_text("<b>Bold</b> & 'quoted'")
    check_inert(tab)
    home.forget(id_)


def test_labels_and_summaries_are_text(tab: Page, home: Home) -> None:
    """Whatever a model or the reader wrote: markup, the other direction, emoji, ten thousand letters."""
    recorder = home.record("Labels")
    began = int(time.time() * 1000) - 60_000
    recorder.begin(began)
    for number in range(len(HOSTILE)):
        url, at = f"https://labels.example/{number}", began + number * 5_000
        recorder.go(url, f"Page {number}", at)
        text = f"Page {number} says something of its own. " * 20
        told = {"title": f"Page {number}", "extractionOk": True, "content": text}
        recorder.say("CONTENT_EXTRACTED", at + 1_000, tabId=1, url=url, payload=told)
    recorder.stop(began + 30_000)
    settled(home.client)
    for number, written in enumerate(HOSTILE):
        change = "update page_contents set summary = $1, keywords = $2 where title = $3"
        execute(home.database_url, change, written, [written[:200]], f"Page {number}")
    labels = [HOSTILE[0][:100], "غرفة القراءة مكتبة", HOSTILE[2][:100].strip(), HOSTILE[3]]
    path = f"/v1/sessions/{recorder.id}/mindmap"
    ops = [
        {"op": "add", "id": f"own-{number}", "parent": "root", "label": label}
        for number, label in enumerate(labels)
    ]
    shown = home.client.get(path).json()["mindmap"]
    edited = home.client.patch(path, json={"revision": shown["revision"], "ops": ops})
    assert edited.status_code == 200, edited.text
    too_long = {"op": "rename", "id": "own-0", "label": "wide " * 2_000}
    now = edited.json()["mindmap"]["revision"]
    refused = home.client.patch(path, json={"revision": now, "ops": [too_long]})
    assert refused.status_code == 422, refused.text

    tab.set_viewport_size({"width": 1280, "height": 2_000})
    tab.goto(f"{home.url}/sessions/{recorder.id}")
    tree = tab.get_by_role("tree")
    for label in labels:
        expect(tree.get_by_role("treeitem", name=label, exact=True)).to_have_count(1)
    check_inert(tab)
    tab.get_by_role("button", name="By page").click()
    for written in HOSTILE:
        expect(tab.locator("ol p[dir=auto]", has_text=written[:60].strip())).to_have_count(1)
    check_inert(tab)
    tab.get_by_role("button", name="How I got there").click()
    expect(tab.locator("ol li", has_text="Page 0").first).to_be_visible()
    check_inert(tab)
    tab.goto(f"{home.url}/together?sessions={recorder.id}")
    expect(tab.locator("li[data-index]").first).to_be_visible()
    check_inert(tab)
    home.forget(recorder.id)


def test_nothing_is_fetched_from_the_pages_that_were_visited(
    tab: Page, home: Home, elsewhere: Elsewhere
) -> None:
    """Not even their pictures: `tab` fails on what it only wants to fetch."""
    recorder = home.record("Elsewhere")
    began = int(time.time() * 1000) - 60_000
    url = f"{elsewhere.url}/page"
    recorder.begin(began)
    recorder.go(url, "A page", began)
    said = {
        "title": "A page",
        "content": "Long enough to be kept as what was read. " * 20,
        "extractionOk": True,
        "meta": {
            "favicon": f"{elsewhere.url}/favicon.ico",
            "ogImage": f"{elsewhere.url}/picture.png",
        },
    }
    recorder.say("CONTENT_EXTRACTED", began + 1_000, tabId=1, url=url, payload=said)
    recorder.stop(began + 30_000)
    settled(home.client)
    [visit] = home.client.get(f"/v1/sessions/{recorder.id}").json()["page_visits"]
    assert visit["content_status"] == "extracted"
    for path, row in (("", "li[data-status]"), (f"sessions/{recorder.id}", "li[data-index] > div")):
        tab.goto(f"{home.url}/{path}")
        expect(tab.locator(f"{row} > [data-tinted]")).to_be_visible()
        tab.wait_for_load_state("networkidle")
        pictures = tab.locator("img").evaluate_all("all => all.map((each) => each.src)")
        assert [each for each in pictures if not each.startswith((home.url, "data:"))] == []
    assert elsewhere.asked == []
    home.forget(recorder.id)


def test_the_policy_lets_no_script_in_that_is_not_ours(chromium: Browser, home: Home) -> None:
    context = signed_in(chromium, home)
    page = context.new_page()
    answer = page.goto(home.url)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    broken = page.evaluate(
        """new Promise((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective));
          const script = document.createElement('script');
          script.textContent = 'window.wasRun = true';
          document.body.append(script);
        })"""
    )
    assert broken.startswith("script-src")
    assert page.evaluate("window.wasRun") is None
    context.close()
