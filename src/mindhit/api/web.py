"""The web app: static files from the package, and its one page for every address it knows.

Hashed assets are cached for ever; the page itself is asked for again each time. An address that
is neither a file nor the API's is the app's own business, so a reload works anywhere in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
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
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == 200:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


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
