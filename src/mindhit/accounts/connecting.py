"""Letting an extension in: it asks, shows a code, and a person who is signed in says yes.

extension                      server                        web app
POST /connect            ──▶   pending, device code (secret)
opens the page with the code ─────────────────────────────▶  who asks, which code?
                               approved by the person   ◀──  yes
POST /connect/poll       ──▶   tokens, handed out once
"""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.accounts import devices, store
from mindhit.accounts.model import ConnectionNotFound, Origin, TokenPair, UserId
from mindhit.accounts.store.connections import Connection
from mindhit.accounts.tokens import Sort, clean_code, fresh, hash_of, make_code
from mindhit.db import ReadTx, Tx
from mindhit.errors import Broken

EXPIRES_S = 600.0
INTERVAL_S = 2
TRIES = 5


@dataclass(frozen=True, slots=True)
class Polled:
    """`pending`, `denied`, `expired`, or `connected` with the tokens."""

    status: str
    tokens: TokenPair | None = None


async def ask(tx: Tx, name: str, origin: Origin) -> tuple[str, Connection]:
    """A new request to be let in, and the secret with which its answer is fetched."""
    device_code, hashed = fresh(Sort.DEVICE_CODE)
    for _ in range(TRIES):
        added = await tx.maybe(
            store.connections.ADD, hashed, make_code(), name, origin.address, EXPIRES_S
        )
        if added is not None:
            return device_code, added
    raise Broken("no free code was found")


async def look(tx: ReadTx, code: str) -> Connection:
    """Who asks under this code."""
    found = await tx.maybe(store.connections.BY_CODE, clean_code(code))
    if found is None:
        raise ConnectionNotFound
    return found


async def decide(tx: Tx, user_id: UserId, code: str, *, approve: bool) -> None:
    status = "approved" if approve else "denied"
    if await tx.maybe(store.connections.DECIDE, clean_code(code), status, user_id) is None:
        raise ConnectionNotFound


async def poll(tx: Tx, device_code: str, origin: Origin) -> Polled:
    """What has become of a request. The tokens are handed out once; again only within moments, to
    an extension that was killed before it could keep them, and then the first ones are void."""
    hashed = hash_of(device_code, Sort.DEVICE_CODE)
    found = await tx.maybe(store.connections.POLL, hashed)
    if found is None or found.is_over:
        return Polled("expired")
    if found.user_id is None:
        return Polled("pending")
    if found.status == "denied":
        return Polled("denied")
    if found.status == "connected":
        gone = found.device_id is None
        if gone or await tx.maybe(store.devices.REVOKE, found.user_id, found.device_id) is None:
            return Polled("expired")  # its person has revoked it in the meantime
    device, pair = await devices.connect_extension(tx, found.user_id, found.name, origin)
    await tx.run(store.connections.CONNECTED, hashed, device.id, devices.MOMENTS_S, found.user_id)
    return Polled("connected", pair)
