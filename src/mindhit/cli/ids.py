"""Ids as people type them: the beginning is enough where only one id begins so."""

from __future__ import annotations

import re
from uuid import UUID

from mindhit import tracking
from mindhit.db import ReadTx
from mindhit.errors import Refused
from mindhit.tracking import OwnedSession, SessionNotFound

_DIGITS = 32
_SHOWN = 3


def bounds(typed: str) -> tuple[UUID, UUID]:
    """The lowest and the highest id that begin with `typed`, with or without hyphens."""
    digits = typed.strip().replace("-", "").lower()
    if not re.fullmatch(rf"[0-9a-f]{{1,{_DIGITS}}}", digits):
        raise Refused(
            f"{typed!r} is not an id.",
            way_out="An id has the digits 0-9 and a-f; its first few are enough.",
        )
    return UUID(digits.ljust(_DIGITS, "0")), UUID(digits.ljust(_DIGITS, "f"))


async def find_session(tx: ReadTx, typed: str) -> OwnedSession:
    """The only session whose id begins with `typed`, whoever it belongs to."""
    first, last = bounds(typed)
    found = await tracking.sessions_between(tx, first, last, _SHOWN + 1)
    if not found and first == last:
        raise SessionNotFound
    if not found:
        raise SessionNotFound(f"There is no session whose id begins with {typed}.")
    if len(found) > 1:
        ids = [str(each.id) for each in found[:_SHOWN]] + ["…"] * (len(found) > _SHOWN)
        raise Refused(
            f"Several sessions have an id that begins with {typed}: {', '.join(ids)}.",
            way_out="Type more of the id.",
        )
    return found[0]
