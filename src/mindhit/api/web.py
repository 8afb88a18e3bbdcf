"""The web app: static files from the package, and its one page for every address it knows.

Hashed assets are cached for ever; the page itself is asked for again each time. An address that
is neither a file nor the API's is the app's own business, so a reload works anywhere in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from mindhit.api.problems import allowed_methods

STATIC: Final = Path(__file__).parent / "static"
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_NOT_BUILT: Final = """<!doctype html><meta charset="utf-8"><title>MindHit</title>
<h1>MindHit is running</h1>
<p>The web app is not built here. In a clone, run <code>make web</code>; a wheel brings it along.</p>
<p>The API is described at <a href="/openapi.json">/openapi.json</a>.</p>"""


class _Assets(StaticFiles):
    """Packed once, when the app was built, for whoever takes it so."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        packed = f"{path}.gz"
        is_packed = _takes_gzip(scope) and self._has(packed)
        response = await super().get_response(packed if is_packed else path, scope)
        if is_packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        if response.status_code == 200:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response

    def _has(self, path: str) -> bool:
        try:
            return self.lookup_path(path)[1] is not None
        except (OSError, ValueError):  # no name that a file could have
            return False


def _takes_gzip(scope: Scope) -> bool:
    accepted = Headers(scope=scope).get("accept-encoding", "").replace(" ", "").lower().split(",")
    return "gzip" in accepted or "*" in accepted


def mount(app: FastAPI, static: Path = STATIC) -> None:
    """Add the web app behind all routes there are; to be called last."""
    # A list and not a look at the disk for every path that a caller makes up.
    files = (
        {file.name: file for file in static.iterdir() if file.is_file()} if static.is_dir() else {}
    )

    @app.get("/openapi.json", include_in_schema=False)
    async def document() -> JSONResponse:
        return JSONResponse(app.openapi())

    if (static / "assets").is_dir():
        app.mount("/assets", _Assets(directory=static / "assets"))

    @app.api_route("/{path:path}", methods=_METHODS, include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        if allowed_methods(request) or (path + "/").startswith("v1/"):
            # The API's address with a method it has not, or no address of the API's at all.
            raise HTTPException(405 if allowed_methods(request) else 404)
        if request.method != "GET":
            raise HTTPException(405)
        file = files.get(path) or files.get("index.html")
        if file is None:
            return HTMLResponse(_NOT_BUILT, headers={"Cache-Control": "no-cache"})
        return FileResponse(file, headers={"Cache-Control": "no-cache"})
