"""The extension over HTTP: a zip for anybody, the folder for browsers on the server's own machine."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import httpx2
import pytest

from mindhit import extension
from mindhit.db import Database
from mindhit.extension import Browser, built
from mindhit.settings import Settings
from tests.accounts.kit import add, client_of, cookie_of, settings

HERE = "http://127.0.0.1:8787"


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for browser in Browser:
        folder = tmp_path / f"{browser}-mv3"
        folder.mkdir()
        (folder / "manifest.json").write_text("{}")
    monkeypatch.setattr(built, "_CLONE", tmp_path)
    monkeypatch.setattr(built, "_PACKAGED", tmp_path / "no wheel")
    built._packed.cache_clear()


def address_in(answer: httpx2.Response) -> str:
    assert answer.status_code == 200
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    url: str = json.loads(archive.read("server.json"))["url"]
    return url


@pytest.mark.parametrize("browser", ["chrome", "firefox"])
async def test_anybody_gets_the_extension_with_the_address_they_came_by(
    db: Database, browser: str
) -> None:
    for url in (HERE, "http://nas.example:8787", "http://[::1]:8787"):
        async with client_of(db, settings(base_url=None), url=url) as client:
            answer = await client.get(f"/extension/{browser}.zip")
        assert address_in(answer) == url
        assert answer.headers["content-type"] == "application/zip"
        assert f'filename="mindhit-{browser}.zip"' in answer.headers["content-disposition"]


async def test_a_public_address_that_is_set_counts(db: Database) -> None:
    config = settings(base_url="https://mind.example.org")
    async with client_of(db, config, url=HERE) as client:
        assert address_in(await client.get("/extension/chrome.zip")) == "https://mind.example.org"


async def test_a_host_that_is_none_is_not_repeated(db: Database) -> None:
    async with client_of(db, settings(base_url=None), url=HERE) as client:
        answer = await client.get("/extension/chrome.zip", headers={"Host": 'evil"/><script>'})
    assert address_in(answer) == Settings().public_url


async def test_what_is_not_there_is_not_found(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client_of(db, url=HERE) as client:
        for name in ("safari", "Chrome", "chrome.zip"):
            assert (await client.get(f"/extension/{name}.zip")).status_code == 404
        monkeypatch.setattr(built, "_CLONE", tmp_path / "nothing built")
        assert (await client.get("/extension/chrome.zip")).status_code == 404


@pytest.mark.parametrize(
    ("url", "address", "is_shown"),
    [
        (HERE, "127.0.0.1", True),
        ("http://localhost:8787", "::1", True),
        (HERE, "203.0.113.7", False),
        ("http://mind.example.org", "127.0.0.1", False),
    ],
)
async def test_the_folder_is_shown_to_browsers_on_the_same_machine(
    db: Database, tmp_path: Path, url: str, address: str, is_shown: bool
) -> None:
    config = settings(extension_dir=tmp_path / "placed")
    path = extension.place(tmp_path / "placed", Browser.CHROME, HERE).path
    person = await add(db)
    async with client_of(db, config, url=url, address=address) as client:
        client.cookies.set("mindhit", await cookie_of(db, person))
        shown = (await client.get("/v1/extension")).json()
    assert shown["folder"] == (str(path) if is_shown else None)
    assert shown["downloads"] == ["chrome", "firefox"]
