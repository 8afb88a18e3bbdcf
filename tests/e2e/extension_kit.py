"""The built extension in a real Chromium: profiles with permissions, an account, and a browser to drive."""

from __future__ import annotations

import atexit
import base64
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

import httpx2
import pytest

from tests.e2e.cdp import Chromium, Failed
from tests.e2e.conftest import FLAGS, Site
from tests.e2e.extension_pages import Pages, local_pages
from tools import browser

ROOT: Final = Path(__file__).resolve().parents[2]
BUILT: Final = ROOT / "extension" / ".output" / "chrome-mv3"
EMAIL, PASSWORD = "reader@example.org", "correct horse battery"
T = TypeVar("T")
HOSTS: Final = ["http://*/*", "https://*/*"]


def program() -> str:
    found = browser.find()
    if found is None or not (BUILT / "manifest.json").is_file():
        reason = "Chromium or the built extension is not here (`make extension`)"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}, and nothing is skipped in CI")
        pytest.skip(reason)
    return found


def extension_id() -> str:
    """Chromium derives it from the manifest's key."""
    key = json.loads((BUILT / "manifest.json").read_text())["key"]
    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest)


def flags(built: Path = BUILT) -> list[str]:
    return [
        "--headless=new",
        "--no-first-run",
        "--no-default-browser-check",
        f"--disable-extensions-except={built}",
        f"--load-extension={built}",
        *FLAGS,
    ]


def wait_until(
    condition: Callable[[], T | None],
    *,
    within_s: float = 20.0,
    every_s: float = 0.05,
    what: str = "it",
) -> T:
    """Returns what `condition` returns, as soon as that is truthy."""
    ends = time.monotonic() + within_s
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > ends:
            raise TimeoutError(f"timed out after {within_s} s: {what}")
        time.sleep(every_s)


def prepare_profile(profile: Path, *, is_active: bool, built: Path = BUILT) -> None:
    """A profile in which the optional permissions were granted before, so that Chromium shows no prompt,
    which no program could answer. `is_active`: those for recording are in force already."""
    prepared = _prepared(is_active=is_active, built=built)
    shutil.copytree(prepared, profile, dirs_exist_ok=True, symlinks=True)


@cache
def _prepared(*, is_active: bool, built: Path) -> Path:
    """Made once for all tests: a browser's first start takes as long as some tests."""
    folder = Path(tempfile.mkdtemp(prefix="mindhit-profile-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    profile = folder / "profile"
    profile.mkdir()
    first = Chromium(program(), profile, flags(built))
    try:
        wait_until(lambda: first.targets("service_worker"), what="the extension's worker")
    finally:
        first.close()
    preferences = profile / "Default" / "Preferences"
    read = json.loads(preferences.read_text())
    mine = read["extensions"]["settings"][extension_id()]
    grants = {
        "granted_permissions": ["notifications", "webNavigation"],
        "runtime_granted_permissions": ["notifications", "webNavigation"],
    }
    if is_active:
        grants["active_permissions"] = ["webNavigation"]
    for kind, names in grants.items():
        granted = mine.setdefault(kind, {"manifest_permissions": [], "scriptable_host": []})
        granted["explicit_host"] = HOSTS
        granted["api"] = sorted({*granted.get("api", []), *names})
    preferences.write_text(json.dumps(read))
    return profile


class Reader:
    """A person with an account, using the API as the web app does."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.client = httpx2.Client(base_url=site.url, headers={"Origin": site.url}, timeout=30)
        token = site.owner_link().rpartition("#")[2]
        claim = {"token": token, "email": EMAIL, "password": PASSWORD}
        assert self.client.post("/v1/auth/owner", json=claim).status_code == 201

    def connect(self, server: str | None = None) -> dict[str, Any]:
        """Tokens for an extension, in the form in which it stores them. `server`: another address, such as a proxy's."""
        asked = self.client.post("/v1/connect", json={"name": "Chrome on Linux"}).json()
        path = f"/v1/connect/{asked['user_code']}"
        assert self.client.post(path, json={"decision": "approve"}).status_code == 204
        body = {"device_code": asked["device_code"]}
        tokens = self.client.post("/v1/connect/poll", json=body).json()["tokens"]
        me = self.client.get("/v1/me").json()
        return {
            "server": server or self.site.url,
            "userId": me["id"],
            "email": me["email"],
            "access": tokens["access_token"],
            "refresh": tokens["refresh_token"],
            "expiresAt": time.time() * 1000 + tokens["expires_in_s"] * 1000,
            "isRefreshing": False,
            "isSignedOut": False,
        }

    def sessions(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.client.get("/v1/sessions").json()["sessions"]
        return found

    def session(self, id_: str | UUID) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"/v1/sessions/{id_}").json()
        return found

    def finished(self) -> dict[str, Any]:
        """The only session, once its timeline is closed."""

        def closed() -> dict[str, Any] | None:
            for each in self.sessions():
                if each["status"] not in {"recording", "failed"} and each["ended_at"]:
                    shown = self.session(each["id"])
                    if all(visit["left_at"] for visit in shown["page_visits"]):
                        return shown
            return None

        return wait_until(closed, within_s=40, every_s=0.3, what="the session's end")


class Extension:
    """A browser that records. It is driven as a person would, and asks the worker for its status."""

    def __init__(self, profile: Path, more_flags: Sequence[str] = ()) -> None:
        self.profile = profile
        self.more_flags = more_flags
        self.launch()

    def launch(self) -> None:
        self.chromium = Chromium(program(), self.profile, [*flags(), *self.more_flags])
        try:
            self.page = self._own_page()
        except BaseException:
            self.chromium.kill()
            raise

    def _own_page(self) -> str:
        """A page of the extension in the background, from which messages are sent to the worker."""
        wait_until(lambda: self.chromium.targets("service_worker"), what="the extension's worker")
        address = f"chrome-extension://{extension_id()}/options.html"
        target = self.chromium.send("Target.createTarget", url=address, background=True)["targetId"]
        session = self.chromium.attach(target)
        is_ready = "document.readyState === 'complete' && chrome.storage !== undefined"
        wait_until(lambda: self.try_evaluate(session, is_ready), what="a page of the extension")
        return session

    def try_evaluate(self, session: str, script: str) -> Any:
        """The result of a script; None while the page is navigating."""
        try:
            return self.chromium.evaluate(session, script)
        except Failed:
            return None

    def has_loaded(self, session: str, path: str) -> bool:
        there = f"location.pathname === '{path}' && document.readyState === 'complete'"
        return self.try_evaluate(session, there) is True

    def ask(self, what: str, **more: Any) -> dict[str, Any]:
        request = json.dumps({"ask": what, **more})
        reply = self.chromium.evaluate(self.page, f"chrome.runtime.sendMessage({request})")
        assert reply["ok"], reply
        status: dict[str, Any] = reply["status"]
        return status

    def sign_in(self, account: dict[str, Any], **settings: Any) -> None:
        """Connected, with text that stays selected as highlights."""
        stored = {"account": account, "settings": {"marksSelection": True, **settings}}
        self.chromium.evaluate(self.page, f"chrome.storage.local.set({json.dumps(stored)})")

    def open(self, url: str, *, in_background: bool = False) -> str:
        made = self.chromium.send("Target.createTarget", url=url, background=in_background)
        target: str = made["targetId"]
        return target

    def show(self, target: str) -> None:
        self.chromium.send("Target.activateTarget", targetId=target)

    def shut(self, target: str) -> None:
        self.chromium.send("Target.closeTarget", targetId=target)

    def stop_worker(self) -> None:
        """As the browser stops an idle worker."""
        self.chromium.send("ServiceWorker.enable", self.page)
        self.chromium.send("ServiceWorker.stopAllWorkers", self.page)

    def in_worker(self, script: str) -> Any:
        [worker] = wait_until(lambda: self.chromium.targets("service_worker"))
        session = self.chromium.attach(worker["targetId"])
        try:
            return self.chromium.evaluate(session, script)
        finally:
            self.chromium.send("Target.detachFromTarget", sessionId=session)

    def wait_until_sent(self) -> dict[str, Any]:
        """Wait until all events are sent."""

        def all_sent() -> dict[str, Any] | None:
            status = self.ask("status")
            return status if status["unsent"] == 0 and not status["isStopping"] else None

        return wait_until(all_sent, within_s=60, what="all events sent")


class Stage(NamedTuple):
    reader: Reader
    pages: Pages
    extension: Extension


@contextmanager
def stage(
    site: Site, folder: Path, *, server: str | None = None, more_flags: Sequence[str] = ()
) -> Iterator[Stage]:
    """Everything a recording needs: an account, pages, and a browser with the permissions. `server`: see `connect`."""
    profile = folder / "profile"
    profile.mkdir()
    prepare_profile(profile, is_active=True)
    reader = Reader(site)
    with local_pages() as pages:
        extension = Extension(profile, more_flags)
        try:
            extension.sign_in(reader.connect(server))
            yield Stage(reader, pages, extension)
        finally:
            extension.chromium.close()
            reader.client.close()


def load_tabs(on: Stage, names: str) -> list[str]:
    """A background tab for each letter, with its page loaded."""
    tabs = [on.extension.open(f"{on.pages.url}/{name}", in_background=True) for name in names]
    for name, tab in zip(names, tabs, strict=True):
        session = on.extension.chromium.attach(tab)
        wait_until(partial(on.extension.has_loaded, session, f"/{name}"), what=f"page {name}")
        on.extension.chromium.send("Target.detachFromTarget", sessionId=session)
    return tabs


def open_tabs(on: Stage, names: str) -> list[str]:
    """A tab for each letter, the first of them active; what the pages saw so far is cleared."""
    tabs = load_tabs(on, names)
    on.extension.show(tabs[0])
    wait_until(lambda: [each for each in on.pages.seen if each.what == "shown"])
    on.pages.seen.clear()
    return tabs
