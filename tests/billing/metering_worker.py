"""A process that makes calls and writes down what its provider counted, until it is killed."""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path
from uuid import UUID, uuid4

import uvloop

from mindhit import billing
from mindhit.billing import Call, Payer, Reservation, Tokens
from mindhit.clock import utc_now
from mindhit.db import Database

AT_ONCE = 10


def die_if(is_time: bool) -> None:
    if is_time:
        os.kill(os.getpid(), signal.SIGKILL)


async def main(url: str, book: str, batches: str, dies: str, *people: str) -> None:
    """`dies`: in its last batch after what is `reserved` or `answered`, or in the middle of `recording`."""
    db = await Database.open(url, size=2)
    rng = random.Random(book)
    with Path(book).open("a", encoding="ascii") as written:  # noqa: ASYNC230  nothing else runs here
        for left in reversed(range(int(batches))):
            user_id = UUID(rng.choice(people))
            async with db.transaction() as tx:
                held = [await billing.reserve(tx, call(user_id), utc_now()) for _ in range(AT_ONCE)]
            die_if(not left and dies == "reserved")
            answers = [
                (str(uuid4()), Tokens(rng.randint(1, 400), rng.randint(1, 99))) for _ in held
            ]
            written.writelines(  # the provider has answered, and counted
                f"{request_id} {user_id} {tokens.input} {tokens.output}\n"
                for request_id, tokens in answers
            )
            written.flush()
            die_if(not left and dies == "answered")
            async with db.transaction() as tx:
                for reservation, (request_id, tokens) in zip(held, answers, strict=True):
                    assert isinstance(reservation, Reservation)
                    await billing.record(tx, reservation, tokens, request_id)
                die_if(not left and dies == "recording")
    await db.close()


def call(user_id: UUID) -> Call:
    return Call(
        user_id=user_id,
        session_id=None,
        operation="summarise",
        provider="openai",
        ai_model="m",
        payer=Payer.PLAN,
        at_most=1000,
        lasts_s=0.0,
    )


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
