"""Where the driver's errors become the product's words; nothing above `db` knows asyncpg.

What decides is whose fault it was, for the queue counts an attempt or does not:

    DatabaseAway         nobody there, or not any more: refused, reset, terminated, starting up, full
    Contended            there, and two callers wanted the same
    StatementTimedOut    there, and this statement was too slow
    TransactionTimedOut  there, and this transaction held its locks while it said nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from mindhit.errors import Broken, Refused, Upstream


class DatabaseAway(Upstream):
    """The database does not answer."""


class DatabaseRefuses(Refused):
    """The database does not let MindHit in."""


class Contended(Upstream):
    """Two transactions stood in each other's way; this one gave in and may be tried again."""


class StatementTimedOut(Upstream):
    """The database took longer over a statement than it may."""


class TransactionTimedOut(StatementTimedOut):
    """A transaction said nothing for longer than it may, and the database ended it."""


class ConstraintBroken(Broken):
    """A row that may not exist was refused by the database."""


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

# The driver has one type for a connection or a pool that is closed and for being used wrongly.
_GONE = ("closed", "closing", "released back to the pool")

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
def in_our_words(*, is_connecting: bool = False) -> Iterator[None]:
    try:
        yield
    except (asyncpg.DeadlockDetectedError, asyncpg.SerializationError) as error:
        raise Contended(reason=str(error)) from error
    except asyncpg.QueryCanceledError as error:
        raise StatementTimedOut(reason=str(error)) from error
    except asyncpg.IdleInTransactionSessionTimeoutError as error:
        raise TransactionTimedOut(reason=str(error)) from error
    except asyncpg.LockNotAvailableError as error:
        raise Contended(reason=str(error)) from error
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
