"""Ids that grow with time (UUID version 7): new rows go to the end of their indexes, and a list in the
order of ids is in the order in which things were added."""

from __future__ import annotations

import secrets
import threading
import time
from uuid import UUID

_lock = threading.Lock()
_last = 0


def new_id() -> UUID:
    """Later calls in this process give larger ids."""
    global _last  # noqa: PLW0603  ids of one process are in order
    with _lock:
        # Milliseconds and 12 bits below them, which count where the clock does not move.
        _last = max(_last + 1, int(time.time() * 1000) << 12)
        moment = _last
    number = (moment >> 12) << 80 | 0x7 << 76 | (moment & 0xFFF) << 64
    return UUID(int=number | 0b10 << 62 | secrets.randbits(62))
