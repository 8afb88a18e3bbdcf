"""Trying a person's own provider: one tiny call, in a process of its own.

The API answers this, and must not load the providers' libraries for it. The child reads the provider
with its key from standard input, so neither is in any process list.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import msgspec

from mindhit.db import Database
from mindhit.errors import TooMany
from mindhit.language import outputs, prompts
from mindhit.language.asking import Asker
from mindhit.language.providers import own
from mindhit.language.providers.model import (
    Answer,
    ModelFailed,
    OwnProviderNotFound,
    Provider,
    Question,
    Reader,
    Reason,
)
from mindhit.language.settings import LanguageSettings
from mindhit.process_pool.child import without_secrets
from mindhit.settings import Settings

AT_ONCE: Final = 2
LONGEST_S: Final = 45.0  # of the call; loading the libraries comes on top
LOADING_S: Final = 30.0
MOST: Final = 500  # tokens; models that think need some


@dataclass(frozen=True, slots=True)
class Tested:
    """`error` is a reason of `ModelFailed`, if it does not work."""

    ok: bool
    model: str
    error: str | None


class Asked(msgspec.Struct):
    """What the child process is told."""

    provider: Provider
    question: Question
    timeout_s: float
    most: int


class Answered(msgspec.Struct):
    """What it says: an answer, or a reason."""

    answer: Answer | None = None
    reason: str | None = None


class ProviderTester:
    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def test_own(self, db: Database, settings: Settings, user_id: UUID) -> Tested:
        """Raises `OwnProviderNotFound`, `KeyUnreadable`, or `TooMany` if others are being tested."""
        if self._slots.locked():
            raise TooMany(5)
        async with self._slots:
            async with db.read() as tx:
                # In this order: one that replaces it in between is not taken for the tested one.
                shown = await own.show_own(tx, user_id)
                provider = await own.load_own(tx, settings, user_id)
            if shown is None or provider is None:
                raise OwnProviderNotFound
            asker = Asker(db, settings[LanguageSettings], caller=call_apart)
            try:
                answer = await asker.ask_once(provider, prompts.ask("test", "."), Reader(user_id))
                _check(answer)
            except ModelFailed as failed:
                return Tested(ok=False, model=provider.model, error=str(failed.reason))
            async with db.transaction() as tx:
                await own.note_tested(tx, user_id, shown.updated_at)
            return Tested(ok=True, model=provider.model, error=None)


def _check(answer: Answer) -> None:
    if answer.is_refusal:
        raise ModelFailed(Reason.REFUSED)
    try:
        outputs.read(answer.text, outputs.TestOut)
    except outputs.OutputInvalid:
        raise ModelFailed(Reason.INVALID) from None


async def call_apart(
    provider: Provider, question: Question, *, timeout_s: float, most: int
) -> Answer:
    """`calling.call` in a child process."""
    timeout_s, most = min(timeout_s, LONGEST_S), min(most, MOST)
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "mindhit.language.providers.child"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,  # libraries may quote what they sent
        env=without_secrets(),
    )
    told = msgspec.json.encode(Asked(provider, question, timeout_s, most))
    try:
        async with asyncio.timeout(timeout_s + LOADING_S):
            said, _ = await child.communicate(told)
        answered = msgspec.json.decode(said, type=Answered)
    except TimeoutError:
        raise ModelFailed(Reason.TIMED_OUT) from None
    except msgspec.MsgspecError:  # it died
        raise ModelFailed(Reason.UNREADABLE) from None
    finally:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    if answered.answer is None:
        raise ModelFailed(Reason(answered.reason or Reason.UNREADABLE))
    return answered.answer
