"""Limits on attempts to sign in, mails and connections, over all processes.

    10 attempts in 15 minutes: 10 at once, then one every 90 s

Keys are hashed: the table says how often, not who.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Final

from mindhit.accounts import store
from mindhit.accounts.model import TooManyAttempts
from mindhit.db import Database


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    calls: int
    per_s: float


QUARTER_H: Final = 900.0

# Per client address. A household or an office shares one, hence the larger numbers.
SIGN_IN_BY_ADDRESS: Final = Limit("sign-in by address", 60, QUARTER_H)
LINKS_BY_ADDRESS: Final = Limit("links by address", 60, QUARTER_H)
MAILS_BY_ADDRESS: Final = Limit("mails by address", 20, QUARTER_H)
CONNECT_BY_ADDRESS: Final = Limit("connect by address", 60, QUARTER_H)
POLL_BY_ADDRESS: Final = Limit("poll by address", 1200, QUARTER_H)
OIDC_BY_ADDRESS: Final = Limit("identity provider by address", 120, QUARTER_H)  # a sign-in is two
REFRESH_BY_ADDRESS: Final = Limit("refresh by address", 600, QUARTER_H)
# Per account and client address, so that nobody can lock others out of their accounts.
SIGN_IN_BY_BOTH: Final = Limit("sign-in by account and address", 10, QUARTER_H)
MAILS_BY_BOTH: Final = Limit("mails by account and address", 3, QUARTER_H)
# Per account, against attempts from many addresses.
SIGN_IN_BY_ACCOUNT: Final = Limit("sign-in by account", 50, QUARTER_H)
MAILS_BY_ACCOUNT: Final = Limit("mails by account", 12, QUARTER_H)


async def spend(db: Database, limit: Limit, who: str, *, times: float = 1.0) -> None:
    """Count one call against a limit, or raise `TooManyAttempts`. In a transaction of its own: a call that
    fails afterwards still counts. `times` multiplies the limit; 0 switches it off."""
    if times <= 0:
        return
    each_s = limit.per_s / (limit.calls * times)
    [spent] = await db.alone(store.limits.SPEND, _key(limit, who), each_s, limit.per_s)
    if not spent.is_allowed:
        raise TooManyAttempts(max(1, math.ceil(spent.wait_s)))


async def reset(db: Database, limit: Limit, who: str) -> None:
    """Forget what was counted."""
    await db.alone(store.limits.RESET, _key(limit, who))


def _key(limit: Limit, who: str) -> bytes:
    return hashlib.sha256(f"{limit.name}\0{who}".encode()).digest()
