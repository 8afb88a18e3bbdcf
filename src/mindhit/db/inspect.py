"""Facts about the database server, for `mindhit doctor` and `mindhit db status`."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db.pool import ReadTx
from mindhit.db.query import Query


@dataclass(frozen=True, slots=True)
class ServerFacts:
    version: str
    version_num: int
    encoding: str
    fsync: str
    synchronous_commit: str
    full_page_writes: str
    database_bytes: int
    epoch_s: float
    oldest_transaction_s: float | None


FACTS = Query(
    ServerFacts,
    """
select current_setting('server_version') as version,
       current_setting('server_version_num')::int as version_num,
       current_setting('server_encoding') as encoding,
       current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as synchronous_commit,
       current_setting('full_page_writes') as full_page_writes,
       pg_database_size(current_database()) as database_bytes,
       extract(epoch from clock_timestamp())::float8 as epoch_s,
       (select extract(epoch from max(now() - xact_start))::float8 from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()) as oldest_transaction_s""",
)


async def facts(tx: ReadTx) -> ServerFacts:
    return await tx.one(FACTS)
