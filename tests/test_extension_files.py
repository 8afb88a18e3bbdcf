"""The extension that the server hands out: what is in it, and the folder that browsers load it from."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from mindhit import extension
from mindhit.extension import Browser, built
from mindhit.settings import Settings

URL = "http://127.0.0.1:8787"


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build of both, as `make extension` leaves it in a clone."""
    for browser in Browser:
        folder = tmp_path / "output" / f"{browser}-mv3"
        (folder / "icon").mkdir(parents=True)
        (folder / "manifest.json").write_text(json.dumps({"version": "1"}))
        (folder / "icon" / "16.png").write_bytes(b"\x89PNG")
    monkeypatch.setattr(built, "_CLONE", tmp_path / "output")
    monkeypatch.setattr(built, "_PACKAGED", tmp_path / "no wheel")
    built._packed.cache_clear()
    return tmp_path / "output"


def names(packed: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(packed)).namelist()


def test_a_zip_holds_the_build_and_the_servers_address() -> None:
    packed = extension.packed(Browser.FIREFOX, URL)
    assert names(packed) == ["icon/16.png", "manifest.json", "server.json"]
    archive = zipfile.ZipFile(io.BytesIO(packed))
    assert archive.testzip() is None
    assert json.loads(archive.read("server.json")) == {"url": URL}
    assert packed == extension.packed(Browser.FIREFOX, URL)


def test_each_caller_gets_its_own_address_from_one_build() -> None:
    first, second = (extension.packed(Browser.CHROME, url) for url in (URL, "http://nas:8787"))
    assert b"nas:8787" not in first
    assert names(first) == names(second)


def test_what_is_not_built_is_not_handed_out(build: Path) -> None:
    (build / "chrome-mv3" / "manifest.json").unlink()
    assert not extension.is_built(Browser.CHROME)
    assert extension.is_built(Browser.FIREFOX)
    with pytest.raises(FileNotFoundError):
        extension.packed(Browser.CHROME, URL)
    with pytest.raises(FileNotFoundError):
        extension.place(build / "folder", Browser.CHROME, URL)


def test_the_folder_is_kept_while_nothing_changes(tmp_path: Path) -> None:
    folder = tmp_path / "MindHit-extension"
    placed = extension.place(folder, Browser.CHROME, URL)
    assert (placed.path, placed.is_updated) == (folder / "chrome", False)
    assert json.loads((placed.path / "server.json").read_text()) == {"url": URL}
    before = placed.path.stat().st_ino
    (placed.path / "_metadata").mkdir()
    (placed.path / "_metadata" / "by_chrome").write_text("")
    assert not extension.place(folder, Browser.CHROME, URL).is_updated
    assert placed.path.stat().st_ino == before
    assert [each.name for each in folder.iterdir()] == ["chrome"]


def test_a_new_version_replaces_all_of_the_folder(tmp_path: Path, build: Path) -> None:
    folder = tmp_path / "MindHit-extension"
    path = extension.place(folder, Browser.CHROME, URL).path
    (build / "chrome-mv3" / "manifest.json").write_text(json.dumps({"version": "2"}))
    (build / "chrome-mv3" / "icon" / "16.png").unlink()
    (build / "chrome-mv3" / "popup.html").write_text("<!doctype html>")
    (folder / ".new-left-by-a-kill").mkdir()
    assert extension.place(folder, Browser.CHROME, URL).is_updated
    assert json.loads((path / "manifest.json").read_text()) == {"version": "2"}
    assert not (path / "icon").exists()
    assert (path / "popup.html").is_file()
    assert [each.name for each in folder.iterdir()] == ["chrome"]


def test_another_address_is_an_update(tmp_path: Path) -> None:
    extension.place(tmp_path / "x", Browser.CHROME, URL)
    assert extension.place(tmp_path / "x", Browser.CHROME, "https://mind.example.org").is_updated


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("")
    with pytest.raises(OSError, match=r"Not a directory|exists"):
        extension.place(tmp_path / "a file" / "folder", Browser.CHROME, URL)


@pytest.mark.parametrize(
    ("data_dir", "folder"),
    [
        ("/srv/mindhit", "/srv/mindhit/extension"),
        ("/home/ada/.local/share/mindhit", "/home/ada/MindHit-extension"),
        ("/home/ada/Library/Application Support/mindhit", "/home/ada/MindHit-extension"),
    ],
)
def test_the_folder_is_where_file_dialogs_show_it(
    data_dir: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert extension.folder_of(Settings(data_dir=Path(data_dir))) == Path(folder)
    chosen = Settings(data_dir=Path(data_dir), extension_dir=Path("~/here"))
    assert extension.folder_of(chosen) == Path("/home/ada/here")
