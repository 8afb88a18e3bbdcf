"""The port as a worker has it, against a server of `wire.py`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from mindhit import language
from mindhit.billing import Allowances, unlimited
from mindhit.db import Database
from mindhit.language import Document, Language, ProviderKind
from mindhit.settings import Settings
from tests.accounts.kit import rows, settings

TEXT = (
    "Honey bees dance to tell others where flowers are. The dance is called the waggle dance. "
    "Its angle shows the direction of the flowers. Its length shows how far away they are. "
    "Other bees follow the dancer closely. Then they fly out and find the flowers by themselves."
)
PAGE = Document(TEXT, "How bees dance")


@dataclass
class Naps:
    """Sleeps that take no time, written down."""

    taken: list[float]

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


class Signal:
    """Sleeps that take no time; `came` says that there was one."""

    def __init__(self) -> None:
        self.came = asyncio.Event()

    async def __call__(self, _seconds: float) -> None:
        self.came.set()


@asynccontextmanager
async def speaking(
    db: Database,
    config: Settings,
    naps: Naps | Signal | None = None,
    allowances: Allowances = unlimited,
) -> AsyncIterator[Language]:
    async with Language(db, config, sleep=naps or Naps([]), allowances=allowances) as made:
        yield made


def config(**more: Any) -> Settings:
    return settings(**{"language_timeout": 30, **more})


async def choose(
    db: Database, chosen: Settings, user_id: UUID, provider: str, model: str, **more: str | None
) -> None:
    asked: dict[str, str | None] = {"base_url": None, "key": None, **more}
    async with db.transaction() as tx:
        await language.choose_own(
            tx, chosen, user_id, provider=ProviderKind(provider), model=model, **asked
        )


async def ledger(db: Database) -> list[tuple[str, int]]:
    found = await rows(db, "select state, tokens_used from token_usage order by id")
    return [(each["state"], each["tokens_used"]) for each in found]


async def used(db: Database, user_id: UUID) -> tuple[int, int]:
    [row] = await rows(db, "select used, reserved from usage_totals where user_id = $1", user_id)
    return row["used"], row["reserved"]
