"""Entries of a file into the library, a batch at a time: what is there is matched, what is new is added.

The n-th folder of a name in its parent is the n-th of that name there; the n-th entry of an address in
its folder is the n-th of that address there. So a file that is imported again adds nothing, nor does the
part of it that was stored before a crash: entries are counted from the first, and those that were
processed are only matched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, TypeAlias
from uuid import UUID

import msgspec

from mindhit import tracking
from mindhit.db import Tx
from mindhit.library import links, store
from mindhit.library.counter import raise_counter
from mindhit.library.folders import next_position
from mindhit.library.ids import new_id
from mindhit.library.importing.entries import TOP, BadEntry, Entry, FolderEntry, PageEntry
from mindhit.library.model import HOLDER, ImportId
from mindhit.library.store.folders import NewFolders
from mindhit.library.store.imports import Progress
from mindhit.library.store.pages import NewPages

MOST_FAILURES: Final = 1_000
_encode = msgspec.json.Encoder().encode
_NO_EXTRA: Final = b"{}"
_What: TypeAlias = UUID | tuple[str, str]  # a link, or kind and address of something else


class NotRunning(Exception):
    """The import was canceled, or somebody else has got further with it."""


@dataclass(slots=True)
class _Batch:
    """What a transaction adds."""

    folders: list[tuple[UUID, UUID | None, float, FolderEntry]] = field(default_factory=list)
    pages: list[tuple[UUID | None, float, PageEntry]] = field(default_factory=list)
    new: list[tuple[UUID | None, float, PageEntry]] = field(default_factory=list)
    failures: list[BadEntry] = field(default_factory=list)
    items: int = 0


class Storing:
    """One import under way. `processed` items were stored by earlier runs."""

    def __init__(
        self, user_id: UUID, import_id: ImportId, target: UUID | None, processed: int, failed: int
    ) -> None:
        self._user_id = user_id
        self._import_id = import_id
        self._processed = processed
        self._failed = failed
        self._seen = 0  # items of the file so far
        self._ids: dict[int, UUID | None] = {TOP: target}
        self._late: dict[int, FolderEntry] = {}  # matched with nothing, and not wanted yet
        self._named: dict[tuple[UUID | None, str], list[UUID]] = defaultdict(list)
        self._used: Counter[tuple[UUID | None, str]] = Counter()
        self._made: set[UUID | None] = set()  # by this run: they hold what this run put there
        self._next: dict[UUID | None, float] = {}
        self._met: Counter[tuple[UUID | None, _What]] = Counter()

    async def begin(self, tx: Tx) -> None:
        for each in await tx.all(store.folders.NAMES, self._user_id):
            self._named[each.parent_id, each.name].append(each.id)

    async def store(self, tx: Tx, entries: Sequence[Entry]) -> None:
        """Raises `NotRunning`, and then nothing of the transaction may be committed."""
        seq = await raise_counter(tx, self._user_id)
        batch = _Batch()
        was = self._processed
        for entry in entries:
            await self._take(tx, entry, batch)
        await self._match(tx, batch)
        await self._add(tx, batch, seq)
        self._processed = max(was, self._seen)
        done = Progress(
            user_id=self._user_id,
            id=self._import_id,
            was=was,
            processed=self._processed,
            failed=len(batch.failures),
            added=len(batch.new),
        )
        if await tx.maybe(store.imports.ADVANCE, done) is None:
            raise NotRunning

    async def _take(self, tx: Tx, entry: Entry, batch: _Batch) -> None:
        if isinstance(entry, FolderEntry):
            parent = self._ids.get(entry.parent)
            is_known = entry.parent in self._ids
            if is_known and (id_ := self._nth(parent, entry.name)) is not None:
                self._ids[entry.number] = id_
            elif self._seen < self._processed:
                self._late[entry.number] = entry
            else:
                await self._make(tx, entry, batch)
            return
        self._seen += 1
        if isinstance(entry, BadEntry):
            if self._seen > self._processed:
                batch.failures.append(entry)
            return
        if self._seen > self._processed:
            # A place in the order of the file, whether it is new or not: folders take theirs here too.
            folder = await self._folder(tx, entry.folder, batch)
            batch.pages.append((folder, await self._place(tx, folder), entry))
        elif entry.folder in self._ids:
            self._met[self._ids[entry.folder], _what(entry)] += 1

    def _nth(self, parent: UUID | None, name: str) -> UUID | None:
        used = self._used[parent, name]
        self._used[parent, name] += 1
        found = self._named.get((parent, name), ())
        return found[used] if used < len(found) else None

    async def _folder(self, tx: Tx, number: int, batch: _Batch) -> UUID | None:
        if number not in self._ids:
            await self._make(tx, self._late.pop(number), batch)
        return self._ids[number]

    async def _make(self, tx: Tx, entry: FolderEntry, batch: _Batch) -> None:
        parent = await self._folder(tx, entry.parent, batch)
        id_ = new_id()
        batch.folders.append((id_, parent, await self._place(tx, parent), entry))
        self._ids[entry.number] = id_
        self._named[parent, entry.name].append(id_)
        self._made.add(id_)
        self._next[id_] = 1.0

    async def _place(self, tx: Tx, folder: UUID | None) -> float:
        """The next position in a folder."""
        if folder not in self._next:
            self._next[folder] = await next_position(tx, self._user_id, folder)
        at = self._next[folder]
        self._next[folder] = at + 1
        return at

    async def _match(self, tx: Tx, batch: _Batch) -> None:
        """Which pages are new."""
        there = await self._there(tx, batch)
        for folder, position, entry in batch.pages:
            where = folder, _what(entry)
            self._met[where] += 1
            if self._met[where] > there[where]:
                batch.new.append((folder, position, entry))

    async def _there(self, tx: Tx, batch: _Batch) -> Counter[tuple[UUID | None, _What]]:
        """How often the batch's entries are in their folders. Nobody need be asked about folders that
        this run has made: all that it put there, it has met."""
        there: Counter[tuple[UUID | None, _What]] = Counter()
        old = [(folder, entry) for folder, _, entry in batch.pages if folder not in self._made]
        if url_ids := {entry.url_id for _, entry in old if entry.url_id is not None}:
            for link in await tx.all(store.pages.PLACED, self._user_id, list(url_ids)):
                there[link.folder_id, link.url_id] = link.pages
        if folders := {folder for folder, entry in old if entry.url is None}:
            known = [folder for folder in folders if folder is not None]
            for other in await tx.all(
                store.pages.PLACED_OTHERS, self._user_id, known, None in folders
            ):
                there[other.folder_id, (other.kind, other.address)] = other.pages
        return there

    async def _add(self, tx: Tx, batch: _Batch, seq: int) -> None:
        if batch.folders:
            await tx.run(store.folders.ADD_MANY, _folder_columns(self._user_id, batch, seq))
        held = [
            (entry.url, entry.seen)
            for _, _, entry in batch.new
            if entry.url is not None and entry.seen is not None
        ]
        await tracking.hold_pages(tx, self._user_id, HOLDER, held)
        if batch.new:
            await tx.run(store.pages.ADD_MANY, _page_columns(self._user_id, batch, seq))
        await links.note(tx, self._user_id, [url.id for url, _ in held])
        await self._note_failures(tx, batch.failures)

    async def _note_failures(self, tx: Tx, failures: Sequence[BadEntry]) -> None:
        numbered = list(
            takewhile(lambda each: each[0] <= MOST_FAILURES, enumerate(failures, self._failed + 1))
        )
        self._failed += len(failures)
        if numbered:
            await tx.run(
                store.imports.ADD_FAILURES,
                self._user_id,
                self._import_id,
                [number for number, _ in numbered],
                [each.line for _, each in numbered],
                [each.reason for _, each in numbered],
                [each.excerpt for _, each in numbered],
            )


def _what(entry: PageEntry) -> _What:
    return (entry.kind.value, entry.address) if entry.url is None else entry.url.id


def _folder_columns(user_id: UUID, batch: _Batch, seq: int) -> NewFolders:
    rows = batch.folders
    return NewFolders(
        user_id=user_id,
        seq=seq,
        ids=[id_ for id_, _, _, _ in rows],
        parent_ids=[parent for _, parent, _, _ in rows],
        names=[entry.name for _, _, _, entry in rows],
        positions=[position for _, _, position, _ in rows],
        extras=[_extra(entry) for _, _, _, entry in rows],
        created=[entry.created_at for _, _, _, entry in rows],
    )


def _page_columns(user_id: UUID, batch: _Batch, seq: int) -> NewPages:
    rows = batch.new
    return NewPages(
        user_id=user_id,
        seq=seq,
        ids=[new_id() for _ in rows],
        kinds=[entry.kind.value for _, _, entry in rows],
        url_ids=[entry.url_id for _, _, entry in rows],
        addresses=[entry.address for _, _, entry in rows],
        titles=[entry.title for _, _, entry in rows],
        notes=[entry.note for _, _, entry in rows],
        tags=[_literal(entry.tags) for _, _, entry in rows],
        archived=[entry.archived_at for _, _, entry in rows],
        folder_ids=[folder for folder, _, _ in rows],
        positions=[position for _, position, _ in rows],
        extras=[_extra(entry) for _, _, entry in rows],
        created=[entry.created_at for _, _, entry in rows],
    )


def _extra(entry: FolderEntry | PageEntry) -> bytes:
    return _encode(entry.extra) if entry.extra else _NO_EXTRA


def _literal(tags: Sequence[str]) -> str:
    """A PostgreSQL array in writing."""
    quoted = (tag.replace("\\", "\\\\").replace('"', '\\"') for tag in tags)
    return "{" + ",".join(f'"{tag}"' for tag in quoted) + "}"
