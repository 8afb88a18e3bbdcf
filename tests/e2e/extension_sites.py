"""Sites that are easily recorded under an address that does not answer: only http, only `www.`, routes in
the fragment, a PDF, a form that posts to its own address. Their names lead to this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

PLAIN: Final = "nas.example"
WITH_WWW: Final = "www.only.example"
_TEXT: Final = "<p>A sentence that is long enough to be taken for the text of an article.</p>" * 8
_PAGE: Final = """<!doctype html><html lang="en"><title>{title}</title><script>
  function follow(url) {{ const link = document.createElement('a'); link.href = url;
    document.body.append(link); link.click(); }}
  function route() {{ const part = location.hash.slice(2);
    if (part) document.title = 'Mail: ' + part; }}
  addEventListener('hashchange', route); route();
</script><body><form method="post"></form><article><h1>{title}</h1>{text}</article></body></html>"""
# One empty page; readers of PDFs look for the table of objects by its offset.
_OBJECTS: Final = (
    b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n",
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n",
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n",
)


def _pdf() -> bytes:
    body, offsets = b"%PDF-1.4\n", []
    for each in _OBJECTS:
        offsets.append(len(body))
        body += each
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return (
        body
        + (b"xref\n0 4\n0000000000 65535 f \n" + table)
        + b"trailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    )


@dataclass(frozen=True)
class Sites:
    port: int

    @property
    def flags(self) -> list[str]:
        """For the browser: what is not one of these names does not exist, not even on this machine."""
        rules = [f"MAP {host}:{self.port} 127.0.0.1:{self.port}" for host in (PLAIN, WITH_WWW)]
        rules.append("MAP *.example ~NOTFOUND")
        return [f"--host-resolver-rules={', '.join(rules)}"]

    def at(self, host: str, path: str) -> str:
        return f"http://{host}:{self.port}{path}"


@contextmanager
def local_sites() -> Iterator[Sites]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path.endswith(".pdf"):
                self._answer(_pdf(), "application/pdf")
            else:
                host = self.headers["Host"].partition(":")[0]
                self._page(f"{host}{self.path}")

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self._page("What the form was answered")

        def _page(self, title: str) -> None:
            self._answer(_PAGE.format(title=title, text=_TEXT).encode(), "text/html; charset=utf-8")

        def _answer(self, body: bytes, type_: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", type_)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """A browser that ends drops its connections."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Sites(server.server_port)
        server.shutdown()
