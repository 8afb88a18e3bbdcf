"""A worker process of the product that kills itself (SIGKILL) at one point of sending a reminder.

python -m tests.reminders.crash_worker DSN POINT

claimed    the alarm is taken, its job has begun, nothing else
recorded   notice and delivery are written, nothing was sent
sent       the service has it, and nothing says so
settled    the delivery says SENT, the alarm is not settled

With `digest-` before it: the same of what quiet hours held back, sent as one message.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvloop

from mindhit import delivery, log, wiring
from mindhit.db import Database
from mindhit.delivery import sending as deliveries
from mindhit.reminders import digest, sending, settling
from mindhit.work import Options, Worker
from tests.delivery.kit import config

# Where the process dies: the function that it would call next.
POINTS: dict[str, tuple[Any, str]] = {
    "claimed": (sending, "_prepare"),
    "recorded": (delivery, "deliver_now"),
    "sent": (deliveries, "settle_sent"),
    "settled": (settling, "settle"),
    "digest-claimed": (digest, "_prepare"),
    "digest-recorded": (delivery, "deliver_digest"),
    "digest-sent": (deliveries, "settle_sent"),
    "digest-settled": (digest, "settle"),
}


async def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(dsn: str, point: str) -> None:
    log.configure("json", "warning")
    place, name = POINTS[point]
    known: Callable[..., Awaitable[Any]] = getattr(place, name)
    assert asyncio.iscoroutinefunction(known)
    setattr(place, name, die)
    product = wiring.product(config())
    wiring.install(product)
    db = await Database.open(dsn, size=4)
    await Worker(db, wiring.registry(product), Options(concurrency=2, poll_s=0.2)).run()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], sys.argv[2]))
