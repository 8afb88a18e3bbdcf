"""Translates the driver's errors into our own; nothing above `db` knows asyncpg.

The distinction is whose fault it was, because the queue counts an attempt or not:

    DatabaseUnavailable         unreachable: connection refused, reset or terminated, starting up, disk full
      DatabaseReadOnly   takes no writes: a standby, or switched to read-only
      DatabaseFull       its disk is full
    Contended            two transactions conflicted
      PoolExhausted      all connections of our own pool are in use
    StatementTimedOut    this statement was too slow
      TransactionTimedOut  this transaction was idle for too long while holding its locks
      CommitUnconfirmed    the commit was sent and not answered: it may have taken effect
    TransactionOver      a transaction was used after its block had ended: our bug
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from mindhit.errors import Broken, Refused, Upstream


class DatabaseUnavailable(Upstream):
    """The database does not answer."""


class DatabaseReadOnly(DatabaseUnavailable):
    """The database is read-only: it is a standby, or was switched to read-only."""


class DatabaseFull(DatabaseUnavailable):
    """The database's disk is full."""


class DatabaseRefuses(Refused):
    """The database refused the connection."""


class Contended(Upstream):
    """This conflicted with another transaction. Try again."""


class PoolExhausted(Contended):
    """All database connections are in use. Try again in a moment."""


class StatementTimedOut(Upstream):
    """The database took too long to answer."""


class TransactionTimedOut(StatementTimedOut):
    """The database ended a transaction that was idle for too long."""


class CommitUnconfirmed(StatementTimedOut):
    """The database did not confirm in time that the change was saved."""


class TransactionOver(Broken):
    """A transaction was used after its block had ended."""


class ConstraintBroken(Broken):
    """The database refused a row that violates a constraint."""


# Temporary: loops that run forever wait a little and go on.
NOT_NOW = (DatabaseUnavailable, Contended, StatementTimedOut)

# What an unusable connection may raise. Not all of these mean that the database is unreachable;
# `is_away` decides.
CONNECTION_ERRORS = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    # Raised by the driver on a connection that was terminated while it was not looking.
    asyncpg.InternalClientError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.IdleSessionTimeoutError,
    asyncpg.InsufficientResourcesError,  # connections, memory, disk space
    asyncpg.PostgresSystemError,  # its files cannot be read or written
    ConnectionError,
    TimeoutError,
    OSError,
)

# The driver uses one type for closed connections and pools and for misuse; these words tell them
# apart.
_GONE = ("closed", "closing", "released back to the pool")

_TRANSLATIONS: dict[type[asyncpg.PostgresError], type[Upstream]] = {
    asyncpg.DeadlockDetectedError: Contended,
    asyncpg.SerializationError: Contended,
    asyncpg.LockNotAvailableError: Contended,
    asyncpg.QueryCanceledError: StatementTimedOut,
    asyncpg.IdleInTransactionSessionTimeoutError: TransactionTimedOut,
}

_REFUSALS = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.ClientConfigurationError,
)


def is_away(error: Exception, *, is_connecting: bool = False) -> bool:
    """Whether the database is unreachable; otherwise it was only slow, or we misused the driver.

    The driver's own timeout raises a TimeoutError without an errno, a dead socket one with it: after
    a statement, the former only means that it was slow.
    """
    if isinstance(error, TimeoutError):
        return is_connecting or error.errno is not None
    if isinstance(error, asyncpg.InterfaceError):
        return any(word in str(error) for word in _GONE)
    return isinstance(error, CONNECTION_ERRORS)


@contextmanager
def in_our_words(*, is_connecting: bool = False, may_write: bool = True) -> Iterator[None]:
    """Translate errors. With `may_write` off, a write is our bug, and its error is not translated."""
    try:
        yield
    except tuple(_TRANSLATIONS) as error:
        word = next(_TRANSLATIONS[kind] for kind in type(error).__mro__ if kind in _TRANSLATIONS)
        raise word(reason=str(error)) from error
    except asyncpg.ReadOnlySQLTransactionError as error:
        if not may_write:
            raise
        raise DatabaseReadOnly(reason=str(error)) from error
    except _REFUSALS as error:
        raise DatabaseRefuses(
            f"The database refused the connection: {error}.",
            way_out="Check MINDHIT_DATABASE_URL, and that its user and database exist on the server.",
        ) from error
    except asyncpg.IntegrityConstraintViolationError as error:
        raise ConstraintBroken(
            constraint=error.constraint_name, table=error.table_name, reason=str(error)
        ) from error
    except asyncpg.DiskFullError as error:
        raise DatabaseFull(reason=f"{type(error).__name__}: {error}") from error
    except CONNECTION_ERRORS as error:
        if is_away(error, is_connecting=is_connecting):
            raise DatabaseUnavailable(reason=f"{type(error).__name__}: {error}") from error
        if isinstance(error, TimeoutError):
            raise StatementTimedOut(reason="no answer in time") from error
        raise  # our misuse of the driver
