"""How often somebody may try, over all processes: per address they come from, per account they try.

    10 tries in 15 minutes: 10 at once, then one every 90 s

Keys are hashed: the table says how often, not who.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from dataclasses import dataclass

from mindhit.accounts import store
from mindhit.db import Database
from mindhit.errors import TooMany


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    calls: int
    per_s: float


async def spend(db: Database, limit: Limit, who: str, *, times: float = 1.0) -> None:
    """Count one call against a limit, or raise `TooMany`. In a transaction of its own: a call that
    fails afterwards has counted. `times` raises (or with 0 lifts) every limit of a server."""
    if times <= 0:
        return
    each_s = limit.per_s / (limit.calls * times)
    [spent] = await db.alone(store.limits.SPEND, _key(limit, who), each_s, limit.per_s)
    if not spent.is_allowed:
        raise TooMany(max(1, math.ceil(spent.wait_s)))


async def give_back(db: Database, limit: Limit, who: str) -> None:
    """Forget what was counted: it was the right person after all."""
    await db.alone(store.limits.GIVE_BACK, _key(limit, who))


def party(address: str | None) -> str:
    """Who an address stands for. In IPv6 one household has 2^64 of them; what is no address (an
    account's name) stands for itself."""
    try:
        parsed = ipaddress.ip_address(address or "unknown")
    except ValueError:
        return address or "unknown"
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _key(limit: Limit, who: str) -> bytes:
    return hashlib.sha256(f"{limit.name}\0{who}".encode()).digest()
