"""Lists of any length: read page by page, each from behind the last row of the page before."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Final, Generic, TypeVar

import typer

from mindhit.cli.access import tell

Item = TypeVar("Item")

DEFAULT_LIMIT: Final = 50
PAGE: Final = 500
Limit = Annotated[int, typer.Option(help="Show at most this many.", min=1, max=2**31 - 1)]
Every = Annotated[bool, typer.Option("--all", help="Show all, however many there are.")]


@dataclass(frozen=True, slots=True)
class Listed(Generic[Item]):
    items: list[Item]
    has_more: bool


async def read_pages(
    page: Callable[[Item | None, int], Awaitable[list[Item]]], limit: int | None
) -> Listed[Item]:
    """The first `limit` items, or all. `page` answers at most so many, from behind an item."""
    found: list[Item] = []
    while limit is None or len(found) <= limit:
        size = PAGE if limit is None else min(PAGE, limit + 1 - len(found))
        more = await page(found[-1] if found else None, size)
        found += more
        if len(more) < size:
            return Listed(found if limit is None else found[:limit], has_more=False)
    return Listed(found[:limit], has_more=True)


def tell_more(listed: Listed[Item]) -> None:
    if listed.has_more:
        tell(f"These are the newest {len(listed.items)}. Pass --limit or --all to see more.")
