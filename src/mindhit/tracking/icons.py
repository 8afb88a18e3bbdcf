"""Icons of sites, as browsers send them: a small PNG inside a `data:` address.

Nothing is ever fetched from a site to show its icon: the site would learn who looks back, and when. An
icon's id is the MD5 of its address, which the database computes (`page_contents.icon`).
"""

from __future__ import annotations

import binascii
from typing import Final

from mindhit.tracking.protocol import ICON_PREFIX, MAX_ICON, MAX_ICON_SIDE

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def is_icon(address: str | None) -> bool:
    """Whether it is an icon that may be shown: complete, a PNG by its first bytes, and small."""
    if not address or len(address) > MAX_ICON or not address.startswith(ICON_PREFIX):
        return False
    try:
        png = png_of(address)
    except ValueError:
        return False
    width, height = png[16:20], png[20:24]
    return png.startswith(_SIGNATURE) and _is_side(width) and _is_side(height)


def png_of(address: str) -> bytes:
    """Raises `ValueError` where it is not base64."""
    return binascii.a2b_base64(address.removeprefix(ICON_PREFIX), strict_mode=True)


def _is_side(number: bytes) -> bool:
    return len(number) == 4 and 1 <= int.from_bytes(number, "big") <= MAX_ICON_SIDE
