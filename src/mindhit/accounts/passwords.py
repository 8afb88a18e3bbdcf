"""Passwords: argon2id, away from the event loop, in a time that tells nothing.

Hashing takes a tenth of a second and 64 MB, on purpose; so it runs in threads of its own, of which
there are few: a flood of sign-ins waits in line and does not eat the machine's memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pwdlib.hashers.argon2 import Argon2Hasher

from mindhit.accounts.model import BadPassword

Value = TypeVar("Value")

SHORTEST = 10
LONGEST = 200
THREADS = 2
MEMORY_MB = 64
ROUNDS = 3
LANES = 4  # argon2's own parallelism


def check(password: str, email: str = "") -> None:
    """Refuse what is guessed first. Length counts, not the sorts of characters (NIST 800-63B)."""
    if len(password) < SHORTEST:
        raise BadPassword(f"A password has at least {SHORTEST} characters.")
    if len(password) > LONGEST:
        raise BadPassword(f"A password has at most {LONGEST} characters.")
    if len(set(password)) < 4:
        raise BadPassword("A password has at least four different characters.")
    if email and password.casefold() in {email.casefold(), email.partition("@")[0].casefold()}:
        raise BadPassword("A password is not one's own address.")


class Hasher:
    """Makes and checks hashes. One per process."""

    def __init__(self, *, memory_mb: int = MEMORY_MB, rounds: int = ROUNDS) -> None:
        self._argon2 = Argon2Hasher(
            time_cost=rounds, memory_cost=memory_mb * 1024, parallelism=LANES
        )
        # Costs as much to compare with as a real one, and no password is known to fit.
        self._nobodys = (
            f"$argon2id$v=19$m={memory_mb * 1024},t={rounds},p={LANES}${'A' * 22}${'A' * 43}"
        )
        self._threads = ThreadPoolExecutor(THREADS, "passwords")

    async def hash(self, password: str) -> str:
        return await self._away(lambda: self._argon2.hash(password))

    async def verify(self, password: str, known: str | None) -> bool:
        """Is it the password of this hash? Takes as long where there is no hash to compare with."""
        return await self._away(lambda: self._verify(password, known))

    def is_outdated(self, known: str) -> bool:
        """Was it made with other parameters than today's?"""
        return self._argon2.check_needs_rehash(known)

    def _verify(self, password: str, known: str | None) -> bool:
        is_right = known is not None and self._argon2.verify(password, known)
        if known is None or self.is_outdated(known):
            # An old hash costs what hashes cost then; nobody's costs what they cost today.
            self._argon2.verify(password, self._nobodys)
        return is_right

    async def _away(self, what: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._threads, what)
