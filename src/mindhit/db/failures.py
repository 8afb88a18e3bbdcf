"""Where the driver's errors become the product's words; nothing above `db` knows asyncpg.

What decides is whose fault it was, for the queue counts an attempt or does not:

    DatabaseAway         nobody there, or not any more: refused, reset, terminated, starting up, full
      DatabaseReadOnly   there, and takes no writes from anybody: a standby, or switched to read-only
    Contended            there, and two callers wanted the same
      PoolExhausted      perhaps there, and all our own connections are in use
    StatementTimedOut    there, and this statement was too slow
      TransactionTimedOut  there, and this transaction held its locks while it said nothing
    TransactionOver      a transaction was used after its block had ended: a mistake of ours
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from mindhit.errors import Broken, Refused, Upstream


class DatabaseAway(Upstream):
    """The database does not answer."""


class DatabaseReadOnly(DatabaseAway):
    """The database takes no writes: it is a standby, or was made read-only."""


class DatabaseRefuses(Refused):
    """The database does not let MindHit in."""


class Contended(Upstream):
    """Two transactions stood in each other's way; this one gave in and may be tried again."""


class PoolExhausted(Contended):
    """Every connection of the pool is in use, and none came free in time."""


class StatementTimedOut(Upstream):
    """The database took longer over a statement than it may."""


class TransactionTimedOut(StatementTimedOut):
    """A transaction said nothing for longer than it may, and the database ended it."""


class TransactionOver(Broken):
    """A transaction was used after its block had ended."""


class ConstraintBroken(Broken):
    """A row that may not exist was refused by the database."""


# What another try may find gone: who looks after something for ever waits a little and goes on.
NOT_NOW = (DatabaseAway, Contended, StatementTimedOut)

# What a connection that is no use any more may answer. Not each of these means that the database is
# away; `is_away` says which.
AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    # What the driver says of a connection that was told of its end and has not seen it yet.
    asyncpg.InternalClientError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleSessionTimeoutError,
    asyncpg.DiskFullError,
    ConnectionError,
    TimeoutError,
    OSError,
)

# The driver has one type for a connection or a pool that is closed and for being used wrongly. One
# that was lost is taken back into its pool; that its block has ended is known before it is asked.
_GONE = ("closed", "closing", "released back to the pool")

_IN_A_WORD: dict[type[asyncpg.PostgresError], type[Upstream]] = {
    asyncpg.DeadlockDetectedError: Contended,
    asyncpg.SerializationError: Contended,
    asyncpg.LockNotAvailableError: Contended,
    asyncpg.QueryCanceledError: StatementTimedOut,
    asyncpg.IdleInTransactionSessionTimeoutError: TransactionTimedOut,
}

_NO_ENTRY = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.ClientConfigurationError,
)


def is_away(error: Exception, *, is_connecting: bool = False) -> bool:
    """Is this the absence of the database, or did it only take too long, or were we at fault?

    The driver's own clock gives a TimeoutError without a number, a socket that died one with it:
    over a statement the former says nothing but that it was slow.
    """
    if isinstance(error, TimeoutError):
        return is_connecting or error.errno is not None
    if isinstance(error, asyncpg.InterfaceError):
        return any(word in str(error) for word in _GONE)
    return isinstance(error, AWAY)


@contextmanager
def in_our_words(*, is_connecting: bool = False, may_write: bool = True) -> Iterator[None]:
    """Who may not write and does has made a mistake, and it is said as it is."""
    try:
        yield
    except tuple(_IN_A_WORD) as error:
        word = next(_IN_A_WORD[kind] for kind in type(error).__mro__ if kind in _IN_A_WORD)
        raise word(reason=str(error)) from error
    except asyncpg.ReadOnlySQLTransactionError as error:
        if not may_write:
            raise
        raise DatabaseReadOnly(reason=str(error)) from error
    except _NO_ENTRY as error:
        raise DatabaseRefuses(
            f"The database does not let MindHit in: {error}.",
            way_out="Mend MINDHIT_DATABASE_URL, or what it names on the server.",
        ) from error
    except asyncpg.IntegrityConstraintViolationError as error:
        raise ConstraintBroken(
            constraint=error.constraint_name, table=error.table_name, reason=str(error)
        ) from error
    except AWAY as error:
        if is_away(error, is_connecting=is_connecting):
            raise DatabaseAway(reason=f"{type(error).__name__}: {error}") from error
        if isinstance(error, TimeoutError):
            raise StatementTimedOut(reason="no answer in time") from error
        raise  # the driver used wrongly: a mistake of ours, and said as it is
