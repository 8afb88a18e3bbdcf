"""Security events (sign-ins, passwords, tokens): for the person to read, and for the log."""

from __future__ import annotations

from mindhit import log
from mindhit.accounts import store
from mindhit.accounts.model import Event, Origin, SecurityEvent, UserId
from mindhit.db import ReadTx, Tx

_log = log.get(__name__)
NEWEST = 2**63 - 1


async def note(
    tx: Tx, event: Event, user_id: UserId | None, origin: Origin, device: str | None = None
) -> None:
    """Record an event. `user_id` is None if nobody has the address: the same work is done, so that
    its time reveals nothing."""
    await tx.run(store.audit.ADD, user_id, event, origin.address, device or origin.device)
    _log.info("security event", security_event=event.value, known=user_id is not None)


async def list_events(
    tx: ReadTx, user_id: UserId, *, behind: int = NEWEST, limit: int = 50
) -> list[SecurityEvent]:
    return await tx.all(store.audit.LIST, user_id, behind, limit)
