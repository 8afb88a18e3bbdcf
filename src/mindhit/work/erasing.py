"""Erasing a person: deletes every job that mentions them, in whatever state."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from mindhit.db import Tx
from mindhit.work.store.erasing import ERASE, ERASE_KEYS, LOCK_JOBS_OF_PERSON, LOCK_KEYS


async def erase(tx: Tx, user_id: UUID, email: str) -> None:
    await erase_jobs(tx, [str(user_id), email.lower(), email.casefold()])


async def erase_jobs(tx: Tx, words: Sequence[str]) -> None:
    """Delete every job of which the key or an argument is one of these words, in lower case."""
    if words:
        await tx.run(LOCK_JOBS_OF_PERSON, words)
        await tx.run(ERASE, words)


async def erase_keys(tx: Tx, keys: Sequence[str]) -> None:
    """Delete every job with one of these keys, of any kind and in whatever state."""
    if keys:
        await tx.run(LOCK_KEYS, keys)
        await tx.run(ERASE_KEYS, keys)
