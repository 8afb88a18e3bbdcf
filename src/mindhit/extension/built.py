"""The built extension: from the wheel, or from the clone that this runs from."""

from __future__ import annotations

import io
import json
import zipfile
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

ADDRESS_FILE: Final = "server.json"
_PACKAGED: Final = Path(__file__).parent / "files"
_CLONE: Final = Path(__file__).parents[3] / "extension" / ".output"
# One date for all files: the same build always gives the same zip.
_DATE: Final = (1980, 1, 1, 0, 0, 0)


class Browser(StrEnum):
    """A build; Edge, Brave and other browsers based on Chromium take Chrome's."""

    CHROME = "chrome"
    FIREFOX = "firefox"


def is_built(browser: Browser) -> bool:
    return _source(browser) is not None


def contents(browser: Browser, server_url: str) -> dict[str, bytes]:
    """Path in the extension → content, with the server's address. Raises `FileNotFoundError`."""
    source = _source(browser)
    if source is None:
        raise FileNotFoundError(f"The extension for {browser} is not built.")
    files = {
        file.relative_to(source).as_posix(): file.read_bytes()
        for file in sorted(source.rglob("*"))
        if file.is_file()
    }
    return files | {ADDRESS_FILE: _address(server_url)}


def packed(browser: Browser, server_url: str) -> bytes:
    """The extension as a zip; its manifest is at the top, where Firefox looks for it."""
    source = _source(browser)
    if source is None:
        raise FileNotFoundError(f"The extension for {browser} is not built.")
    written = io.BytesIO(_packed(browser, (source / "manifest.json").stat().st_mtime_ns))
    with zipfile.ZipFile(written, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_entry(ADDRESS_FILE), _address(server_url))
    return written.getvalue()


@lru_cache(maxsize=len(Browser))
def _packed(browser: Browser, _built_at: int) -> bytes:
    """Everything but the address, which differs between callers."""
    files = contents(browser, "")
    del files[ADDRESS_FILE]
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(_entry(name), body)
    return written.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _address(server_url: str) -> bytes:
    return json.dumps({"url": server_url}).encode() + b"\n"


def _source(browser: Browser) -> Path | None:
    for folder in (_PACKAGED / browser, _CLONE / f"{browser}-mv3"):
        if (folder / "manifest.json").is_file():
            return folder
    return None
