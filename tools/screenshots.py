"""Pictures of the extension's own pages, in every state, light and dark, English and Korean.

    python -m tools.screenshots FOLDER        `make extension` comes first

The background is not asked: what it would answer is made up here, so that every state can be shown.
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import BrowserContext, sync_playwright

from tools import browser
from tools.korean_font import add_korean_font

ROOT: Final = Path(__file__).resolve().parents[1]
BUILT: Final = ROOT / "extension" / ".output" / "chrome-mv3"
Scheme = Literal["light", "dark"]
Status = dict[str, Any]

ACCOUNT = {"server": "https://mind.example.org", "email": "ada@example.org", "isSignedOut": False}
READY: Status = {
    "account": ACCOUNT,
    "connecting": None,
    "isPermitted": True,
    "recording": None,
    "isAutomatic": False,
    "isHeld": False,
    "pause": None,
    "isStopping": False,
    "unsent": 0,
    "unsentElsewhere": 0,
    "isOffline": False,
    "refusal": None,
    "unsentPages": 0,
    "outcome": None,
    "isStorageLow": False,
    "storageUsed": 1_400_000,
}
SINCE_MS = 47 * 60_000 + 12_000
RECORDING = {
    "startedAt": -SINCE_MS,
    "lastAt": 0,
    "pages": 38,
    "highlights": 5,
    "isInterrupted": False,
    "isByItself": False,
    "name": {"title": "Lighthouses of the North Sea", "morePages": 37},
    "link": "https://mind.example.org/sessions/0",
}
BY_ITSELF = {**RECORDING, "isByItself": True}
ARTICLE = {
    "id": 1,
    "url": "https://en.wikipedia.org/wiki/Lighthouse",
    "title": "Lighthouse - Wikipedia",
    "incognito": False,
}
BANK = {**ARTICLE, "url": "https://my.bank.example/", "title": "Your accounts"}
MINDHIT = {**ARTICLE, "url": "https://mind.example.org/", "title": "Overview – MindHit"}
STORED = {"account": ACCOUNT, "accountExcluded": ["bank.example"]}
POPUP: dict[str, Status] = {
    "signed-out": {"account": None},
    "ready": {},
    "recording": {"recording": RECORDING},
    "offline": {"recording": RECORDING, "isOffline": True, "unsent": 214},
    "storage-low": {"recording": RECORDING, "isStorageLow": True},
    "stopping": {"isStopping": True, "unsent": 12},
    "excluded-page": {"recording": RECORDING, "tab": BANK},
    "own-page": {"recording": RECORDING, "tab": MINDHIT},
    "paused": {"recording": RECORDING, "pause": {"from": 0, "until": None}},
    "automatic": {"isAutomatic": True, "recording": BY_ITSELF},
    "automatic-waiting": {"isAutomatic": True},
    "automatic-paused": {"isAutomatic": True, "pause": {"from": 0, "until": 3_600_000}},
    "saved": {
        "outcome": {"id": "0", "owner": "0", "at": 0, "is": "saved", "name": RECORDING["name"]}
    },
    "refused": {"outcome": {"id": "0", "owner": "0", "at": 0, "is": "refused"}},
    "interrupted": {"recording": {**RECORDING, "isInterrupted": True, "lastAt": -9 * 3_600_000}},
}
SETUP: dict[str, Status] = {
    "first": {"account": None, "isPermitted": False},
    "code": {
        "account": None,
        "isPermitted": False,
        "connecting": {
            "userCode": "KQTX-7M4R",
            "url": "https://mind.example.org/connect#KQTX-7M4R",
        },
    },
    "done": {},
}
# Times are counted from the moment at which the picture is taken.
ANSWERS = """(() => {
  const {status, tab, stored} = %s;
  const now = Date.now();
  for (const each of [status.recording, status.outcome, status.pause])
    for (const name of ['startedAt', 'lastAt', 'at', 'from', 'until'])
      if (each && typeof each[name] === 'number') each[name] += now;
  chrome.runtime.sendMessage = async () => ({ok: true, status});
  chrome.tabs.query = async () => [tab];
  chrome.scripting.executeScript = async () => [];
  chrome.storage.local.get = async (key) => ({[key]: stored[key]});
})()"""


def identity(context: BrowserContext) -> str:
    worker = context.service_workers[0] if context.service_workers else None
    worker = worker or context.wait_for_event("serviceworker")
    return worker.url.split("/")[2]


def take(context: BrowserContext, page: str, name: str, status: Status, file: Path) -> None:
    tab = context.new_page()
    shown = {**READY, **status}
    stored = STORED if shown["account"] else {}
    answers = {"status": shown, "tab": shown.pop("tab", ARTICLE), "stored": stored}
    tab.add_init_script(ANSWERS % json.dumps(answers))
    tab.set_viewport_size({"width": 320 if page == "popup" else 760, "height": 200})
    tab.goto(f"chrome-extension://{identity(context)}/{page}.html")
    tab.wait_for_timeout(250)
    tab.screenshot(path=file.with_name(f"{page}-{name}-{file.name}.png"), full_page=True)
    tab.close()


def take_all(program: str, language: str, scheme: Scheme, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=program,
            headless=False,
            args=[
                "--headless=new",
                "--no-sandbox",
                f"--lang={language}",
                f"--disable-extensions-except={BUILT}",
                f"--load-extension={BUILT}",
            ],
            env={**os.environ, "LANGUAGE": language},
            color_scheme=scheme,
            device_scale_factor=2,
        )
        file = folder / f"{language}-{scheme}"
        for name, status in POPUP.items():
            take(context, "popup", name, status, file)
        for name, status in SETUP.items():
            take(context, "setup", name, status, file)
        take(context, "options", "all", {}, file)
        context.close()


def main() -> int:
    program = browser.find()
    if program is None or len(sys.argv) != 2:
        print(__doc__)
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    schemes: tuple[Scheme, ...] = ("light", "dark")
    with tempfile.TemporaryDirectory() as fonts:
        add_korean_font(Path(fonts))
        for language in ("en", "ko"):
            for scheme in schemes:
                take_all(program, language, scheme, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
