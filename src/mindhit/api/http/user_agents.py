"""A device's name from its User-Agent header, such as "Firefox on Linux"."""

from __future__ import annotations

import re
from typing import Final

# The first match wins: most browsers also claim to be some of those further down.
_BROWSERS: Final = (
    ("Edge", re.compile(r"\bEdgA?/")),
    ("Opera", re.compile(r"\bOPR/")),
    ("Samsung Internet", re.compile(r"\bSamsungBrowser/")),
    ("Whale", re.compile(r"\bWhale/")),
    ("Firefox", re.compile(r"\bFirefox/|\bFxiOS/")),
    ("Chrome", re.compile(r"\bChrome/|\bHeadlessChrome/|\bCriOS/|\bChromium/")),
    ("Safari", re.compile(r"\bSafari/")),
    ("curl", re.compile(r"^curl/")),
)
_SYSTEMS: Final = (
    ("iPhone", re.compile(r"\biPhone\b")),
    ("iPad", re.compile(r"\biPad\b")),
    ("Android", re.compile(r"\bAndroid\b")),
    ("ChromeOS", re.compile(r"\bCrOS\b")),
    ("Windows", re.compile(r"\bWindows\b")),
    ("macOS", re.compile(r"\bMacintosh\b")),
    ("Linux", re.compile(r"\bLinux\b")),
)


def device_name(user_agent: str) -> str:
    browser = next((name for name, fits in _BROWSERS if fits.search(user_agent)), None)
    system = next((name for name, fits in _SYSTEMS if fits.search(user_agent)), None)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "Unknown device"
