"""Array literals: the server reads what was written."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator

import asyncpg
import pytest

from mindhit.tracking.store import array_literals as arrays

TEXTS = [
    None,
    "",
    "null",
    "NULL",
    "plain",
    "two words",
    'a "quoted" word',
    "back\\slash",
    '\\"',
    "{braces}",
    "comma, separated",
    "line\nend\ttab\r",
    "브라우저 🧭 é",
    "'single'",
    " spaces around ",
    "\u2028\ufffd\x01\x7f",
]


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


async def test_any_text_survives(connection: asyncpg.Connection) -> None:
    written = arrays.texts(TEXTS)
    assert await connection.fetchval("select $1::text::text[]", written) == TEXTS


async def test_numbers_words_and_ids_survive(connection: asyncpg.Connection) -> None:
    numbers = [None, 0, -1, 2**31 - 1]
    ids = [uuid.uuid4(), None, uuid.UUID(int=0)]
    assert await connection.fetchval("select $1::text::int[]", arrays.ints(numbers)) == numbers
    assert await connection.fetchval("select $1::text::uuid[]", arrays.uuids(ids)) == ids
    bools = [True, False]
    assert await connection.fetchval("select $1::text::bool[]", arrays.bools(bools)) == bools
    words = ["NAV_COMMITTED", None, "no_page"]
    assert await connection.fetchval("select $1::text::text[]", arrays.words(words)) == words


async def test_no_rows_are_no_rows(connection: asyncpg.Connection) -> None:
    for written in (arrays.ints([]), arrays.uuids([]), arrays.texts([]), arrays.words([])):
        assert await connection.fetchval("select $1::text::text[]", written) == []
