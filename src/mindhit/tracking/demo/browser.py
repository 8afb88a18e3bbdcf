"""A browser that follows the steps of `browsing.toml` and sends what the extension would send.

Its addresses are real ones, so every page says `noFetch`: no server shall ask for them on our account.
"""

from __future__ import annotations

import random
import tomllib
import uuid
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import cache
from importlib import resources
from typing import Any, Final

from mindhit.tracking.demo.icons import icon_of
from mindhit.tracking.protocol import IDLE_THRESHOLD_MS, NO_WINDOW

Json = dict[str, Any]

ALIVE_MS: Final = 60_000
READ_MS: Final = 800  # from the navigation to the extracted text
WINDOW: Final = 1
_ALONE: Final = frozenset({"away", "idle", "lock", "sleep", "private"})  # verbs without a page


@dataclass(frozen=True, slots=True)
class Sample:
    """One session of the demo."""

    id: uuid.UUID
    title: str | None
    started_at: datetime
    key: str
    steps: tuple[str, ...]
    pages: Json

    def events(self, started_at: datetime) -> list[Json]:
        """The events of a session that started then; `seq` runs from 1."""
        browser = _Browser(self.pages, random.Random(self.key), _ms(started_at))  # noqa: S311
        browser.begin()
        for step in self.steps:
            browser.follow(step)
        browser.send("ALIVE")
        return browser.sent


def sessions(user_id: uuid.UUID, now: datetime) -> list[Sample]:
    """The demo of a person, oldest session first. `now` is in their time zone, so that the sessions
    are at plausible hours."""
    return [
        Sample(
            uuid.uuid5(user_id, f"mindhit demo: {each['key']}"),
            each.get("title"),
            _start(now, each["days_ago"], each["at"]),
            each["key"],
            tuple(each["steps"].strip().splitlines()),
            each["pages"],
        )
        for each in _script()
    ]


@cache
def _script() -> list[Json]:
    text = resources.files(__package__).joinpath("browsing.toml").read_text(encoding="utf-8")
    found: list[Json] = tomllib.loads(text)["session"]
    return found


def _start(now: datetime, days_ago: int, at: str) -> datetime:
    day = (now - timedelta(days=days_ago)).date()
    return datetime.combine(day, time.fromisoformat(at), now.tzinfo)


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


@dataclass(slots=True)
class _Browser:
    """The tabs of one window, a clock, and the events so far."""

    pages: Json
    chance: random.Random
    clock: int
    sent: list[Json] = field(default_factory=list)
    tab: int = 1
    tabs: dict[int, str] = field(default_factory=dict)  # tab → name of the page it shows
    last_tab: int = 1

    def begin(self) -> None:
        """A window with an empty tab."""
        self.send("WINDOW_FOCUS_CHANGED", windowId=WINDOW, payload={"focused": True})
        self.send("TAB_ACTIVATED", tabId=self.tab, windowId=WINDOW)
        self.clock += self.chance.randrange(900, 2_500)

    def follow(self, step: str) -> None:
        verb, *rest = step.split()
        if verb == "highlight":
            self._highlight(rest[0], " ".join(rest[1:]))
            return
        stay = self._stay(float(rest.pop()))
        if verb in _ALONE:
            getattr(self, f"_{verb}")(stay)
            return
        getattr(self, f"_{verb}")(*rest)
        self._pass(stay)

    def send(self, type_: str, **more: Any) -> None:
        self.sent.append({"seq": len(self.sent) + 1, "t": self.clock, "type": type_, **more})

    # Navigation.

    def _type(self, page: str) -> None:
        self._go(page, "typed")

    def _link(self, page: str) -> None:
        self._go(page, "link")

    def _route(self, page: str) -> None:
        self._go(page, "link")

    def _hop(self, through: str, page: str) -> None:
        self._go(through, "link")
        self.clock += self.chance.randrange(60, 240)
        self._go(page, "link", redirect=True)

    def _tab(self, page: str) -> None:
        opener = self.tab
        self.last_tab += 1
        self.tab = self.last_tab
        self._go(page, "link", openerTabId=opener)
        self._bring(page)

    def _see(self, page: str) -> None:
        self.tab = self._tab_of(page)
        self._bring(page)

    def _shut(self, page: str) -> None:
        tab = self._tab_of(page)
        del self.tabs[tab]
        self.send("TAB_REMOVED", tabId=tab, windowId=WINDOW)

    def _highlight(self, page: str, text: str) -> None:
        self.send("HIGHLIGHT", tabId=self.tab, url=self.pages[page]["url"], payload={"text": text})

    # Everything else.

    def _private(self, stay: int) -> None:
        self.last_tab += 1
        tab, before = self.last_tab, self.tab
        self.send("TAB_ACTIVATED", tabId=tab, windowId=WINDOW)
        self._pass(stay)
        self.send("TAB_REMOVED", tabId=tab, windowId=WINDOW)
        self.tab = before
        self._bring(self.tabs[before])

    def _away(self, stay: int) -> None:
        self.send("WINDOW_FOCUS_CHANGED", windowId=NO_WINDOW, payload={"focused": False})
        self._pass(stay)
        self.send("WINDOW_FOCUS_CHANGED", windowId=WINDOW, payload={"focused": True})

    def _idle(self, stay: int) -> None:
        self._pass(IDLE_THRESHOLD_MS)
        payload = {"state": "idle", "thresholdMs": IDLE_THRESHOLD_MS}
        self.send("IDLE_STATE_CHANGED", payload=payload)
        self._pass(stay)
        self.send("IDLE_STATE_CHANGED", payload={"state": "active"})

    def _lock(self, stay: int) -> None:
        self.send("IDLE_STATE_CHANGED", payload={"state": "locked"})
        self._pass(stay)
        self.send("IDLE_STATE_CHANGED", payload={"state": "active"})

    def _sleep(self, stay: int) -> None:
        self.clock += stay
        self.send("ALIVE")

    # Helpers.

    def _go(self, name: str, transition: str, **more: Any) -> None:
        page = self.pages[name]
        self.tabs[self.tab] = name
        payload = {"title": page["title"], "transition": transition, "noFetch": True, **more}
        self.send(
            "NAV_COMMITTED", tabId=self.tab, windowId=WINDOW, url=page["url"], payload=payload
        )

    def _bring(self, name: str) -> None:
        url, payload = self.pages[name]["url"], {"noFetch": True}
        self.send("TAB_ACTIVATED", tabId=self.tab, windowId=WINDOW, url=url, payload=payload)

    def _tab_of(self, name: str) -> int:
        return next(tab for tab, shown in self.tabs.items() if shown == name)

    def _pass(self, stay: int) -> None:
        """Let time pass: the text is extracted soon after the navigation, and `ALIVE` is sent."""
        end = self.clock + stay
        if stay > 2 * READ_MS and self.sent[-1]["type"] in {"NAV_COMMITTED", "TAB_ACTIVATED"}:
            self.clock += READ_MS
            self._read()
        while end - self.clock > ALIVE_MS:
            self.clock += ALIVE_MS
            self.send("ALIVE")
        self.clock = end

    def _read(self) -> None:
        """Extract the text of the page, once."""
        url = self.sent[-1].get("url")
        is_read = any(e["type"] == "CONTENT_EXTRACTED" and e["url"] == url for e in self.sent)
        if url is None or is_read:
            return
        page = self.pages[self.tabs[self.tab]]
        if "text" not in page:
            return
        payload = {
            "title": page["title"],
            "content": page["text"],
            "extractionOk": True,
            "noFetch": True,
            "meta": {"favicon": icon_of(url.split("/")[2])},
        }
        self.send("CONTENT_EXTRACTED", tabId=self.tab, url=url, payload=payload)

    def _stay(self, seconds: float) -> int:
        """A little random: nobody stays for a round number of seconds."""
        return int(seconds * 1000 * self.chance.uniform(0.92, 1.08))
