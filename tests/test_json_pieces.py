"""Long lists are encoded a piece at a time, and what comes out is the same."""

from __future__ import annotations

import asyncio
from itertools import count

import msgspec

from mindhit.json_pieces import ITEMS_AT_ONCE, encode_gradually, pieces


class Item(msgspec.Struct):
    number: int
    name: str | None = None


class Many(msgspec.Struct, rename="camel"):
    first_list: list[Item]
    text: str
    other_list: list[int]
    nothing: None = None


MANY = Many([Item(n, "한국어") for n in range(3 * ITEMS_AT_ONCE + 7)], 'a "text"', [1, 2])


def test_the_pieces_are_the_whole() -> None:
    for struct in (MANY, Many([], "", list(range(ITEMS_AT_ONCE + 1))), Item(1)):
        assert b"".join(pieces(struct)) == msgspec.json.encode(struct)


def test_no_piece_has_more_than_so_many_items() -> None:
    assert max(piece.count(b"number") for piece in pieces(MANY)) == ITEMS_AT_ONCE


async def test_others_have_their_turn_between_two_pieces() -> None:
    turns = count()

    async def others() -> None:
        while True:
            next(turns)
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    await asyncio.sleep(0)
    before = next(turns)
    assert await encode_gradually(MANY) == msgspec.json.encode(MANY)
    task.cancel()
    assert next(turns) - before > 3
