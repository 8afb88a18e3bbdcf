"""The browser extension: as a zip for anybody, and where its folder is for browsers on this machine."""

from __future__ import annotations

import asyncio
import ipaddress
import re
from typing import Final

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

import mindhit
from mindhit import extension
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import AppSettings
from mindhit.extension import Browser
from mindhit.settings import Settings

router = APIRouter(tags=["about"], responses=SIGNED_IN)
files = APIRouter(include_in_schema=False)
_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")


class ExtensionFiles(BaseModel):
    """Where to get the browser extension."""

    version: str
    downloads: list[Browser] = Field(
        description="Builds that this server hands out, at `/extension/chrome.zip` and `/extension/firefox.zip`."
    )
    folder: str | None = Field(
        description="The unpacked extension for Chrome, if the caller is on the server's own machine."
    )


@router.get("/extension", summary="Show where to get the browser extension")
async def show_extension(
    request: Request, settings: AppSettings, _caller: PersonCaller
) -> ExtensionFiles:
    folder = extension.folder_of(settings) / Browser.CHROME
    is_there = _is_here(request) and (folder / "manifest.json").is_file()
    return ExtensionFiles(
        version=mindhit.__version__,
        downloads=[each for each in Browser if extension.is_built(each)],
        folder=str(folder) if is_there else None,
    )


@files.get("/extension/{name}.zip")
async def download(request: Request, settings: AppSettings, name: str) -> Response:
    if name not in {*Browser}:
        raise HTTPException(404)
    try:
        packed = await asyncio.to_thread(
            extension.packed, Browser(name), _address(request, settings)
        )
    except FileNotFoundError:
        raise HTTPException(404, "The extension is not built here. Run `make extension`.") from None
    headers = {
        "Content-Disposition": f'attachment; filename="mindhit-{name}.zip"',
        "Cache-Control": "no-cache",
    }
    return Response(packed, media_type="application/zip", headers=headers)


def _address(request: Request, settings: Settings) -> str:
    """The public address; where none is set, the one by which this browser reached the server."""
    host = request.headers.get("host", "")
    if settings.base_url is not None or not _HOST.fullmatch(host):
        return settings.public_url
    return f"{request.url.scheme}://{host}"


def _is_here(request: Request) -> bool:
    """Whether the browser is on this machine, and not behind a proxy that is."""
    names = (request.client.host if request.client else "", request.url.hostname or "")
    return all(name == "localhost" or _is_loopback(name) for name in names)


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
