"""How a site receives a user agent, as a score. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

BEST: Final = 100
RAISED: Final = 5
LOWERED: Final = 30
WORST_USED: Final = 30  # below it is suspended
COOL_DOWN: Final = timedelta(minutes=5)  # as long as a breaker is open at first
AFTER_COOL_DOWN: Final = 60
BREAKS_BELOW: Final = 0.2  # share of agents that a site must have left


class Reception(StrEnum):
    """How a site received a request, as far as the agent is concerned."""

    WELCOME = "welcome"
    UNWELCOME = "unwelcome"  # 403, 429, captcha
    NEITHER = "neither"  # its own trouble


@dataclass(frozen=True, slots=True)
class Health:
    score: int
    suspended_until: datetime | None = None


def after(health: Health, reception: Reception, now: datetime) -> Health:
    """One that has served its suspension begins below the best, so that it is soon suspended again."""
    score, until = health.score, health.suspended_until
    if until is not None and until <= now:
        score, until = max(score, AFTER_COOL_DOWN), None
    if reception == Reception.WELCOME:
        return Health(min(score + RAISED, BEST), None)
    if reception == Reception.UNWELCOME:
        score = max(score - LOWERED, 0)
        if score < WORST_USED:
            until = now + COOL_DOWN
    return Health(score, until)


def breaks(available: int, total: int) -> bool:
    """Whether so few agents are left that the site is left alone."""
    return total > 0 and available / total < BREAKS_BELOW
