"""No screen is forgotten: every route of the web app is looked at by axe, and has its pictures. No browser is needed."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from tests.e2e import (
    test_web_first_minutes,
    test_web_library,
    test_web_reminders,
    test_web_screens,
    test_web_shops,
    web_pictures,
    web_scenes,
)

WEB: Final = Path(__file__).resolve().parents[2] / "web" / "src"


def routes() -> list[str]:
    """As `app/routes.tsx` has them, with every section of the settings by its own address."""
    found = re.findall(
        r"""(?:open\(|personal\(|path: )"(/[^"]*)\"""", (WEB / "app" / "routes.tsx").read_text()
    )
    settings = (WEB / "settings" / "settings-screen.tsx").read_text()
    [sections] = re.findall(r"const SECTIONS = \{(.*?)\}", settings, re.DOTALL)
    names = [name for name in re.findall(r"(\w+):", sections) if name != "general"]
    assert len(found) > 25
    assert len(names) > 5
    paths = [path for path in found if ":section" not in path]
    return [*paths, "/settings", *(f"/settings/{name}" for name in names)]


def is_at(route: str, address: str) -> bool:
    """An id is written as {…} or as anything else that is no fixed word of another route."""
    pattern = re.sub(r":\w+", r"[^/]*[{0-9][^/]*", route)
    return re.fullmatch(pattern, address.partition("?")[0]) is not None


def written(*files: str) -> set[str]:
    """Addresses that stand in these files; what is put into them stands as {}."""
    texts = set()
    for file in files:
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [
                    str(part.value) if isinstance(part, ast.Constant) else "{}"
                    for part in node.values
                ]
                texts.add("".join(parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
    return {text for text in texts if re.match(r"/(?!v1/)", text)}


INSPECTED: Final = {
    *test_web_screens.SCREENS.values(),
    *test_web_library.SCREENS.values(),
    *test_web_reminders.SCREENS.values(),
    *(path for path, _ in test_web_shops.SCREENS.values()),
    *test_web_first_minutes.OUTSIDE,
}
PICTURED: Final = written(web_pictures.__file__, web_scenes.__file__)


@pytest.mark.parametrize("addresses", [INSPECTED, PICTURED], ids=["axe", "pictures"])
def test_every_route_is_looked_at(addresses: set[str]) -> None:
    # The list of sessions is the overview by another name.
    missing = [
        route
        for route in routes()
        if route != "/sessions" and not any(is_at(route, address) for address in addresses)
    ]
    assert missing == []
