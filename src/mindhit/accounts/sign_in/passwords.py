"""Passwords: which ones are accepted, and hashing with argon2id in constant time.

Hashing takes a tenth of a second and 64 MB on purpose, so it runs in a few threads of its own: a
flood of sign-ins waits in line and doesn't use up the machine's memory.
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
FEWEST_DIFFERENT = 4
THREADS = 2
MEMORY_MB = 64
ROUNDS = 3
LANES = 4  # argon2's own parallelism


def check(password: str, email: str = "") -> None:
    """Refuse what is guessed first. Length counts, not the mix of characters (NIST 800-63B)."""
    if len(password) < SHORTEST:
        raise BadPassword(f"Use at least {SHORTEST} characters.")
    if len(password) > LONGEST:
        raise BadPassword(f"Use at most {LONGEST} characters.")
    if len(set(password)) < FEWEST_DIFFERENT:
        raise BadPassword(f"Use at least {FEWEST_DIFFERENT} different characters.")
    if email and password.casefold() in {email.casefold(), email.partition("@")[0].casefold()}:
        raise BadPassword("Your password can't be your email address.")


class Hasher:
    """Makes and checks hashes. One per process."""

    def __init__(self, *, memory_mb: int = MEMORY_MB, rounds: int = ROUNDS) -> None:
        self._argon2 = Argon2Hasher(
            time_cost=rounds, memory_cost=memory_mb * 1024, parallelism=LANES
        )
        # As expensive to compare with as a real hash; no known password matches it.
        self._dummy = (
            f"$argon2id$v=19$m={memory_mb * 1024},t={rounds},p={LANES}${'A' * 22}${'A' * 43}"
        )
        self._threads = ThreadPoolExecutor(THREADS, "passwords")

    async def hash(self, password: str) -> str:
        return await self._in_thread(lambda: self._argon2.hash(password))

    async def verify(self, password: str, known: str | None) -> bool:
        """Whether it is the password of this hash. Takes as long where there is no hash."""
        return await self._in_thread(lambda: self._verify(password, known))

    def is_outdated(self, known: str) -> bool:
        """Whether it was made with other parameters than the current ones."""
        return self._argon2.check_needs_rehash(known)

    def _verify(self, password: str, known: str | None) -> bool:
        is_right = known is not None and self._argon2.verify(password, known)
        if known is None or self.is_outdated(known):
            # An outdated hash costs what it did then; the dummy costs what hashes cost now.
            self._argon2.verify(password, self._dummy)
        return is_right

    async def _in_thread(self, what: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._threads, what)
