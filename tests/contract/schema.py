"""Which tables hold people's data, and whose each row is: read from the migrated schema.

A table is personal when it has a `user_id`, or when a column of it refers to a personal table. What a
column refers to is known from its foreign key; tables that are written too often to have one (visits,
raw events) follow the naming rule instead: `session_id` is the `id` of `sessions`, `from_url_id` that of
`urls`, `content_id` that of `page_contents`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import asyncpg
import asyncpg.pool

Connection: TypeAlias = "asyncpg.Connection[Any] | asyncpg.pool.PoolConnectionProxy[Any]"
OWNER = "user_id"
PEOPLE = "users"

_COLUMNS = """
select c.relname as table, a.attnum, case when a.attisdropped then '' else a.attname end as name,
       a.atttypid as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
   and not c.relispartition
 order by c.relname, a.attnum"""
_FOREIGN_KEYS = """
select conrelid::regclass::text as table, a.attname as column,
       confrelid::regclass::text as target, f.attname as target_column
  from pg_constraint k
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  join pg_attribute f on f.attrelid = k.confrelid and f.attnum = k.confkey[1]
 where k.contype = 'f' and k.connamespace = 'public'::regnamespace and cardinality(k.conkey) = 1"""
_PARTITIONS = """
select inhrelid::regclass::text as partition, inhparent::regclass::text as table
  from pg_inherits join pg_class c on c.oid = inhparent and c.relkind = 'p'"""


@dataclass(frozen=True, slots=True)
class Reference:
    table: str
    column: str
    target: str
    target_column: str = "id"


@dataclass(frozen=True)
class Schema:
    columns: dict[str, list[str]]  # by position; a dropped column is ""
    references: frozenset[Reference]
    partitions: dict[str, str]

    @cached_property
    def personal(self) -> frozenset[str]:
        """Tables of people's data; that of the people themselves is not one of them."""
        found = {table for table, columns in self.columns.items() if OWNER in columns}
        while more := {r.table for r in self.references if r.target in found} - found:
            found |= more
        return frozenset(found)

    def owned(self, table: str, alias: str = "t") -> str:
        """The SQL condition under which a row is the person's whose id is $1."""
        if table == PEOPLE:
            return f"{alias}.id = $1"
        if OWNER in self.columns[table]:
            return f"{alias}.{OWNER} = $1"
        ways = [
            f"{alias}.{r.column} in (select {r.target}.{r.target_column} from {r.target}"
            f" where {self.owned(r.target, r.target)})"
            for r in sorted(self.references, key=str)
            if r.table == table and r.target in self.personal
        ]
        return " or ".join(ways) or "false"

    def named(self, relation: str) -> str:
        """The table that a relation of a plan is, or is a partition of."""
        return self.partitions.get(relation, relation)


async def read(connection: Connection) -> Schema:
    columns: dict[str, list[str]] = {}
    types: dict[tuple[str, str], int] = {}
    for row in await connection.fetch(_COLUMNS):
        columns.setdefault(row["table"], []).append(row["name"])
        types[row["table"], row["name"]] = row["type"]
    declared = {Reference(*row) for row in await connection.fetch(_FOREIGN_KEYS)}
    with_key = {(r.table, r.column) for r in declared}
    by_name = {
        Reference(table, column, target)
        for table, column in types
        for target in columns
        if (table, column) not in with_key
        and types.get((target, "id")) == types[table, column]
        and _is_named_after(column, target)
    }
    rows = await connection.fetch(_PARTITIONS)
    partitions = {row["partition"]: row["table"] for row in rows}
    return Schema(columns, frozenset(declared | by_name), partitions)


def _is_named_after(column: str, table: str) -> bool:
    """Whether a column's name says that it holds the id of this table's rows."""
    thing, is_id = column.removesuffix("_id"), column.endswith("_id")
    row = table.removesuffix("s")
    return is_id and (f"_{thing}".endswith(f"_{row}") or f"_{row}".endswith(f"_{thing}"))
