"""axe over one screen after the other: all its rules, and what depends on colours in dark too."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Page, ViewportSize, expect

AXE: Final = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN: Final = """([within, only]) => axe
  .run(within, { resultTypes: ['violations'], ...(only && { runOnly: only }) })
  .then((told) => told.violations)"""
COLOURS: Final = ["color-contrast", "link-in-text-block"]
# As a link does: nothing is loaded again.
GO: Final = """(address) => {
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
}"""
DESK: Final[ViewportSize] = {"width": 1280, "height": 1600}
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
# Once what is measured in pixels has been drawn anew.
WIDER: Final = """async () => {
  const ends = performance.now() + 3000;
  for (;;) {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth || performance.now() > ends) return scrollWidth - clientWidth;
    await new Promise(requestAnimationFrame);
  }
}"""


class Inspection:
    """What axe finds serious or critical, by screen and scheme."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: dict[str, list[str]] = {}
        page.set_viewport_size(DESK)
        page.add_init_script(path=AXE)

    def go(self, url: str) -> None:
        self.page.evaluate(GO, url)

    def look(self, screen: str, within: str = "html") -> None:
        """`within`: where only that has changed."""
        self.page.locator("main :is(h1, [data-tone])").first.wait_for()
        expect(self.page.locator("main > p[role=status]")).to_have_count(0)
        self._look(f"{screen}, light", "light", within)
        self._look(f"{screen}, dark", "dark", within, COLOURS)

    def _look(
        self,
        name: str,
        scheme: Literal["light", "dark"],
        within: str,
        only: list[str] | None = None,
    ) -> None:
        self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = [
            f"{each['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
            for each in self.page.evaluate(RUN, [within, only])
            if each["impact"] in {"serious", "critical"}
            for node in each["nodes"]
        ]
        if found:
            self.found[name] = found

    def look_on_a_phone(self, screen: str) -> None:
        """Nothing has to be scrolled sideways."""
        self.page.set_viewport_size(PHONE)
        wider = self.page.evaluate(WIDER)
        if wider > 0:
            self.found[f"{screen}, phone"] = [f"{wider} pixels wider than the screen"]
        self.page.set_viewport_size(DESK)
