"""Everything in the library in the order of its tree: a folder, what is in it, its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.library import store
from mindhit.library.store.exporting import BookmarkFolder, TreePage

ROWS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Enter:
    folder: BookmarkFolder
    number: int
    parent: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    depth: int


@dataclass(frozen=True, slots=True)
class Item:
    page: TreePage
    folder: int
    path: tuple[str, ...]


Step: TypeAlias = Enter | Item | Leave


async def walk(tx: ReadTx, user_id: UUID) -> AsyncIterator[list[Step]]:
    """Folders are numbered as they come; 0 is the top. A few hundred steps at a time."""
    children: dict[UUID | None, list[BookmarkFolder]] = defaultdict(list)
    for folder in await tx.all(store.exporting.FOLDERS, user_id):
        children[folder.parent_id].append(folder)
    walker = _Walker(tx, user_id, children)
    steps: list[Step] = []
    async for step in walker.below(None, 0, ()):
        steps.append(step)
        if len(steps) == ROWS_AT_ONCE:
            yield steps
            steps = []
    yield steps


class _Walker:
    def __init__(
        self, tx: ReadTx, user_id: UUID, children: dict[UUID | None, list[BookmarkFolder]]
    ) -> None:
        self._tx = tx
        self._user_id = user_id
        self._children = children
        self._number = 0

    async def below(
        self, id_: UUID | None, number: int, path: tuple[str, ...]
    ) -> AsyncIterator[Step]:
        """Without recursion: a chain of folders may be deeper than Python's stack."""
        stack = [_Level(number, path, iter(self._children[id_]), self._pages(id_))]
        while stack:
            level = stack[-1]
            page, folder = await level.peek()
            if page is not None and (folder is None or _place(page) < _place(folder)):
                level.page = None
                yield Item(page, level.number, level.path)
            elif folder is not None:
                level.folder = None
                self._number += 1
                inside = (*level.path, folder.name)
                yield Enter(folder, self._number, level.number, inside)
                inner = iter(self._children[folder.id])
                stack.append(_Level(self._number, inside, inner, self._pages(folder.id)))
            else:
                stack.pop()
                if stack:
                    yield Leave(len(stack))

    async def _pages(self, folder_id: UUID | None) -> AsyncIterator[TreePage]:
        position: float | None = None
        id_: UUID | None = None
        while True:
            found = await self._tx.all(
                store.exporting.IN_FOLDER, self._user_id, folder_id, position, id_, ROWS_AT_ONCE
            )
            for page in found:
                yield page
            if len(found) < ROWS_AT_ONCE:
                return
            position, id_ = _place(found[-1])


class _Level:
    """A folder that is being walked: the next of its folders, and the next of its pages."""

    def __init__(
        self,
        number: int,
        path: tuple[str, ...],
        folders: Iterator[BookmarkFolder],
        pages: AsyncIterator[TreePage],
    ) -> None:
        self.number = number
        self.path = path
        self._folders = folders
        self._pages = pages
        self.page: TreePage | None = None
        self.folder: BookmarkFolder | None = None

    async def peek(self) -> tuple[TreePage | None, BookmarkFolder | None]:
        if self.page is None:
            self.page = await anext(self._pages, None)
        if self.folder is None:
            self.folder = next(self._folders, None)
        return self.page, self.folder


def _place(each: TreePage | BookmarkFolder) -> tuple[float, UUID]:
    return each.position, each.id
