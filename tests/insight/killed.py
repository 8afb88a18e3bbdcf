"""A worker that is killed at a step of processing: `python -m tests.insight.killed STEP DATABASE`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from mindhit import tracking, wiring
from mindhit.db import Database
from mindhit.insight import showing
from mindhit.insight.processing import flow, mapping
from mindhit.insight.report import sending
from mindhit.language import Language
from mindhit.mail import SmtpClient
from mindhit.work.testing import drain

PAGES = 12  # more than stand on a map by themselves, so that the model is asked for topics


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dying(before: Callable[..., Any] | None, after: int = 1) -> Any:
    """The same function, and then death, when it has returned so many times."""
    calls = 0

    async def call(*asked: Any, **how: Any) -> Any:
        nonlocal calls
        result = await before(*asked, **how) if before is not None else None
        calls += 1
        if calls >= after:
            die()
        return result

    return call


def arm(step: str) -> None:
    match step:
        case "stock":
            flow.take_stock = dying(flow.take_stock)
        case "summary":  # inside the last one's transaction, when every answer has been read
            tracking.put_summary = dying(tracking.put_summary, PAGES)
        case "topics":  # they are there, and a title was not asked for
            Language.find_topics = dying(Language.find_topics)  # type: ignore[method-assign]
        case "answers":  # topics and title are there, the map is not
            mapping.make = dying(mapping.make)
        case "map":  # inside its transaction
            showing.forget_labels = dying(showing.forget_labels)
        case "finish":
            flow.finish = dying(None)
        case "report":  # inside the transaction that completes
            flow._report = dying(flow._report)
        case "mail":
            sending._message = dying(sending._message)
        case "sent":  # the server has the mail, and we don't know it yet
            SmtpClient.send = dying(SmtpClient.send)  # type: ignore[method-assign]


async def main(step: str, database_url: str) -> None:
    arm(step)
    product = wiring.product(wiring.load_settings())
    wiring.install(product)
    db = await Database.open(database_url)
    await drain(db, product.jobs)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
