"""Draw the icons of the installed web app from `web/public/favicon.svg`, into the same folder.

    python -m tools.app_icons

Icons that the system cuts to its own shape fill their square; the drawing stays inside the circle
of four fifths of it that every shape leaves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from resvg_py import svg_to_bytes

FOLDER: Final = Path(__file__).resolve().parents[1] / "web" / "public"
ROUNDED: Final = {"icon-192.png": 192, "icon-512.png": 512}
FILLED: Final = {"icon-maskable-512.png": 512, "apple-touch-icon.png": 180}


def filled(svg: str) -> str:
    """The ground to the edges, the drawing four fifths as large."""
    wider = svg.replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
    return wider.replace(
        '<rect width="32" height="32" rx="8"', '<rect x="-4" y="-4" width="40" height="40"'
    )


def main() -> None:
    svg = (FOLDER / "favicon.svg").read_text()
    for name, px in ROUNDED.items():
        (FOLDER / name).write_bytes(bytes(svg_to_bytes(svg_string=svg, width=px, height=px)))
    for name, px in FILLED.items():
        (FOLDER / name).write_bytes(
            bytes(svg_to_bytes(svg_string=filled(svg), width=px, height=px))
        )


if __name__ == "__main__":
    main()
