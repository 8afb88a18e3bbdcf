"""Icons for the sites of the demo: a shape on a background, both chosen by the site's name.

Drawn here, so that none is a company's logo. A shape is a signed distance function: for a point of a
square from -1 to 1 it gives how far inside the shape the point is. Pixels at the edge are antialiased.
"""

from __future__ import annotations

import base64
import colorsys
import struct
import zlib
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from math import atan2, cos, hypot, pi, sin
from typing import Final

from mindhit.tracking.protocol import ICON_PREFIX

SIDE: Final = 32
_EDGE: Final = SIDE / 2  # pixels per unit
Shape = Callable[[float, float], float]
Rgb = tuple[int, int, int]


@cache
def icon_of(domain: str) -> str:
    """The icon as a `data:` address; always the same for the same domain."""
    chance = sha256(domain.encode()).digest()
    shape = _SHAPES[chance[0] % len(_SHAPES)]
    ground = _color(chance[1] / 256, 0.62, 0.36 + chance[2] / 256 * 0.12)
    rows = (_row(y, shape, ground) for y in range(SIDE))
    return ICON_PREFIX + base64.b64encode(_png(b"".join(rows))).decode()


def _row(y: int, shape: Shape, ground: Rgb) -> bytes:
    """One line of pixels, after a zero byte: no filter."""
    line = bytearray(1)
    down = (y + 0.5) / _EDGE - 1
    for x in range(SIDE):
        across = (x + 0.5) / _EDGE - 1
        light = _cover(shape(across, down))
        line += bytes(round(each + (255 - each) * light) for each in ground)
        line.append(round(255 * _cover(_tile(across, down))))
    return bytes(line)


def _cover(inside: float) -> float:
    return min(1.0, max(0.0, 0.5 + inside * _EDGE))


def _png(rows: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _color(hue: float, saturation: float, lightness: float) -> Rgb:
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return round(red * 255), round(green * 255), round(blue * 255)


def _tile(x: float, y: float) -> float:
    """The background: a square with round corners."""
    return 0.45 - hypot(max(abs(x) - 0.53, 0), max(abs(y) - 0.53, 0))


def _disc(x: float, y: float) -> float:
    return 0.52 - hypot(x, y)


def _ring(x: float, y: float) -> float:
    return 0.14 - abs(hypot(x, y) - 0.46)


def _moon(x: float, y: float) -> float:
    return min(0.56 - hypot(x, y), hypot(x - 0.3, y + 0.22) - 0.46)


def _diamond(x: float, y: float) -> float:
    return (0.66 - abs(x) - abs(y)) * 0.7


def _cross(x: float, y: float) -> float:
    return max(_bar(x, y), _bar(y, x))


def _bar(x: float, y: float) -> float:
    return min(0.58 - abs(x), 0.17 - abs(y))


def _lines(x: float, y: float) -> float:
    """Three lines of text, the last one short."""
    return max(
        min(0.54 - abs(x), 0.1 - abs(y + 0.38)),
        min(0.54 - abs(x), 0.1 - abs(y)),
        min(0.34 - abs(x + 0.2), 0.1 - abs(y - 0.38)),
    )


def _peaks(x: float, y: float) -> float:
    """Two mountains."""
    return min(max(_peak(x + 0.18, y + 0.52), _peak(x - 0.34, y + 0.16)), 0.46 - y)


def _peak(x: float, y: float) -> float:
    return (y - abs(x) * 1.7) * 0.5


def _petals(x: float, y: float) -> float:
    return (0.42 + 0.18 * cos(5 * atan2(y, x)) - hypot(x, y)) * 0.8


def _dots(x: float, y: float) -> float:
    return 0.2 - hypot(abs(x) - 0.3, abs(y) - 0.3)


def _wave(x: float, y: float) -> float:
    lines = (abs(y + offset - 0.16 * sin(x * 1.5 * pi)) for offset in (-0.24, 0.24))
    return min(0.11 - min(lines) * 0.85, 0.6 - abs(x))


_SHAPES: Final[tuple[Shape, ...]] = (
    _disc,
    _ring,
    _moon,
    _diamond,
    _cross,
    _lines,
    _peaks,
    _petals,
    _dots,
    _wave,
)
