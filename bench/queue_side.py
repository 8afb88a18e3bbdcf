"""What the programs of all sides share: how they are asked, and how they answer.

A side is a program with four roles: `install` its tables, `enqueue` many jobs, `work` them off,
`produce` single ones. The question is one line of JSON on stdin, every answer one on stdout.
Nothing but the standard library and uvloop: it runs in every peer's own environment.
"""

import asyncio
import json
import logging
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import uvloop

Role = Callable[["Question"], Awaitable[None]]
CHUNK = 1_000  # jobs in one call of whatever a side offers for adding many
GAP_S = (0.010, 0.020)  # between two jobs of a producer: the queue is idle in between


@dataclass(frozen=True, slots=True)
class Question:
    """What a side is asked to do: which role, on which database, with how many jobs."""

    role: str
    dsn: str
    jobs: int = 0
    settings: dict[str, Any] = field(default_factory=dict)

    def chunks(self) -> list[int]:
        whole, rest = divmod(self.jobs, CHUNK)
        return [CHUNK] * whole + ([rest] if rest else [])


def play(roles: Mapping[str, Role]) -> None:
    """Read the question and play the role, on uvloop, as every side does."""
    # Answers go to the real stdout; what libraries print goes to stderr.
    os.dup2(os.dup(1), _ANSWERS)
    os.dup2(2, 1)
    logging.basicConfig(level=logging.WARNING)
    question = Question(**json.loads(sys.stdin.readline()))

    async def perform() -> None:
        await roles[question.role](question)

    uvloop.run(perform())


_ANSWERS = 9


def answer(**facts: object) -> None:
    os.write(_ANSWERS, json.dumps(facts).encode() + b"\n")


class Arrivals:
    """What every side's handler calls, and all it does: counts, and notes how long it took."""

    def __init__(self, expected: int) -> None:
        self._left = expected
        self._waits_ms: list[float] = []

    def note(self, sent: float) -> None:
        """`sent`: when the producer began, on the machine's one monotonic clock; 0 in a drain."""
        if sent:
            self._waits_ms.append((time.monotonic() - sent) * 1000)
        self._left -= 1
        if self._left == 0:
            answer(handled=True, waits_ms=self._waits_ms)


async def add_in_chunks(question: Question, add: Callable[[int], Awaitable[object]]) -> None:
    """Add all jobs, chunk by chunk, and answer with the seconds it took."""
    began = time.perf_counter()
    for size in question.chunks():
        await add(size)
    answer(seconds=time.perf_counter() - began)


async def add_one_by_one(question: Question, add: Callable[[float], Awaitable[object]]) -> None:
    """Add single jobs to an idle queue; each carries the moment before it was committed."""
    draw = random.Random(question.jobs)
    for _ in range(question.jobs):
        await asyncio.sleep(draw.uniform(*GAP_S))
        await add(time.monotonic())
    answer(produced=question.jobs)
