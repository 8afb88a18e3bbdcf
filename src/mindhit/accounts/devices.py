"""Where a person is signed in: made, recognised, refreshed, revoked.

An extension holds an access token for an hour and a refresh token for 90 days, and changes both at
each refresh. Every change is a generation of the device:

    token of the present generation            → the next generation
    of the one before, within 30 s of a change → once more the present one (the answer was lost:
      or until a present one was used            service workers are killed at any moment, and
                                                 laptops closed)
    any older                                  → somebody holds a copy: the device is revoked

Of two who hold copies, whoever comes second is found out, and both are out.
"""

from __future__ import annotations

from datetime import datetime
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
    TokenPair,
    UserId,
)
from mindhit.accounts.tokens import Sort, fresh, hash_of
from mindhit.db import Database, ReadTx, Tx

DAY_S = 86_400.0
WEB_S = 30 * DAY_S
ACCESS_S = 3600
REFRESH_S = 90 * DAY_S
MOMENTS_S = 30.0


async def open_browser(tx: Tx, user_id: UserId, origin: Origin) -> tuple[Device, str]:
    """A new browser, and its cookie's value. Never one that the browser brought along."""
    token, hashed = fresh(Sort.WEB)
    device = await _add(tx, user_id, DeviceKind.WEB, origin.device, [Scope.WEB], WEB_S, origin)
    await tx.run(store.devices.ADD_TOKEN, hashed, device.id, user_id, "access", 0, None)
    await audit.note(tx, Event.SIGNED_IN, user_id, origin)
    return device, token


async def connect_extension(
    tx: Tx, user_id: UserId, name: str, origin: Origin
) -> tuple[Device, TokenPair]:
    scopes = [Scope.EXTENSION]
    device = await _add(tx, user_id, DeviceKind.EXTENSION, name, scopes, REFRESH_S, origin)
    await audit.note(tx, Event.DEVICE_CONNECTED, user_id, origin, name)
    return device, await _pair(tx, user_id, device.id, 0)


async def make_token(
    tx: Tx,
    user_id: UserId,
    name: str,
    scopes: list[Scope],
    expires_in_s: float | None,
    origin: Origin,
) -> tuple[Device, str]:
    """A token for a program. It is in the answer and nowhere else."""
    token, hashed = fresh(Sort.API)
    device = await _add(tx, user_id, DeviceKind.API, name, scopes, expires_in_s, origin)
    await tx.run(store.devices.ADD_TOKEN, hashed, device.id, user_id, "access", 0, None)
    await audit.note(tx, Event.TOKEN_MADE, user_id, origin, name)
    return device, token


async def caller_of(db: Database, token: str, *sorts: Sort) -> Caller | None:
    """Who holds this token, now. Asked with every request: what was revoked is out at once."""
    hashed = hash_of(token, *sorts)
    if hashed is None:
        return None
    found = await db.alone(store.devices.CALLER, hashed)
    return found[0] if found else None


async def seen(db: Database, caller: Caller, origin: Origin) -> None:
    """Write down that a device is in use; every five minutes is often enough."""
    if caller.is_stale:
        await db.alone(store.devices.SEEN, caller.device_id, caller.user_id, origin.address, WEB_S)


async def refresh(tx: Tx, token: str, origin: Origin) -> TokenPair | None:
    """The next tokens of a device, or None where it has to be connected anew. To be committed
    either way: a stolen token's use revokes the device in the same transaction."""
    hashed = hash_of(token, Sort.REFRESH)
    found = await tx.maybe(store.devices.REFRESHABLE, hashed, MOMENTS_S)
    if found is None or not found.is_live:
        return None
    is_present = found.generation == found.device_generation
    is_before = found.generation == found.device_generation - 1
    is_repeat = is_before and (found.is_moments_ago or found.is_unused)
    if not is_present and not is_repeat:
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
    return await _pair(tx, found.user_id, found.device_id, generation)


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
    """Everybody's: for whoever looks after the server."""
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


async def shut_out(tx: Tx, user_id: UserId, *, but: DeviceId | None = None) -> None:
    """Whoever got in with the old keys is out, and whatever they had under way comes to nothing:
    every link, and every extension that waits at the door. `but` spares one browser, and with it
    the person's extensions and programs."""
    if but is None:
        await tx.run(store.devices.REVOKE_ALL, user_id)
    else:
        await tx.run(store.devices.REVOKE_OTHER_BROWSERS, user_id, but)
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


async def _pair(tx: Tx, user_id: UserId, device_id: DeviceId, generation: int) -> TokenPair:
    access, access_hash = fresh(Sort.ACCESS)
    refresh_, refresh_hash = fresh(Sort.REFRESH)
    place = (device_id, user_id)
    add = store.devices.ADD_TOKEN
    await tx.run(add, access_hash, *place, "access", generation, float(ACCESS_S))
    await tx.run(add, refresh_hash, *place, "refresh", generation, REFRESH_S)
    return TokenPair(access, refresh_, ACCESS_S)
