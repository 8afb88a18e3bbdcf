"""Drives Firefox by WebDriver BiDi, without a driver program."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import aiohttp

TIMEOUT_S: Final = 60.0
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_PREFERENCES: Final = {
    "remote.active-protocols": 1,
    "remote.prefs.recommended": True,
    "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9",
    # Nobody can answer a prompt.
    "extensions.webextOptionalPermissionPrompts": False,
}


class Failed(Exception):
    """The browser rejected a command, or a script threw an error."""


class Firefox:
    """One run of the browser; commands are sent one at a time."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._last = 0

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        await self._socket.send_json({"id": self._last, "method": method, "params": params})
        while True:
            answer = await self._socket.receive_json(timeout=TIMEOUT_S)
            if answer.get("id") == self._last:
                break
        if answer["type"] == "error":
            raise Failed(f"{method}: {answer['error']}: {answer['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    async def install(self, folder: Path) -> str:
        where = {"type": "path", "path": str(folder)}
        done = await self.send("webExtension.install", extensionData=where)
        extension: str = done["extension"]
        return extension

    async def open(self, url: str) -> str:
        """A new active tab, once its page has loaded."""
        tab: str = (await self.send("browsingContext.create", type="tab"))["context"]
        await self.go(tab, url)
        return tab

    async def go(self, tab: str, url: str) -> None:
        await self.send("browsingContext.navigate", context=tab, url=url, wait="complete")

    async def show(self, tab: str) -> None:
        await self.send("browsingContext.activate", context=tab)

    async def evaluate(self, tab: str, script: str) -> Any:
        """The result of a script, passed as JSON."""
        done = await self.send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({script})))()",
            target={"context": tab},
            awaitPromise=True,
            userActivation=True,
        )
        if done["type"] == "exception":
            raise Failed(done["exceptionDetails"]["text"])
        value = done["result"].get("value")
        return None if value is None else json.loads(value)

    async def window(self) -> str:
        """The browser's own window: a script there may do whatever the browser does."""
        tree = await self.send("browsingContext.getTree", **{"moz:scope": "chrome"})
        window: str = tree["contexts"][0]["context"]
        return window

    async def press(self, tab: str, selector: str) -> None:
        """A real click: permission requests need one."""
        where = f"document.querySelector('{selector}')"
        await self.evaluate(tab, f"{where}.scrollIntoView({{block: 'center'}})")
        box = await self.evaluate(tab, f"{where}.getBoundingClientRect()")
        middle = {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] / 2)}
        moves = [
            {"type": "pointerMove", **middle},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": moves}
        await self.send("input.performActions", context=tab, actions=[mouse])


@asynccontextmanager
async def firefox(program: str, folder: Path, more: dict[str, str]) -> AsyncIterator[Firefox]:
    """`more`: further preferences, strings only."""
    profile = folder / "firefox"
    profile.mkdir()
    lines = [
        f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in {**_PREFERENCES, **more}.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
    log_file = folder / "firefox.log"
    # Firefox treats add-on pages as system pages: hence `--remote-allow-system-access`.
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    with log_file.open("wb") as log:
        process = subprocess.Popen(  # noqa: ASYNC220 - short, and nothing else runs in this loop
            [*command, "--remote-debugging-port", "0", "--remote-allow-system-access"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"},
            start_new_session=True,
        )
    try:
        address = await _address(log_file, process)
        async with (
            aiohttp.ClientSession() as client,
            client.ws_connect(f"{address}/session", max_msg_size=0) as socket,
        ):
            browser = Firefox(socket)
            await browser.send("session.new", capabilities={})
            yield browser
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its own group: it and its children
        process.wait()


async def _address(log_file: Path, process: subprocess.Popen[bytes]) -> str:
    async with asyncio.timeout(TIMEOUT_S):
        while (found := _LISTENS.search(_text(log_file))) is None:
            if process.poll() is not None:
                raise Failed(f"Firefox ended: {_text(log_file)[-500:]}")
            await asyncio.sleep(0.1)
    return found[1]


def _text(file: Path) -> str:
    return file.read_text(errors="replace")
