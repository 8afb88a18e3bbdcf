"""Somebody without a pointer: after every key there is a focus, it can be seen, and it is in sight."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Locator, Page, expect

MOST_TABS: Final = 120
# Nothing where all is as it should be, within a moment: what comes from the server moves the focus.
FOCUS: Final = """async () => {
  const ends = performance.now() + 5000;
  for (;;) {
    const wrong = look();
    if (wrong === "" || performance.now() > ends) return wrong;
    await new Promise(requestAnimationFrame);
  }
  function look() {
    const at = document.activeElement;
    if (!at || at === document.body) return "the focus is lost";
    const name = `${at.tagName} ${at.className} ${(at.textContent ?? "").slice(0, 40)}`;
    const isRinged = [undefined, "::after"].some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(at, part);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    });
    // A heading has the focus for screen readers alone: nothing can be done with it.
    const isHeading = /^H[1-3]$/.test(at.tagName);
    if (isHeading && isRinged) return `a box around a heading: ${name}`;
    // Of a field for a date or a time, a part inside it may have the focus.
    const isShown = at.matches(":focus-visible, input:is([type=date], [type=time]):focus-within");
    if (!isHeading && (!isShown || !isRinged)) return `the focus cannot be seen: ${name}`;
    const { top, bottom } = at.getBoundingClientRect();
    return bottom <= 0 || top >= innerHeight ? `the focus is out of sight: ${name}` : "";
  }
}"""


class Keys:
    """Somebody who has no pointer."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.look()

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.look()

    def look(self) -> None:
        wrong = self.page.evaluate(FOCUS)
        assert wrong == "", wrong

    def go(self, wanted: Locator, key: str = "Tab") -> None:
        """By Tab to what is wanted, however many stand between."""
        expect(wanted).to_be_visible()
        for _ in range(MOST_TABS):
            if wanted.evaluate("(element) => element === document.activeElement"):
                return
            self.press(key)
        raise AssertionError(f"no key leads to {wanted}")

    def use(self, role: str, name: str, *, key: str = "Tab") -> None:
        self.go(self.page.get_by_role(role, name=name, exact=True), key)  # type: ignore[arg-type]
        self.press("Enter")
