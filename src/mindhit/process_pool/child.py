"""One process that answers messages, and is killed when it takes too long.

A message is its length in four bytes and as many bytes; what they mean is up to the two sides. Nothing
that a process answers is ever run or unpickled: one that reads other people's pages may have been
taken over by one of them.
"""

from __future__ import annotations

import asyncio
import os
import struct
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from typing import Final

from mindhit.errors import Upstream

LENGTH: Final = struct.Struct(">I")
LARGEST_ANSWER: Final = 64 * 2**20


class TookTooLong(Upstream):
    """The work took too long and was stopped."""


class ProcessDied(Upstream):
    """The process that did the work ended unexpectedly."""


class Child:
    """A fresh Python interpreter that runs `module`: nothing is forked, no main module is imported
    again. It ends with its pipe, so that none outlives the program, even one that is killed."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, module: str, *arguments: str, **environment: str) -> Child:
        """Raises `ProcessDied` where there is no memory for it, or no more processes."""
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", module, *arguments),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,  # libraries quote what they read
                env=without_secrets() | environment,
                # A group of its own: Ctrl-C is for the process that started it, which ends this one.
                start_new_session=True,
            )
        except OSError:
            raise ProcessDied from None
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.returncode is None

    async def ask(self, message: bytes, timeout_s: float) -> bytes:
        """Its answer. Raises `TookTooLong` or `ProcessDied`; then, and when cancelled, it is gone:
        an answer that comes later would be taken for the next one's."""
        try:
            # Not wait_for: in Python 3.11 it loses a cancellation that comes as its task is done.
            async with asyncio.timeout(timeout_s):
                return await self._exchange(message)
        except TimeoutError:
            await self.kill()
            raise TookTooLong from None
        except (OSError, EOFError, ValueError):
            await self.kill()
            raise ProcessDied from None
        except BaseException:
            await self.kill()
            raise

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        await asyncio.shield(self._process.wait())
        self.retire()

    def retire(self) -> None:
        """Let it end by itself: it does, with its pipe."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def _exchange(self, message: bytes) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(LENGTH.pack(len(message)) + message)
        await self._process.stdin.drain()
        (length,) = LENGTH.unpack(await self._process.stdout.readexactly(LENGTH.size))
        if length > LARGEST_ANSWER:
            raise ValueError("larger than any answer")
        return await self._process.stdout.readexactly(length)


def without_secrets() -> dict[str, str]:
    """The environment without our own settings: a page's parser has no business with secrets."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MINDHIT_")}
