"""The web app: static files from the package, and its one page for every address it knows.

Hashed assets are cached for ever; the page itself is asked for again each time. An address that
is neither a file nor the API's is the app's own business, so a reload works anywhere in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC: Final = Path(__file__).parent / "static"
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

    @app.get("/openapi.json", include_in_schema=False)
    async def document() -> JSONResponse:
        return JSONResponse(app.openapi())

    if (static / "assets").is_dir():
        app.mount("/assets", _Assets(directory=static / "assets"))

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str) -> Response:
        if path == "v1" or path.startswith("v1/"):
            raise HTTPException(404)
        file = _file_of(static, path)
        if file is not None:
            return FileResponse(file, headers={"Cache-Control": "no-cache"})
        index = static / "index.html"
        if not index.is_file():
            return HTMLResponse(_NOT_BUILT, headers={"Cache-Control": "no-cache"})
        return FileResponse(index, headers={"Cache-Control": "no-cache"})


def _file_of(static: Path, path: str) -> Path | None:
    """The file behind a path such as `favicon.svg`: in the folder itself, nothing above or below."""
    if not path or "/" in path or "\0" in path or path.startswith("."):
        return None
    file = static / path
    return file if file.is_file() else None
