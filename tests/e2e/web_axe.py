"""axe over one screen after the other, with all its rules, in light and in dark."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

AXE: Final = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN: Final = "axe.run({ resultTypes: ['violations'] }).then((told) => told.violations)"


class Inspection:
    """What axe finds serious or critical, by screen and scheme."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: dict[str, list[str]] = {}

    def look(self, screen: str) -> None:
        self.page.locator("main :is(h1, .notice)").first.wait_for()
        expect(self.page.locator(".waiting")).to_have_count(0)
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = self._findings()
            if found:
                self.found[f"{screen}, {scheme}"] = found

    def _findings(self) -> list[str]:
        return [
            f"{each['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
            for each in self.page.evaluate(RUN)
            if each["impact"] in {"serious", "critical"}
            for node in each["nodes"]
        ]
