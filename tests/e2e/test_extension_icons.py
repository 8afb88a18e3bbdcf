"""Site icons: drawn by the extension in the page, and served only by our own server."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page, expect

from mindhit.tracking.demo.icons import icon_of
from tests.e2e.conftest import Site
from tests.e2e.extension_kit import Reader, Stage, stage, wait_until
from tests.e2e.extension_pages import TEXT
from tests.e2e.extension_timeline import path_of

# Notices every change of its document, and everything its policy forbids.
_PAGE: Final = """<!doctype html><html lang="en"><title>%(name)s</title>
<link rel="icon" href="%(icon)s"><body><article>%(text)s</article><script>
  const noticed = [];
  addEventListener('securitypolicyviolation', (event) => noticed.push(event.effectiveDirective + ' ' + event.blockedURI));
  addEventListener('load', () =>
    new MutationObserver((changes) => noticed.push(...changes.map((each) => each.type)))
      .observe(document, {subtree: true, childList: true, attributes: true}));
</script></body></html>"""
_SVG: Final = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">
<circle cx="4" cy="4" r="4" fill="#c03030"/></svg>"""
_POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; img-src 'self'"
ICONS: Final = {"png": "/own.png", "svg": "/own.svg", "missing": "/none.png"}


@contextmanager
def site_with_icons() -> Iterator[str]:
    """Pages with icons of their own, and a policy that forbids everything else."""
    pictures = {
        "/own.png": ("image/png", base64.b64decode(icon_of("local").partition(",")[2])),
        "/own.svg": ("image/svg+xml", _SVG),
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path in pictures:
                self._answer(200, *pictures[self.path])
                return
            icon = ICONS.get(self.path.strip("/"))
            if icon is None:
                self._answer(404, "text/plain", b"")
                return
            text = f"<p>{TEXT % self.path}</p>" * 8
            page = _PAGE % {"name": self.path, "icon": icon, "text": text}
            self._answer(200, "text/html; charset=utf-8", page.encode())

        def _answer(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", _POLICY)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def favicons(reader: Reader) -> dict[str, str | None]:
    """By path, for the pages whose text has arrived."""
    found = [
        visit for each in reader.sessions() for visit in reader.session(each["id"])["page_visits"]
    ]
    return {
        path_of(visit["url"]): visit["favicon"]
        for visit in found
        if visit["content_status"] == "extracted"
    }


def visit_all(on: Stage, url: str) -> None:
    """None of the pages notices anything."""
    for name in ICONS:
        target = on.extension.open(f"{url}/{name}")
        wait_until(partial(has_icon, on.reader, name), what=f"the icon of {name}")
        session = on.extension.chromium.attach(target)
        assert on.extension.chromium.evaluate(session, "noticed") == []


def has_icon(reader: Reader, name: str) -> bool:
    """A missing icon is only known by its address."""
    icon = favicons(reader).get(f"/{name}")
    return icon is not None and icon.startswith("http" if name == "missing" else "/v1/icons/")


def drawn(page: Page) -> list[dict[str, Any]]:
    """Every image on the page: its source and natural width."""
    images = "[...document.images].map(({src, naturalWidth: width}) => ({src, width}))"
    found: list[dict[str, Any]] = page.evaluate(images)
    return found


def test_an_icon_gets_from_the_page_to_the_timeline_without_a_request_to_the_site(
    site: Site, context: BrowserContext, page: Page, tmp_path: Path
) -> None:
    with site_with_icons() as url, stage(site, tmp_path) as on:
        on.extension.ask("start")
        visit_all(on, url)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        shown = on.reader.finished()
        found = favicons(on.reader)
        icons = [icon for path in ("/png", "/svg") if (icon := found[path]) is not None]
        assert len(icons) == 2
        for icon in icons:
            answer = on.reader.client.get(icon)
            assert answer.headers["content-type"] == "image/png"
            assert answer.content.startswith(b"\x89PNG")
            assert answer.content[16:24] == b"\0\0\0\x20" * 2
        assert found["/missing"] == f"{url}/none.png"
        name, value = next(iter(on.reader.client.cookies.items()))
    requested: list[str] = []
    context.on("request", lambda request: requested.append(request.url))
    context.add_cookies([{"name": name, "value": value, "url": site.url}])
    page.goto(f"{site.url}/sessions/{shown['session']['id']}")
    expect(page.locator("li[data-index] img")).to_have_count(2)
    page.wait_for_function("() => [...document.images].every((each) => each.complete)")
    assert drawn(page) == [{"src": site.url + icon, "width": 32} for icon in icons]
    assert all(each.startswith(f"{site.url}/") for each in requested)
    expect(page.locator("li[data-index] span[data-tinted]")).to_have_count(
        1
    )  # the third has a letter
    expect(page.locator("li[data-index] span:has(> img)").first).to_have_css("width", "32px")


def test_an_icon_that_fails_to_load_is_replaced_by_a_letter(
    site: Site, context: BrowserContext, page: Page
) -> None:
    reader = Reader(site)
    reader.client.post("/v1/demo")
    first = reader.sessions()[0]
    name, value = next(iter(reader.client.cookies.items()))
    reader.client.close()
    context.add_cookies([{"name": name, "value": value, "url": site.url}])
    page.goto(f"{site.url}/sessions/{first['id']}")
    expect(page.locator("li[data-index] img").first).to_be_visible()
    box = icon_in_row(page)
    page.route("**/v1/icons/*", lambda route: route.fulfill(status=404, body="{}"))
    page.reload()
    expect(page.locator("li[data-index] span[data-tinted]").first).to_be_visible()
    expect(page.locator("li[data-index] img")).to_have_count(0)
    assert icon_in_row(page) == box


def icon_in_row(page: Page) -> dict[str, float]:
    """Where the first row has its icon: what stands above the rows may still be changing."""
    row = page.locator("li[data-index]").first
    found: dict[str, float] = row.evaluate(
        """(row) => {
          const [of, own] = [row, row.querySelector(":scope > div > span")].map((each) => each.getBoundingClientRect());
          return { x: own.x - of.x, y: own.y - of.y, width: own.width, height: own.height };
        }"""
    )
    return found
