"""The unpacked extension on the machine that runs `mindhit up`, for browsers on the same machine.

Browsers keep the path of an extension that was loaded unpacked, so the folder stays where it is. It
is replaced only if something in it changed, and is complete or absent whenever the process ends.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mindhit.extension.built import Browser, contents
from mindhit.settings import Settings

IN_HOME: Final = "MindHit-extension"
IN_DATA: Final = "extension"
# What file dialogs don't show by default, beside names that begin with a dot.
_HIDDEN: Final = frozenset({"AppData", "Library"})
_UNFINISHED: Final = ".new-"
# Written by Chrome into the folder of an unpacked extension.
_BY_BROWSERS: Final = "_metadata/"


@dataclass(frozen=True, slots=True)
class Placed:
    path: Path
    is_updated: bool
    """Another version was there: a browser that has loaded it has to reload it."""


def folder_of(settings: Settings) -> Path:
    """Where the extension is placed: in the data directory if file dialogs show that, else at home."""
    if settings.extension_dir is not None:
        return settings.extension_dir.expanduser().absolute()
    inside = settings.data_dir.expanduser().absolute() / IN_DATA
    if not any(part.startswith(".") or part in _HIDDEN for part in inside.parts):
        return inside
    try:
        return Path.home() / IN_HOME
    except RuntimeError:  # a system account without a home
        return inside


def place(folder: Path, browser: Browser, server_url: str) -> Placed:
    """Put the extension into `folder`/chrome or /firefox. Raises `OSError`, also if it isn't built."""
    wanted = contents(browser, server_url)
    path = folder / browser
    known = _read(path) if path.is_dir() else None
    if known == wanted:
        return Placed(path, is_updated=False)
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_UNFINISHED, dir=folder) as scratch:
        new, old = Path(scratch, "new"), Path(scratch, "old")
        _write(new, wanted)
        if path.exists() or path.is_symlink():
            path.rename(old)
        new.rename(path)
    return Placed(path, is_updated=known is not None)


def _read(path: Path) -> dict[str, bytes]:
    files = {
        file.relative_to(path).as_posix(): file.read_bytes()
        for file in path.rglob("*")
        if file.is_file()
    }
    return {name: body for name, body in files.items() if not name.startswith(_BY_BROWSERS)}


def _write(path: Path, files: dict[str, bytes]) -> None:
    path.mkdir(mode=0o755)
    for name, body in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
