"""Tokens: what they look like, how long they last, and how an extension's are rotated.

    mh_at_Qz…8f3a1c    type, 32 random bytes, a checksum

The prefix tells a person (and a scanner for leaked secrets) what they have found; the checksum
tells a mistyped token from a revoked one without asking the database. Only SHA-256 is stored: 256
random bits need no slow hash.

An extension holds an access token for an hour and a refresh token for 90 days, and replaces both
at each refresh. Every refresh is a new generation of the device:

    token of the current generation               → the next generation
    of the previous one, within 30 s of a refresh → the current generation again (the answer was
      or while the current one is unused            lost: service workers are killed at any moment,
                                                    and laptops closed)
    anything older                                → somebody has a copy: the device is revoked

When two parties hold copies, the second one to refresh is detected, and both are signed out.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from enum import StrEnum
from typing import Final

from mindhit.accounts import audit, store
from mindhit.accounts.model import DeviceId, Event, Origin, TokenPair, UserId
from mindhit.db import Tx

DAY_S: Final = 86_400.0
BROWSER_S: Final = 30 * DAY_S  # a browser's cookie; counted from its last visit
ACCESS_S: Final = 3600
REFRESH_S: Final = 90 * DAY_S
GRACE_S: Final = 30.0  # for a client that lost the answer with its new tokens


class TokenType(StrEnum):
    WEB = "mh_web_"
    ACCESS = "mh_at_"
    REFRESH = "mh_rt_"
    API = "mh_api_"
    DEVICE_CODE = "mh_dc_"
    LINK = "mh_link_"


def new_token(type_: TokenType) -> tuple[str, bytes]:
    """A new token and its hash."""
    body = secrets.token_urlsafe(32)
    token = f"{type_}{body}{_checksum(type_ + body)}"
    return token, hashlib.sha256(token.encode()).digest()


def hash_of(token: str, *types: TokenType) -> bytes | None:
    """The hash that the database knows; None if this can't be a token of one of these types."""
    if not token.isascii() or not any(token.startswith(each) for each in types):
        return None
    if not secrets.compare_digest(token[-8:], _checksum(token[:-8])):
        return None
    return hashlib.sha256(token.encode()).digest()


async def issue_pair(tx: Tx, user_id: UserId, device_id: DeviceId, generation: int) -> TokenPair:
    access, access_hash = new_token(TokenType.ACCESS)
    refresh_token, refresh_hash = new_token(TokenType.REFRESH)
    add, owner = store.devices.ADD_TOKEN, (device_id, user_id)
    await tx.run(add, access_hash, *owner, "access", generation, float(ACCESS_S))
    await tx.run(add, refresh_hash, *owner, "refresh", generation, REFRESH_S)
    return TokenPair(access, refresh_token, ACCESS_S)


async def refresh(tx: Tx, token: str, origin: Origin) -> TokenPair | None:
    """A device's next tokens, or None if it has to connect again. Commit in both cases: the use of
    a stolen token revokes the device in this transaction."""
    hashed = hash_of(token, TokenType.REFRESH)
    found = await tx.maybe(store.devices.REFRESHABLE, hashed, GRACE_S)
    if found is None or not found.is_live:
        return None
    is_current = found.generation == found.device_generation
    is_previous = found.generation == found.device_generation - 1
    is_repeat = is_previous and (found.is_moments_ago or found.is_unused)
    if not is_current and not is_repeat:
        await tx.run(store.devices.REVOKE, found.user_id, found.device_id)
        await audit.note(tx, Event.TOKEN_REUSED, found.user_id, origin, found.name)
        return None
    generation = found.generation + 1
    await tx.run(
        store.devices.ROTATE,
        found.device_id,
        found.user_id,
        generation,
        origin.address,
        REFRESH_S,
    )
    return await issue_pair(tx, found.user_id, found.device_id, generation)


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
