"""Which browser: the values of the setting `fetch_browser` that are no program."""

from __future__ import annotations

from typing import Final

AUTO: Final = "auto"
OFF: Final = "off"
