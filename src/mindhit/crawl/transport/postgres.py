"""The database as transport: publishing a message is enqueueing the job that executes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindhit.crawl.job_types import Execute
from mindhit.crawl.transport.port import Message
from mindhit.db import Tx
from mindhit.work import enqueue_many


class PostgresTransport:
    is_transactional = True

    async def publish(self, tx: Tx | None, messages: Sequence[Message]) -> Mapping[str, str]:
        assert tx is not None
        await enqueue_many(
            tx, [Execute(each.user_id, each.task_id, each.key, each.domain) for each in messages]
        )
        return {}

    async def close(self) -> None:
        """Nothing is open."""
