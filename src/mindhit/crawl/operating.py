"""What the owner sees of the crawler: sites that are left alone, user agents, how many tasks there are."""

from __future__ import annotations

from uuid import UUID

from mindhit.crawl import store
from mindhit.crawl.model import Agent, Breaker
from mindhit.crawl.store.tasks import StatusCount
from mindhit.db import ReadTx


async def list_breakers(tx: ReadTx) -> list[Breaker]:
    return await tx.all(store.breakers.LIST)


async def list_agents(tx: ReadTx) -> list[Agent]:
    return await tx.all(store.agents.LIST)


async def count_tasks(tx: ReadTx, user_id: UUID) -> list[StatusCount]:
    return await tx.all(store.tasks.COUNTS, user_id)
