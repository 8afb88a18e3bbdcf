"""Start a headless Chromium, let it run a page's scripts, take the HTML, end it."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aiohttp.abc import AbstractResolver

from mindhit.db.embedded.model import Account
from mindhit.db.embedded.tools import as_account
from mindhit.fetching.browser.choice import AUTO, OFF
from mindhit.fetching.browser.places import Places
from mindhit.fetching.browser.proxy import EgressProxy
from mindhit.fetching.guard import Guard
from mindhit.fetching.limits import BODY_BYTES
from mindhit.fetching.model import AddressForbidden, Permanent, Transient

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


# What a page's timers may wait, in the browser's own time, which is faster where nothing happens.
SCRIPTS_MS: Final = 5000
RENDER_S: Final = 30.0
UNPRIVILEGED: Final = "nobody"  # whom root runs the browser as: Chromium's sandbox refuses root

_ERROR_PAGE: Final = 'id="main-frame-error"'  # of the browser's own page about a failed load
_FLAGS: Final = (
    "--headless",
    "--dump-dom",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-quic",
    "--disable-http2",  # so that a connection is one request at a time, and can be limited
    "--metrics-recording-only",
    "--mute-audio",
    "--no-first-run",
    "--no-pings",
    "--disable-features=OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider,NetworkTimeServiceQuerying",
    "--blink-settings=imagesEnabled=false",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Without this a page on loopback would be reached past the proxy.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


def find_chromium(wanted: str = AUTO) -> Path | None:
    """The program to run: the one named, or the first of the usual ones that is installed."""
    if wanted == OFF:
        return None
    names = PROGRAMS if wanted == AUTO else (wanted,)
    found = next(filter(None, map(shutil.which, names)), None)
    return Path(found) if found else None


@dataclass(frozen=True, slots=True)
class Chromium:
    """Renders one page at a time per call; each call has a browser of its own."""

    program: Path
    guard: Guard
    user_agent: str
    resolver: AbstractResolver | None = None
    timeout_s: float = RENDER_S
    largest: int = BODY_BYTES

    async def render(self, url: str, places: Places | None = None) -> str:
        """The page's HTML after its scripts ran. `places` limit its connections to each site.

        Raises `AddressForbidden` where the guard stops the page itself, `Transient` where the
        browser fails or takes too long, `Permanent` where the HTML is too large.
        """
        url = self.guard.check_url(url)
        async with EgressProxy(self.guard, self.resolver, places) as proxy:
            with tempfile.TemporaryDirectory(
                prefix="mindhit-browser-", ignore_cleanup_errors=True
            ) as folder:
                html = await self._run(url, proxy.port, Path(folder))
        if _ERROR_PAGE in html or not html.strip():
            if proxy.refused:
                raise AddressForbidden(reason="refused while rendering")
            raise Transient(reason="the browser could not load the page")
        return html

    async def _run(self, url: str, port: int, folder: Path) -> str:
        try:
            process = await self._start(url, port, folder)
        except (OSError, LookupError) as error:
            raise Transient(reason="the browser can't be started") from error
        try:
            async with asyncio.timeout(self.timeout_s):
                html = await self._read(process)
                await process.wait()
        except TimeoutError:
            raise Transient(reason="the page's scripts took too long") from None
        finally:
            await asyncio.shield(_end(process))
        return html.decode("utf-8", "replace")

    async def _start(self, url: str, port: int, folder: Path) -> Process:
        arguments = (
            *_FLAGS,
            f"--user-agent={self.user_agent}",
            f"--proxy-server=http://127.0.0.1:{port}",
            f"--user-data-dir={folder / 'profile'}",
            f"--virtual-time-budget={SCRIPTS_MS}",
            url,
        )
        return await asyncio.create_subprocess_exec(
            *_unprivileged(folder, self.program, arguments),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
            cwd=folder,
            env={
                "HOME": str(folder),
                "PATH": os.environ.get("PATH", os.defpath),
                "LANG": "C.UTF-8",
            },
        )

    async def _read(self, process: Process) -> bytes:
        assert process.stdout is not None
        parts: list[bytes] = []
        size = 0
        while part := await process.stdout.read(64 * 1024):
            size += len(part)
            if size > self.largest:
                raise Permanent(reason="too large after its scripts ran")
            parts.append(part)
        return b"".join(parts)


def _unprivileged(folder: Path, program: Path, arguments: Sequence[str]) -> list[str]:
    """The command, as another user if this one is root. (By a program in between: uvloop can't start a
    process as another user.)"""
    if os.geteuid() != 0:
        return [str(program), *arguments]
    found = pwd.getpwnam(UNPRIVILEGED)
    os.chown(folder, found.pw_uid, found.pw_gid)
    return as_account(Account(found.pw_uid, found.pw_gid, UNPRIVILEGED), program, *arguments)


async def _end(process: Process) -> None:
    """The browser and all processes it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
