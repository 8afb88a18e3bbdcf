"""Deleting what is no longer needed: how often, and how long it is kept after it expired."""

from __future__ import annotations

from typing import Final

from mindhit import mail
from mindhit.accounts import store
from mindhit.accounts.leaving.export import fail_abandoned
from mindhit.db import Database

EVERY_S: Final = 3600
DAY_S: Final = 86_400.0
SECURITY_EVENTS_KEPT_DAYS: Final = 365
KEPT_S: Final = {
    store.sweeping.TOKENS: DAY_S,
    store.sweeping.DEVICES: 30 * DAY_S,  # listed as revoked in the export until then
    store.sweeping.LINKS: 0.0,
    store.sweeping.SIGN_UPS: 3 * DAY_S,  # since they were made; their links last two days
    store.sweeping.CONNECTIONS: 3600.0,
    store.sweeping.OIDC_REQUESTS: 0.0,
    store.sweeping.RATE_LIMITS: 0.0,
    store.sweeping.EXPORTS: 0.0,  # kept for a day before they expire
    store.sweeping.SECURITY_EVENTS: SECURITY_EVENTS_KEPT_DAYS * DAY_S,  # since they happened
}


async def sweep(db: Database) -> None:
    for statement, kept_s in KEPT_S.items():
        await db.alone(statement, kept_s)
    await fail_abandoned(db)
    async with db.transaction() as tx:
        await mail.prune(tx)
