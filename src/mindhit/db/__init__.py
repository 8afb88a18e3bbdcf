"""The database: the only package that imports asyncpg.

`Database` is a pool with transactions, a `Session` one connection outside it; `Query` and `Write`
are statements with the type of their rows; `migrate` brings the schema up to date; `embedded` runs
a PostgreSQL of our own. Owns the tables `schema_migrations` and `write_checks`.
"""

from mindhit.db.failures import (
    NOT_NOW,
    CommitUnconfirmed,
    ConstraintBroken,
    Contended,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseRefuses,
    DatabaseUnavailable,
    PoolExhausted,
    StatementTimedOut,
    TransactionOver,
    TransactionTimedOut,
)
from mindhit.db.pool import Database, Listener, ReadTx, Session, Tx
from mindhit.db.query import Nothing, Query, Statement, Write
from mindhit.db.write_check import DatabaseNotWritable, WriteCheck

__all__ = [
    "NOT_NOW",
    "CommitUnconfirmed",
    "ConstraintBroken",
    "Contended",
    "Database",
    "DatabaseFull",
    "DatabaseNotWritable",
    "DatabaseReadOnly",
    "DatabaseRefuses",
    "DatabaseUnavailable",
    "Listener",
    "Nothing",
    "PoolExhausted",
    "Query",
    "ReadTx",
    "Session",
    "Statement",
    "StatementTimedOut",
    "TransactionOver",
    "TransactionTimedOut",
    "Tx",
    "Write",
    "WriteCheck",
]
