"""Where a person is signed in: browsers, extensions and programs. Added, recognised, revoked.

How long their tokens last and how they are rotated: `tokens.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.accounts import audit, store
from mindhit.accounts.model import (
    Caller,
    Device,
    DeviceId,
    DeviceKind,
    DeviceNotFound,
    Event,
    Extension,
    Origin,
    Scope,
    TokenLimit,
    TokenPair,
    UserId,
)
from mindhit.accounts.tokens import (
    BROWSER_S,
    REFRESH_S,
    TokenType,
    hash_of,
    issue_pair,
    new_token,
)
from mindhit.db import Database, ReadTx, Tx

SEEN_EVERY_S: Final = 300.0  # how often the last use of a device is written down


async def open_browser(tx: Tx, user_id: UserId, origin: Origin) -> tuple[Device, str]:
    """A new browser and the value of its cookie; never a value that the browser sent."""
    token, hashed = new_token(TokenType.WEB)
    device = await _add(tx, user_id, DeviceKind.WEB, origin.device, [Scope.WEB], BROWSER_S, origin)
    await tx.run(store.devices.ADD_TOKEN, hashed, device.id, user_id, "access", 0, None)
    await audit.note(tx, Event.SIGNED_IN, user_id, origin)
    return device, token


async def connect_extension(
    tx: Tx, user_id: UserId, name: str, origin: Origin
) -> tuple[Device, TokenPair]:
    scopes = [Scope.EXTENSION]
    device = await _add(tx, user_id, DeviceKind.EXTENSION, name, scopes, REFRESH_S, origin)
    await audit.note(tx, Event.DEVICE_CONNECTED, user_id, origin, name)
    return device, await issue_pair(tx, user_id, device.id, 0)


async def make_token(
    tx: Tx,
    user_id: UserId,
    name: str,
    scopes: list[Scope],
    expires_in_s: float | None,
    origin: Origin,
    *,
    most: int = 0,
) -> tuple[Device, str]:
    """A token for a program. It is in the answer and nowhere else. Raises `TokenLimit` where the person has
    `most` already; 0 is no limit."""
    if most and await tx.one(store.devices.COUNT, user_id, DeviceKind.API) >= most:
        raise TokenLimit
    token, hashed = new_token(TokenType.API)
    device = await _add(tx, user_id, DeviceKind.API, name, scopes, expires_in_s, origin)
    await tx.run(store.devices.ADD_TOKEN, hashed, device.id, user_id, "access", 0, None)
    await audit.note(tx, Event.TOKEN_MADE, user_id, origin, name)
    return device, token


async def caller_of(db: Database, token: str, *types: TokenType) -> Caller | None:
    """Who holds this token. Looked up with every request, so that revoking takes effect at once."""
    hashed = hash_of(token, *types)
    if hashed is None:
        return None
    found = await db.alone(store.devices.CALLER, hashed, SEEN_EVERY_S)
    return found[0] if found else None


async def note_seen(db: Database, caller: Caller, origin: Origin) -> None:
    """Write down that a device is in use, every `SEEN_EVERY_S` at most."""
    if caller.is_stale:
        await db.alone(
            store.devices.SEEN, caller.device_id, caller.user_id, origin.address, BROWSER_S
        )


async def list_devices(
    tx: ReadTx,
    user_id: UserId,
    *,
    after: tuple[datetime, UUID] | None = None,
    limit: int | None = None,
) -> list[Device]:
    """Oldest first, from behind the key of the last one of the previous page; all without a limit."""
    return await tx.all(store.devices.LIST, user_id, *(after or (None, None)), limit)


async def list_extensions(tx: ReadTx) -> list[Extension]:
    """Everybody's, for the owner of the server."""
    return await tx.all(store.devices.EXTENSIONS)


async def show_device(tx: ReadTx, user_id: UserId, device_id: DeviceId) -> Device:
    device = await tx.maybe(store.devices.BY_ID, user_id, device_id)
    if device is None:
        raise DeviceNotFound
    return device


async def revoke(tx: Tx, user_id: UserId, device_id: DeviceId, origin: Origin) -> None:
    name = await tx.maybe(store.devices.REVOKE, user_id, device_id)
    if name is None:
        raise DeviceNotFound
    await audit.note(tx, Event.DEVICE_REVOKED, user_id, origin, name)


async def sign_out_everywhere(tx: Tx, user_id: UserId, *, keep: DeviceId | None = None) -> None:
    """Revoke every device, and cancel pending links and connections: somebody else may have
    started them. With `keep`, only other browsers are signed out: that browser, extensions and
    programs stay."""
    if keep is None:
        await tx.run(store.devices.REVOKE_ALL, user_id)
    else:
        await tx.run(store.devices.REVOKE_OTHER_BROWSERS, user_id, keep)
    await tx.run(store.links.DROP_ALL, user_id)
    await tx.run(store.connections.DROP, user_id)


async def sign_out(tx: Tx, caller: Caller, origin: Origin) -> None:
    if await tx.maybe(store.devices.REVOKE, caller.user_id, caller.device_id) is not None:
        await audit.note(tx, Event.SIGNED_OUT, caller.user_id, origin)


async def _add(
    tx: Tx,
    user_id: UserId,
    kind: DeviceKind,
    name: str,
    scopes: list[Scope],
    expires_in_s: float | None,
    origin: Origin,
) -> Device:
    return await tx.one(
        store.devices.ADD, user_id, kind, name, scopes, expires_in_s, origin.address
    )
