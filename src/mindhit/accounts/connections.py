"""Connecting an extension: it asks, shows a code, and a signed-in person approves.

extension                      server                        web app
POST /connect            ──▶   pending, device code (secret)
opens the page with the code ─────────────────────────────▶  which extension, which code?
                               approved by the person   ◀──  yes
POST /connect/poll       ──▶   tokens, handed out once
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from mindhit.accounts import devices, store
from mindhit.accounts.model import ConnectionNotFound, Origin, TokenPair, UserId
from mindhit.accounts.store.connections import Connection
from mindhit.accounts.tokens import GRACE_S, TokenType, hash_of, new_token
from mindhit.db import ReadTx, Tx
from mindhit.errors import Broken

EXPIRES_S: Final = 600.0
POLL_INTERVAL_S: Final = 2
# Consonants: not mistaken for one another, and they spell no words.
_CODE_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
_CODE_LENGTH: Final = 8
_CODE_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Polled:
    """`pending`, `denied`, `expired`, or `connected` with the tokens."""

    status: str
    tokens: TokenPair | None = None


async def start_connection(tx: Tx, name: str, origin: Origin) -> tuple[str, Connection]:
    """A new request, and the secret with which the extension polls for the answer."""
    device_code, hashed = new_token(TokenType.DEVICE_CODE)
    for _ in range(_CODE_TRIES):
        added = await tx.maybe(
            store.connections.ADD, hashed, make_code(), name, origin.address, EXPIRES_S
        )
        if added is not None:
            return device_code, added
    raise Broken("No unused code was found.")


async def show_connection(tx: ReadTx, code: str) -> Connection:
    """The extension that shows this code."""
    found = await tx.maybe(store.connections.BY_CODE, clean_code(code))
    if found is None:
        raise ConnectionNotFound
    return found


async def decide_connection(tx: Tx, user_id: UserId, code: str, *, approve: bool) -> None:
    status = "approved" if approve else "denied"
    if await tx.maybe(store.connections.DECIDE, clean_code(code), status, user_id) is None:
        raise ConnectionNotFound


async def poll_connection(tx: Tx, device_code: str, origin: Origin) -> Polled:
    """The outcome so far. Tokens are handed out once; again only within `GRACE_S`, to an extension
    that was killed before it stored them, and then the first ones are revoked."""
    hashed = hash_of(device_code, TokenType.DEVICE_CODE)
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
            return Polled("expired")  # revoked in the meantime
    device, pair = await devices.connect_extension(tx, found.user_id, found.name, origin)
    await tx.run(store.connections.CONNECTED, hashed, device.id, GRACE_S, found.user_id)
    return Polled("connected", pair)


def make_code() -> str:
    """A code for people to compare and type: BCDF-GHJK, 34 bits."""
    letters = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def clean_code(typed: str) -> str:
    """A code however it was typed: lower case, without the dash, with spaces."""
    letters = "".join(letter for letter in typed.upper() if letter in _CODE_LETTERS)
    return f"{letters[:4]}-{letters[4:]}" if len(letters) == _CODE_LENGTH else ""
