"""A process that asks a model and is killed: `before` or `after` the answer is recorded."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any
from uuid import UUID

from mindhit import wiring
from mindhit.billing import Payer
from mindhit.db import Database
from mindhit.language import LanguageSettings, Reader, prompts
from mindhit.language.asking import Asker
from mindhit.language.providers.calling import call
from mindhit.language.providers.choosing import providers_in_order
from tests.language.kit import PAGE


def die(*_: object) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(when: str, database_url: str, user_id: str) -> None:
    settings = wiring.load_settings()[LanguageSettings]
    [provider] = providers_in_order(settings, None, Payer.PLAN)
    db = await Database.open(database_url)

    async def call_and_die(*asked: Any, **how: Any) -> Any:
        answer = await call(*asked, **how)
        return die() if when == "before" else answer

    asker = Asker(db, settings, caller=call_and_die)
    question = prompts.ask("summarise", prompts.page(PAGE), sentences=3)
    await asker.ask(provider, question, Reader(UUID(user_id)), die)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
