"""An SVG of ours as PNG. Runs in a process of a pool: it computes for about 100 ms.

The font is ours (`fonts/`): without one that has the letters, the renderer leaves text out and says
nothing. It has Latin and Hangul; ideographs and emoji become boxes.
"""

from __future__ import annotations

import re
from importlib import resources
from math import sqrt
from typing import Final

FONT: Final = "Pretendard-Medium.otf"
FAMILY: Final = "Pretendard"
ZOOM: Final = 2.0
MOST_PIXELS: Final = 16_000_000
LONGEST_SIDE: Final = 8_000
RENDER_S: Final = 20.0
_SIZE: Final = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')


def zoom_for(width: float, height: float, widest: int | None = None) -> float:
    """Twice as large as drawn, within limits."""
    area = sqrt(MOST_PIXELS / (width * height))
    zoom = min(ZOOM, LONGEST_SIDE / max(width, height), area)
    return min(zoom, widest / width) if widest else zoom


def render(svg: str, widest: int | None = None) -> bytes:
    from resvg_py import svg_to_bytes  # noqa: PLC0415  only where it is used

    size = _SIZE.search(svg)
    assert size is not None
    with resources.as_file(resources.files(__package__) / "fonts" / FONT) as font:
        return bytes(
            svg_to_bytes(
                svg_string=svg,
                zoom=zoom_for(float(size[1]), float(size[2]), widest),
                skip_system_fonts=True,
                font_files=[str(font)],
                font_family=FAMILY,
                sans_serif_family=FAMILY,
            )
        )
