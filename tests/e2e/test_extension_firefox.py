"""The extension in Firefox, built from the same source, records a short session."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bidi import Firefox, firefox
from tests.e2e.conftest import Site
from tests.e2e.extension_kit import ROOT, Reader
from tests.e2e.extension_pages import local_pages
from tests.e2e.extension_timeline import path_of, tell
from tools import browser

BUILT = ROOT / "extension" / ".output" / "firefox-mv3"
NAME = "extension@mindhit.invalid"
UUID = "5ba1a9d2-6f3c-4a0e-9b57-0c7e2f3f1a11"


def program() -> str:
    found = browser.find("firefox")
    if found is None or not (BUILT / "manifest.json").is_file():
        reason = "Firefox or the add-on built for it is not here"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}, and nothing is skipped in CI")
        pytest.skip(reason)
    return found


class AddOn:
    """The add-on, driven from its setup page."""

    def __init__(self, fox: Firefox, tab: str) -> None:
        self.tab = tab
        self._fox = fox

    @classmethod
    async def of(cls, fox: Firefox) -> AddOn:
        return cls(fox, await fox.open(f"moz-extension://{UUID}/setup.html"))

    async def evaluate(self, script: str) -> Any:
        return await self._fox.evaluate(self.tab, script)

    async def ask(self, what: str) -> dict[str, Any]:
        reply = await self.evaluate(f"browser.runtime.sendMessage({{ask: '{what}'}})")
        assert reply["ok"], reply
        status: dict[str, Any] = reply["status"]
        return status

    async def until(self, key: str, *, wanted: object) -> dict[str, Any]:
        async with asyncio.timeout(40):
            while (status := await self.ask("status"))[key] != wanted:
                await asyncio.sleep(0.2)
        return status


async def test_the_add_on_records_a_short_session(site: Site, tmp_path: Path) -> None:
    found, reader = program(), Reader(site)
    uuids = {"extensions.webextensions.uuids": json.dumps({NAME: UUID})}
    with local_pages() as pages:
        async with firefox(found, tmp_path, uuids) as fox:
            assert await fox.install(BUILT) == NAME
            add_on = await AddOn.of(fox)
            account = json.dumps({"account": reader.connect()})
            await add_on.evaluate(f"browser.storage.local.set({account})")
            await fox.press(add_on.tab, "#sites-form button")
            await add_on.until("isPermitted", wanted=True)
            tabs = [await fox.open(f"{pages.url}/{name}") for name in "ab"]
            status = await add_on.ask("start")
            assert status["recording"] is not None
            for tab in (tabs[0], tabs[1], tabs[0]):
                await fox.show(tab)
                await asyncio.sleep(0.4)
            await fox.go(tabs[0], f"{pages.url}/c")
            await fox.evaluate(tabs[0], "move('/c/route')")
            await asyncio.sleep(2)
            await add_on.ask("stop")
            await add_on.until("unsent", wanted=0)
            assert (await add_on.until("isStopping", wanted=False))["outcome"]["is"] == "saved"
    shown = await asyncio.to_thread(reader.finished)
    reader.client.close()
    visits = sorted(shown["page_visits"], key=lambda each: each["visit_order"])
    paths = [path_of(visit["url"]) for visit in visits]
    tell(f"Firefox: {' '.join(paths)}")
    assert paths == ["/b", "/a", "/b", "/a", "/c", "/c/route"]
    assert (shown["session"]["rejected_count"], shown["holes"]) == (0, [])
    assert {visit["content_status"] for visit in visits if visit["title"] == "Page a"} == {
        "extracted"
    }
