"""Running a plug-in on a page: in a process that may compute and nothing else.

Time is that of the processor, so that a busy machine fails no page; the pool kills what hangs in C code.
An audit hook refuses files, sockets and processes: a plug-in that needs them is none.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final, TypeAlias

from mindhit.crawl.model import Stage
from mindhit.crawl.sites.api import (
    Block,
    Found,
    ItemMissing,
    LayoutChanged,
    Page,
    Parsed,
)
from mindhit.crawl.sites.registry import site_named
from mindhit.crawl.sites.storable import storable_found, storable_parsed
from mindhit.process_pool import CallFailed, ProcessDied, ProcessPool, TookTooLong

CPU_S: Final = 2.0
WALL_S: Final = 20.0
MEMORY_MB: Final = 256
PROCESSES: Final = 2
_REFUSED: Final = (
    "socket.",
    "subprocess.",
    "os.",
    "shutil.",
    "sqlite3.",
    "ftplib.",
    "urllib.",
    "http.",
)
_HARMLESS: Final = frozenset({"os.listdir", "os.scandir", "os.putenv", "os.walk", "os.fwalk"})
_hooked: Final[list[bool]] = []


@dataclass(frozen=True, slots=True)
class Examined:
    """Of a fetched page: why it is none, or what a listing has."""

    block: Block | None = None
    found: Found | None = None
    version: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ReadRaw:
    """Of a raw: the product, or why there is none."""

    parsed: Parsed | None = None
    is_missing: bool = False
    is_layout: bool = False
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pages in the pool's processes; `close` it."""

    pool: ProcessPool

    async def examine(self, site: str, stage: Stage, page: Page) -> Examined:
        try:
            return await self.pool.run(examine, site, stage, page, timeout_s=WALL_S)
        except (CallFailed, ProcessDied, TookTooLong) as error:
            return Examined(problem=error.message[:500])

    async def read(self, site: str, stage: Stage, page: Page) -> ReadRaw:
        try:
            return await self.pool.run(read, site, stage, page, timeout_s=WALL_S)
        except (CallFailed, ProcessDied, TookTooLong) as error:
            return ReadRaw(problem=error.message[:500])

    async def close(self) -> None:
        await self.pool.close()


def make_reader() -> Reader:
    return Reader(ProcessPool(PROCESSES, memory_mb=MEMORY_MB))


def examine(site_name: str, stage: Stage, page: Page) -> Examined:
    """Run in a process of the pool."""
    site = site_named(site_name)
    with _confined():
        block = site.classify(page)
        if block is not None:
            return Examined(block, version=site.version)
        if stage != Stage.SEARCH:
            return Examined(version=site.version)
        try:
            found = storable_found(site.parse_search(page))
        except LayoutChanged as error:
            return Examined(version=site.version, problem=f"{error.message} ({site.version})")
        except ItemMissing:
            return Examined(Block.NOT_FOUND, version=site.version)
    return Examined(found=found, version=site.version)


def read(site_name: str, stage: Stage, page: Page) -> ReadRaw:
    """Run in a process of the pool."""
    site = site_named(site_name)
    parse = {
        Stage.MINI_SHOP: site.parse_mini_shop,
        Stage.DETAIL: site.parse_detail,
        Stage.OPTION: site.parse_option,
    }[stage]
    try:
        with _confined():
            return ReadRaw(storable_parsed(parse(page)))
    except LayoutChanged as error:
        return ReadRaw(is_layout=True, problem=error.message)
    except ItemMissing as error:
        return ReadRaw(is_missing=True, problem=error.message)


@contextmanager
def _confined() -> Iterator[None]:
    """No I/O from here to the end of the process, and this call within its time."""
    if not _hooked:
        _hooked.append(True)
        sys.addaudithook(_refuse_io)
    before = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S)
    _active.append(True)
    try:
        yield
    finally:
        _active.pop()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


_active: Final[list[bool]] = []
_Event: TypeAlias = tuple[Any, ...]


def _refuse_io(event: str, args: _Event) -> None:
    if not _active:
        return
    if event == "open":
        path, mode, _ = args
        # Modules that are imported late are read; everything else, and all writing, is refused.
        is_code = isinstance(path, str) and path.endswith((".py", ".pyc", ".so"))
        if is_code and (mode is None or not set(mode) & set("wax+")):
            return
        raise PermissionError(f"a site plug-in may not open {path!r}")
    if event.startswith(_REFUSED) and event not in _HARMLESS:
        raise PermissionError(f"a site plug-in may not use {event}")


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"it took longer than {CPU_S:g} s")
