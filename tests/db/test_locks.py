"""Every advisory lock number in a statement, a migration or a module is registered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mindhit
from mindhit.db import locks
from mindhit.db.statements import statements

CALL = re.compile(
    r"pg_(?:try_)?advisory_(?:xact_)?(?:un)?lock(?:_shared)?\s*\(\s*([^,)]+)", re.IGNORECASE
)
SOURCES = Path(mindhit.__file__).parent


def numbers(text: str) -> set[str]:
    """The first argument of every advisory lock that a text takes."""
    return set(CALL.findall(text))


def unregistered(texts: dict[str, str]) -> list[str]:
    """Locks with a number that is not registered, or with none that a reader can see. A parameter is
    allowed in db/migrate.py alone, which passes `locks.MIGRATE`."""
    return [
        f"{name}: {number}"
        for name, text in texts.items()
        for number in numbers(text)
        if not (number == "$1" and name == "db/migrate.py")
        if not (number.strip().isdecimal() and int(number) in locks.REGISTERED)
    ]


def test_every_advisory_lock_of_a_statement_is_registered() -> None:
    texts = {name: statement.sql for name, statement in statements()}
    assert any(numbers(sql) for sql in texts.values())
    assert unregistered(texts) == []


def test_every_advisory_lock_in_the_code_and_the_migrations_is_registered() -> None:
    files = [*SOURCES.rglob("*.py"), *SOURCES.rglob("*.sql")]
    texts = {str(f.relative_to(SOURCES)): f.read_text("utf-8") for f in files}
    assert numbers(texts["db/migrate.py"]) == {"$1"}
    assert numbers(texts["db/schema.sql"]) == {str(locks.RAW_EVENT_PARTITIONS)}
    assert unregistered(texts) == []


@pytest.mark.parametrize(
    "planted",
    [
        "select pg_advisory_xact_lock(7599, 0)",
        "select pg_try_advisory_lock_shared(42)",
        "perform pg_advisory_lock(hashtext('mine'))",
        "SELECT PG_ADVISORY_UNLOCK( $1 )",
    ],
)
def test_a_lock_that_is_not_registered_is_found(planted: str) -> None:
    assert unregistered({"planted": planted})
    assert unregistered({"planted": "select pg_advisory_xact_lock(7501, 0)"}) == []


def test_no_two_locks_have_the_same_number() -> None:
    named = [n for name, n in vars(locks).items() if name.isupper() and isinstance(n, int)]
    assert sorted(named) == sorted(locks.REGISTERED)
