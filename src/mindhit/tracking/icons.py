"""Icons of sites, as a page's script brings them along: a small PNG inside a `data:` address.

Nothing is ever fetched from a site to show it: it would learn who looks back, and when. An icon is
known by the MD5 of its address, which the database makes (`page_contents.icon`).
"""

from __future__ import annotations

import binascii
from typing import Final

PREFIX: Final = "data:image/png;base64,"
MAX_LENGTH: Final = 4_000
MAX_SIDE: Final = 64
_BEGIN: Final = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def is_icon(address: str | None) -> bool:
    """Whether it is a picture that may be shown: whole, a PNG by its first bytes, and small."""
    if not address or len(address) > MAX_LENGTH or not address.startswith(PREFIX):
        return False
    try:
        png = png_of(address)
    except ValueError:
        return False
    width, height = png[16:20], png[20:24]
    return png.startswith(_BEGIN) and _is_side(width) and _is_side(height)


def png_of(address: str) -> bytes:
    """Raises `ValueError` where it is no base64."""
    return binascii.a2b_base64(address.removeprefix(PREFIX), strict_mode=True)


def _is_side(number: bytes) -> bool:
    return len(number) == 4 and 1 <= int.from_bytes(number, "big") <= MAX_SIDE
