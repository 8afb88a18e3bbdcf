"""Asking a model and paying for it: once, whatever is killed.

    find a stored answer ──none──▶ reserve ──▶ call ──▶ record the tokens and store the answer
            │                        ▲          │              in one transaction
            └──────▶ check ◀─────────┼──retry───┘
                       └──unusable: ask again, once

A process that is killed before that transaction leaves a reservation, which counts as used at its
upper bound once nobody can be waiting for the answer. One that is killed after it finds the answer
again, and pays nothing. Who asks what is being asked at that moment, in whichever process, waits for that
answer: the row it will be stored in is written together with the reservation.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec

from mindhit import billing, clock, log
from mindhit.billing import Allowances, Call, InTheWay, Reservation, allowance
from mindhit.db import NOT_NOW, ConstraintBroken, Database, Tx
from mindhit.language import store
from mindhit.language.limits import (
    ASKING_SLACK_S,
    FRAMING_TOKENS,
    PATIENCE_S,
    RESERVATION_SLACK_S,
)
from mindhit.language.outputs import OutputInvalid
from mindhit.language.providers import retries
from mindhit.language.providers.calling import call
from mindhit.language.providers.model import (
    UNKNOWN_COST,
    Answer,
    ModelFailed,
    Provider,
    Question,
    Reader,
    Reason,
)
from mindhit.language.settings import LanguageSettings

ASK_AGAIN_S: Final = (
    0.25  # for tokens that other calls hold, and for an answer that others wait for
)
RECORD_ATTEMPTS: Final = 5  # an answer that is read is paid for: a short absence must not lose it
QUOTED_CHARACTERS: Final = 4000  # of an unusable answer, when it is asked again
Result = TypeVar("Result")
Sleep = Callable[[float], Awaitable[None]]
_log = log.get(__name__)


class Caller(Protocol):
    async def __call__(
        self, provider: Provider, question: Question, *, timeout_s: float, most: int
    ) -> Answer: ...


class StoredAnswer(msgspec.Struct):
    text: str
    is_refusal: bool = False


class AskedElsewhere(NamedTuple):
    """Somebody else is asking the same."""


class Begun(NamedTuple):
    """What was reserved, and for an answer that will be stored, the row that says we are at it."""

    reservation: Reservation
    key: bytes | None = None
    asked_until: datetime | None = None


class Asker:
    """Asks models for one process: at most `language_calls` at once."""

    def __init__(
        self,
        db: Database,
        settings: LanguageSettings,
        *,
        allowances: Allowances = allowance,
        caller: Caller = call,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._db = db
        self._timeout_s = settings.language_timeout
        self._most = settings.language_output
        self._slots = asyncio.Semaphore(settings.language_calls)
        self._allowances = allowances
        self._caller = caller
        self._sleep = sleep

    async def ask(
        self,
        provider: Provider,
        question: Question,
        reader: Reader,
        check: Callable[[str], Result],
    ) -> Result:
        """A checked answer. Raises `ModelFailed`."""
        first = await self._paid_answer(provider, question, reader)
        try:
            return check(first.text)
        except OutputInvalid as wrong:
            _log.info("a model's answer can't be used", model=provider.model, wrong=str(wrong))
            complaint = f"This answer can't be used: {wrong}. Answer again, with the JSON only."
            again = replace(question, earlier=(first.text[:QUOTED_CHARACTERS], complaint))
        second = await self._paid_answer(provider, again, reader)
        try:
            return check(second.text)
        except OutputInvalid:
            raise ModelFailed(Reason.INVALID) from None

    async def ask_once(self, provider: Provider, question: Question, reader: Reader) -> Answer:
        """One attempt that is paid for and not stored, to see whether a provider works."""
        answered = await self._attempt(provider, question, reader, None)
        assert not isinstance(answered, StoredAnswer)
        begun, answer = answered
        await self._record(begun, answer)
        return answer

    async def _paid_answer(
        self, provider: Provider, question: Question, reader: Reader
    ) -> StoredAnswer:
        key = answer_key(provider, question, reader)
        async with self._db.read() as tx:
            known = await tx.maybe(store.FIND_ANSWER, key, reader.user_id)
        if known is not None and known.answer is not None:
            stored = msgspec.json.decode(known.answer, type=StoredAnswer)
        else:
            stored = await self._ask_until_answered(provider, question, reader, key)
        if stored.is_refusal:
            raise ModelFailed(Reason.REFUSED)
        return stored

    async def _ask_until_answered(
        self, provider: Provider, question: Question, reader: Reader, key: bytes
    ) -> StoredAnswer:
        attempt = 1
        while True:
            try:
                answered = await self._attempt(provider, question, reader, key)
            except ModelFailed as failed:
                wait_s = retries.wait_s(failed, attempt)
                _log.info(
                    "a model's call failed", model=provider.model, attempt=attempt, **failed.facts
                )
                if wait_s is None:
                    raise
                await self._sleep(wait_s)
                attempt += 1
                continue
            if isinstance(answered, StoredAnswer):
                return answered
            return await self._record(*answered)

    async def _attempt(
        self, provider: Provider, question: Question, reader: Reader, key: bytes | None
    ) -> StoredAnswer | tuple[Begun, Answer]:
        """Reserve and call. While only other calls hold what is left of the tokens, or somebody else
        asks the same, wait for them, without a slot."""
        waited_s = 0.0
        while True:
            async with self._slots:
                begun = await self._begin(provider, question, reader, key)
                if isinstance(begun, Begun):
                    return begun, await self._call(provider, question, begun)
            if isinstance(begun, StoredAnswer):
                return begun
            if begun is InTheWay.TOO_LARGE:
                raise ModelFailed(Reason.TOO_LARGE_FOR_PLAN)
            if begun is InTheWay.USED_UP or waited_s >= PATIENCE_S:
                raise ModelFailed(Reason.TOKENS_USED_UP)
            await self._sleep(ASK_AGAIN_S)
            waited_s += ASK_AGAIN_S if isinstance(begun, InTheWay) else 0.0

    async def _begin(
        self, provider: Provider, question: Question, reader: Reader, key: bytes | None
    ) -> Begun | StoredAnswer | AskedElsewhere | InTheWay:
        wanted = self._wanted(provider, question, reader)
        async with self._db.transaction() as tx:
            asked_until = None
            if key is not None:
                lasts_s = self._timeout_s + ASKING_SLACK_S
                asked_until = await tx.maybe(store.BEGIN_ASKING, key, reader.user_id, lasts_s)
            if key is not None and asked_until is None:
                known = await tx.maybe(store.FIND_ANSWER, key, reader.user_id)
                if known is not None and known.answer is not None:
                    return msgspec.json.decode(known.answer, type=StoredAnswer)
                if known is not None:
                    return AskedElsewhere()
                # Nothing is stored for a person who left.
            reserved = await billing.reserve(tx, wanted, clock.utc_now(), self._allowances)
            if isinstance(reserved, Reservation):
                return Begun(reserved, key, asked_until)
            await _stop_asking(tx, reader, key, asked_until)
            return reserved

    def _wanted(self, provider: Provider, question: Question, reader: Reader) -> Call:
        return Call(
            user_id=reader.user_id,
            session_id=reader.session_id,
            operation=question.operation,
            provider=provider.kind,
            ai_model=provider.model,
            payer=provider.payer,
            at_most=question.bytes + FRAMING_TOKENS + self._most,
            lasts_s=self._timeout_s + RESERVATION_SLACK_S,
        )

    async def _call(self, provider: Provider, question: Question, begun: Begun) -> Answer:
        """What a failure costs is settled here; if we are cancelled, the sweep does it."""
        try:
            return await self._caller(
                provider, question, timeout_s=self._timeout_s, most=self._most
            )
        except asyncio.CancelledError:
            if begun.asked_until is not None:
                await asyncio.shield(self._let_others_ask(begun))
            raise
        except ModelFailed as failed:
            async with self._db.transaction() as tx:
                if failed.reason in UNKNOWN_COST:
                    await billing.lose(tx, begun.reservation, self._allowances)
                else:
                    await billing.release(tx, begun.reservation)
                await _stop_asking(tx, begun.reservation, begun.key, begun.asked_until)
            raise

    async def _let_others_ask(self, begun: Begun) -> None:
        with suppress(*NOT_NOW):  # or after the time it was to take
            async with self._db.transaction() as tx:
                await _stop_asking(tx, begun.reservation, begun.key, begun.asked_until)

    async def _record(self, begun: Begun, answer: Answer) -> StoredAnswer:
        """The tokens and the answer, together. Tried again while the database is away."""
        reservation, key, _ = begun
        stored = StoredAnswer(answer.text, answer.is_refusal)
        for left in reversed(range(RECORD_ATTEMPTS)):
            try:
                async with self._db.transaction() as tx:
                    if answer.tokens is None:  # the provider did not say
                        await billing.lose(tx, reservation, self._allowances)
                    else:
                        await billing.record(
                            tx,
                            reservation,
                            answer.tokens,
                            answer.request_id,
                            self._allowances,
                        )
                    if key is not None:
                        text = msgspec.json.encode(stored).decode()
                        await tx.run(store.KEEP_ANSWER, key, reservation.user_id, text)
                return stored
            except (*NOT_NOW, ConstraintBroken):  # or the same answer, recorded at the same moment
                if not left:
                    raise
                await self._sleep(1.0)
        raise AssertionError("the last attempt returns or raises")


async def _stop_asking(
    tx: Tx, who: Reader | Reservation, key: bytes | None, asked_until: datetime | None
) -> None:
    """The next may ask at once."""
    if asked_until is not None:
        await tx.run(store.STOP_ASKING, key, who.user_id, asked_until)


def answer_key(provider: Provider, question: Question, reader: Reader) -> bytes:
    """What an answer is stored under: who pays, what is asked of which model, and about what; for what is
    made again, also when that was asked for, so that a killed attempt finds its answers, and only those."""
    parts = (
        *(provider.payer, str(reader.user_id), provider.kind, provider.base_url, provider.model),
        *(question.operation, question.version, question.instructions, question.text),
        *(question.earlier or ()),
        *((reader.again,) if reader.again else ()),
    )
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "replace")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()
