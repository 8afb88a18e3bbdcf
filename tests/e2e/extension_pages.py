"""Local pages that report what they see: the truth that a recorded timeline is compared with."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

# Each page reports to its server when it was shown, hidden and left.
_PAGE = """<!doctype html><html lang="en"><title>Page %(name)s</title><script>
  const report = (what, path = location.pathname) =>
    navigator.sendBeacon('/seen', JSON.stringify({path, what, t: Date.now()}));
  if (document.visibilityState === 'visible') report('shown');
  document.addEventListener('visibilitychange', () =>
    report(document.visibilityState === 'visible' ? 'shown' : 'hidden'));
  addEventListener('pagehide', () => report('hidden'));
  function move(path) { const from = location.pathname; history.pushState({}, '', path);
    report('hidden', from); report('shown'); }
  function follow(path) { const link = document.createElement('a'); link.href = path;
    document.body.append(link); link.click(); }
</script>%(more)s<body><article><h1>Page %(name)s</h1>%(text)s</article></body></html>"""
TEXT: Final = (
    "This is the text of page %s, which is long enough to be taken for the text of an article."
)


@dataclass(frozen=True)
class Seen:
    t: int
    path: str
    what: str  # shown, hidden


@dataclass
class Pages:
    url: str
    seen: list[Seen] = field(default_factory=list)

    def truth(self) -> list[Seen]:
        return sorted(self.seen, key=lambda each: each.t)


@contextmanager
def local_pages() -> Iterator[Pages]:
    """`/hop/X` redirects to `/X` by a script, `/redirect/X` by status 302."""
    pages = Pages("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = self.path.strip("/")
            if name.startswith("redirect/"):
                self._answer(302, b"", ("Location", "/" + name.removeprefix("redirect/")))
                return
            more = ""
            if name.startswith("hop/"):
                more = f"<script>location.replace('/{name.removeprefix('hop/')}')</script>"
            text = f"<p>{TEXT % name}</p>" * 8
            body = _PAGE % {"name": name, "more": more, "text": text}
            self._answer(200, body.encode(), ("Content-Type", "text/html; charset=utf-8"))

        def do_POST(self) -> None:
            seen = json.loads(self.rfile.read(int(self.headers["content-length"])))
            pages.seen.append(Seen(seen["t"], seen["path"], seen["what"]))
            self._answer(204, b"")

        def _answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
            self.send_response(status)
            for name, value in (*headers, ("Content-Length", str(len(body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """A browser that was killed drops its connections."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        pages.url = f"http://127.0.0.1:{server.server_port}"
        yield pages
        server.shutdown()
