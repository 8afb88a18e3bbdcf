"""Colours are design tokens of the web app; where they have to be written again, they are the same.

The page's own bars, the logo file, the extension's pages and mails can't read `tokens.css`: they are
compared with it here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
TOKENS: Final = (ROOT / "web/src/ui/styles/tokens.css").read_text(encoding="utf-8")
HEX: Final = re.compile(r"(?<!&)#(?:[0-9a-f]{6}|[0-9a-f]{3})\b", re.IGNORECASE)
TOKEN: Final = re.compile(r"--([\w-]+):\s*([^;]+);")
DARK: Final = "@media (prefers-color-scheme: dark)"


def tokens_of(css: str) -> dict[str, str]:
    return {name: value.strip() for name, value in TOKEN.findall(css)}


def long(colour: str) -> str:
    """#fff as #ffffff."""
    digits = colour[1:].lower()
    return f"#{digits if len(digits) == 6 else ''.join(each * 2 for each in digits)}"


def colours(text: str) -> set[str]:
    return {long(found) for found in HEX.findall(text)}


def themes() -> tuple[set[str], set[str]]:
    """All colours of the light theme, and all of the dark one."""
    found: tuple[set[str], set[str]] = (set(), set())
    for value in tokens_of(TOKENS).values():
        pair = re.fullmatch(r"light-dark\((.+), (.+)\)", value)
        for colours_of_theme, part in zip(
            found, pair.groups() if pair else (value, value), strict=True
        ):
            colours_of_theme.update(colours(part))
    return found


LIGHT, DARK_COLOURS = themes()


def test_the_extension_has_the_web_apps_colours() -> None:
    theme = (ROOT / "extension/src/ui/theme.css").read_text(encoding="utf-8")
    mine, theirs = tokens_of(theme), tokens_of(TOKENS)
    shared = {name for name, value in mine.items() if HEX.search(value)}
    assert len(shared) > 10
    assert {name: mine[name] for name in shared} == {name: theirs.get(name) for name in shared}
    outside = TOKEN.sub("", theme)
    assert not HEX.search(outside), "a colour that is no token"


def test_the_bars_of_a_browser_have_the_colour_of_the_page() -> None:
    page = (ROOT / "web/index.html").read_text(encoding="utf-8")
    bars = re.findall(r'data-scheme="(light|dark)"[^>]* content="(#\w+)"', page)
    ground = f"light-dark({dict(bars)['light']}, {dict(bars)['dark']})"
    assert tokens_of(TOKENS)["ground"] == ground


def test_the_logo_is_drawn_in_its_own_tokens() -> None:
    drawn = colours((ROOT / "web/public/favicon.svg").read_text(encoding="utf-8"))
    names = ("logo-ground", "logo-line", "logo-hit")
    assert drawn == {long(tokens_of(TOKENS)[name]) for name in names}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_mails_have_the_web_apps_colours(theme: str) -> None:
    layout = (ROOT / "src/mindhit/mail/layout.py").read_text(encoding="utf-8")
    dark = layout[layout.index(DARK) : layout.index("</style>")]
    used = colours(dark) if theme == "dark" else colours(layout.replace(dark, ""))
    assert used
    assert used <= (DARK_COLOURS if theme == "dark" else LIGHT)
