"""Whatever MindHit links to opens what was visited: in the web app, in every export and on the command line."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, expect

from tests import servers
from tests.e2e.conftest import PATIENCE_MS, Site, query
from tests.e2e.extension_kit import Reader, Stage, stage, wait_until
from tests.e2e.extension_sites import PLAIN, WITH_WWW, Sites, local_sites

# What the extension keeps: the page in front, and the events that the server doesn't have yet.
KEPT: Final = """new Promise((resolve, reject) => {
  const opening = indexedDB.open('mindhit');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const stored = opening.result.transaction(['recordings', 'events']);
    const recordings = stored.objectStore('recordings').getAll();
    const events = stored.objectStore('events').getAll();
    stored.oncomplete = () => {
      opening.result.close();
      const read = events.result.filter(({ event }) => event.type === 'CONTENT_EXTRACTED');
      resolve({
        front: recordings.result[0]?.capture.foreground?.url,
        read: read.map(({ seq, event }) => [seq, event.url, event.payload.meta?.title]),
        lastSeq: recordings.result[0]?.lastSeq,
      });
    };
  };
})"""
SENT: Final = """
select e.seq, coalesce(e.payload ->> 'address', u.url) as url, e.payload ->> 'title' as title
  from raw_events e join urls u on u.id = e.url_id
 where e.type = 'CONTENT_EXTRACTED'"""


class Step(NamedTuple):
    script: str
    address: str
    title: str
    transition: str


def steps_over(sites: Sites) -> list[Step]:
    only, app = sites.at(WITH_WWW, "/"), sites.at(PLAIN, "/mail?box=1#/")
    form, pdf = sites.at(PLAIN, "/form"), sites.at(PLAIN, "/manuals/A%20manual.pdf")
    return [
        Step(f"follow('{only}')", only, f"{WITH_WWW}/", "link"),
        Step(f"follow('{app}inbox')", f"{app}inbox", "Mail: inbox", "link"),
        Step(f"follow('{form}')", form, f"{PLAIN}/form", "link"),
        Step("history.back()", f"{app}inbox", "Mail: inbox", "forward_back"),
        Step("history.forward()", form, f"{PLAIN}/form", "forward_back"),
        Step("document.forms[0].submit()", form, "What the form was answered", "form_submit"),
        Step(f"follow('{app}sent')", f"{app}sent", "Mail: sent", "link"),
        Step(f"follow('{pdf}')", pdf, "A manual.pdf", "link"),
    ]


class Recording:
    """What is recorded: kept by the extension, or sent."""

    def __init__(self, on: Stage) -> None:
        self.on = on
        self.seq = 0

    def has(self, address: str, title: str) -> bool:
        """Whether the page is in front, and was read since the last step."""
        kept = self.on.extension.chromium.evaluate(self.on.extension.page, KEPT)
        if kept.get("front") != address:
            return False
        # In this order: what is no longer kept by the extension is on the server.
        read = [*map(tuple, kept["read"]), *query(self.on.reader.site.database_url, SENT)]
        is_read = any(seq > self.seq and (url, name) == (address, title) for seq, url, name in read)
        if is_read or address.endswith(".pdf"):
            self.seq = kept["lastSeq"]
        return is_read or address.endswith(".pdf")


def visit_all(on: Stage, sites: Sites, steps: list[Step]) -> None:
    first = sites.at(PLAIN, "/a")
    tab = on.extension.open(first)
    on.extension.show(tab)
    session = on.extension.chromium.attach(tab)
    wait_until(lambda: on.extension.try_evaluate(session, "document.title") == f"{PLAIN}/a")
    on.extension.ask("start")
    recording = Recording(on)
    wait_until(lambda: recording.has(first, f"{PLAIN}/a"), what=first)
    for step in steps:
        on.extension.try_evaluate(session, step.script)
        wait_until(partial(recording.has, step.address, step.title), what=str(step))
    on.extension.ask("stop")
    on.extension.wait_until_sent()


def links_of_web(chromium: Browser, reader: Reader, id_: str) -> list[str]:
    """Of every row of the timeline, as it is shown."""
    name, value = next(iter(reader.client.cookies.items()))
    context = chromium.new_context(locale="en-US", viewport={"width": 1100, "height": 2400})
    context.set_default_timeout(PATIENCE_MS)
    try:
        context.add_cookies([{"name": name, "value": value, "url": reader.site.url}])
        page = context.new_page()
        page.goto(f"{reader.site.url}/sessions/{id_}")
        links = page.locator("li[data-index] a[target=_blank]")
        expect(links.last).to_be_visible()
        found: list[str] = links.evaluate_all("(all) => all.map((each) => each.href)")
        return found
    finally:
        context.close()


def exported(reader: Reader, id_: str, format_: str) -> str:
    answer = reader.client.get(f"/v1/sessions/{id_}/export", params={"format": format_})
    assert answer.status_code == 200, answer.text
    return answer.text


def links_everywhere(chromium: Browser, reader: Reader, id_: str) -> dict[str, list[str]]:
    def run(*arguments: str) -> str:
        done = servers.mindhit("session", *arguments, database_url=reader.site.database_url)
        assert done.returncode == 0, done.stderr
        return done.stdout

    markdown = re.compile(r"\]\(<?(http[^)>]+)>?\)")
    found = {
        "web": links_of_web(chromium, reader, id_),
        "Markdown": markdown.findall(exported(reader, id_, "md")),
        "command line": re.findall(r"https?://\S+", run("show", id_)),
        "command line, Markdown": markdown.findall(run("export", id_)),
    }
    for name, text in (
        ("", exported(reader, id_, "json")),
        ("command line, ", run("show", id_, "--json")),
    ):
        found[f"{name}JSON"] = [each["url"] for each in json.loads(text)["page_visits"]]
    found["CSV"] = [
        each["url"] for each in csv.DictReader(io.StringIO(exported(reader, id_, "csv")))
    ]
    return found


def opened(on: Stage, address: str) -> tuple[str, str]:
    """Type and title of the document at an address, in the browser that visited it."""
    tab = on.extension.open(address)
    session = on.extension.chromium.attach(tab)
    try:
        is_loaded = f"document.readyState === 'complete' && location.href === {json.dumps(address)}"
        wait_until(lambda: on.extension.try_evaluate(session, is_loaded), what=address)
        found: dict[str, Any] = on.extension.chromium.evaluate(
            session, "({ type: document.contentType, title: document.title })"
        )
        return found["type"], found["title"]
    finally:
        on.extension.shut(tab)


def test_every_link_opens_what_was_visited(site: Site, chromium: Browser, tmp_path: Path) -> None:
    with local_sites() as sites, stage(site, tmp_path, more_flags=sites.flags) as on:
        steps = steps_over(sites)
        visit_all(on, sites, steps)
        visits = on.reader.finished()["page_visits"]
        found = [(each["url"], each["title"], each["transition"]) for each in visits]
        assert found[1:] == [(each.address, each.title, each.transition) for each in steps]
        addresses = [sites.at(PLAIN, "/a"), *(each.address for each in steps)]
        everywhere = links_everywhere(chromium, on.reader, on.reader.sessions()[0]["id"])
        for where, links in everywhere.items():
            assert links == addresses, where
        for address in dict.fromkeys(addresses):
            type_, title = opened(on, address)
            if address.endswith(".pdf"):
                assert type_ == "application/pdf"
            else:
                titles = [each.title for each in steps if each.address == address]
                assert title in [*titles, f"{PLAIN}/a"]
