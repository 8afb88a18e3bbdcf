"""Where the driver's errors become the product's words; nothing above `db` knows asyncpg."""

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


class ConstraintBroken(Broken):
    """A row that may not exist was refused by the database."""


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
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.DiskFullError,
    ConnectionError,
    TimeoutError,
    OSError,
)


_NO_ENTRY = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.ClientConfigurationError,
)


@contextmanager
def in_our_words() -> Iterator[None]:
    try:
        yield
    except (asyncpg.DeadlockDetectedError, asyncpg.SerializationError) as error:
        raise Contended(reason=str(error)) from error
    except asyncpg.QueryCanceledError as error:
        raise StatementTimedOut(reason=str(error)) from error
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
        raise DatabaseAway(reason=f"{type(error).__name__}: {error}") from error
