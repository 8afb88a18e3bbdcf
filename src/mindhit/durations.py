"""How long something lasted, in words. Pure.

Rounded once, from the milliseconds, to the nearest minute. The web app has the same rule
(`web/src/ui/time/durations.ts`), and a test compares both over one list of cases.
"""

from __future__ import annotations

from typing import Final

MINUTE_MS: Final = 60_000


def in_hours(ms: int) -> str:
    """Hours and minutes: 1 h 12 min, 4 min; what rounds to nothing is < 1 min."""
    total = (ms + MINUTE_MS // 2) // MINUTE_MS
    if total == 0:
        return "< 1 min" if ms > 0 else "0 min"
    hours, minutes = divmod(total, 60)
    return " ".join([f"{hours} h"] * (hours > 0) + [f"{minutes} min"] * (minutes > 0))
