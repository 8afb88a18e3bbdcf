"""The web app: static files from the package, and `index.html` for every other path.

Assets with a hash in their name are cached forever; `index.html` is revalidated each time. A path
that is neither a file nor the API's belongs to the app's own router, so a reload works anywhere.
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

from mindhit.api.http.problems import allowed_methods

STATIC: Final = Path(__file__).parent / "static"
_API: Final = ("v1/", "api/reminder/")  # paths that are never the web app's
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_NOT_BUILT: Final = """<!doctype html><meta charset="utf-8"><title>MindHit</title>
<h1>MindHit is running</h1>
<p>The web app is not built here. In a clone, run <code>make web</code>; a wheel includes it.</p>
<p>The API is described at <a href="/openapi.json">/openapi.json</a>.</p>"""


class _Assets(StaticFiles):
    """Assets, compressed once when the app was built for browsers that accept gzip."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        compressed = f"{path}.gz"
        is_compressed = _takes_gzip(scope) and self._has(compressed)
        response = await super().get_response(compressed if is_compressed else path, scope)
        if is_compressed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        if response.status_code == 200:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response

    def _has(self, path: str) -> bool:
        try:
            return self.lookup_path(path)[1] is not None
        except (OSError, ValueError):  # not a possible file name
            return False


def _takes_gzip(scope: Scope) -> bool:
    accepted = Headers(scope=scope).get("accept-encoding", "").replace(" ", "").lower().split(",")
    return "gzip" in accepted or "*" in accepted


def mount(app: FastAPI, static: Path = STATIC) -> None:
    """Add the web app behind all other routes; call it last."""
    # Listed once, so that made-up paths cost no disk access.
    files = (
        {file.name: file for file in static.iterdir() if file.is_file()} if static.is_dir() else {}
    )

    @app.get("/openapi.json", include_in_schema=False)
    def document() -> JSONResponse:  # in a thread: it takes seconds to make, once
        return JSONResponse(app.openapi())

    if (static / "assets").is_dir():
        app.mount("/assets", _Assets(directory=static / "assets"))

    @app.api_route("/{path:path}", methods=_METHODS, include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        if allowed_methods(request) or (path + "/").startswith(_API):
            # A method that the API does not have at this path, or a path that it does not have.
            raise HTTPException(405 if allowed_methods(request) else 404)
        if request.method != "GET":
            raise HTTPException(405)
        file = files.get(path) or files.get("index.html")
        if file is None:
            return HTMLResponse(_NOT_BUILT, headers={"Cache-Control": "no-cache"})
        return FileResponse(file, headers={"Cache-Control": "no-cache"})
