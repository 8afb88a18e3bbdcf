"""A disk that is full, a real one: recording, imports and exports are refused, nothing that was acknowledged is
lost, and everything works again when there is space."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random

import httpx2
import pytest

from mindhit.db import Database, DatabaseUnavailable, disk_space, migrate
from mindhit.settings import Settings
from tests.accounts.kit import browser_of, export, rows, run_exports, run_jobs, settings, unpack
from tests.faults.harness import own_server
from tests.tracking.kit import Json, Recorder, nav, recorder

DISK_MB = 320
LEFT_MB = 20  # that the server leaves free
MOST_BATCHES = 400


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of its own, in memory."""
    if shutil.which("mount") is None:
        pytest.skip("there is no `mount`")
    disk = folder / "disk"
    disk.mkdir()
    options = f"size={DISK_MB}m,mode=0755"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@contextmanager
def filled(disk: Path, *, but_mb: int = 0) -> Iterator[None]:
    """No more than so much space is left."""
    filler = disk / "filler"
    with filler.open("wb") as file:
        free = shutil.disk_usage(disk).free
        os.posix_fallocate(file.fileno(), 0, free - but_mb * 2**20)
    try:
        yield
    finally:
        filler.unlink()


@asynccontextmanager
async def small_server(disk: Path) -> AsyncIterator[Database]:
    with own_server(disk / "data") as server:
        await migrate.migrate(server.url)
        db = await Database.open(server.url)
        try:
            yield db
        finally:
            await db.close()


def page(seq: int) -> Json:
    """With a text that nothing makes smaller."""
    text = Random(seq).randbytes(4_000).hex()
    return nav(seq, seq * 1_000, f"https://site.example/{seq}", content=text, extractionOk=True)


def bookmarks(count: int) -> bytes:
    links = "".join(f'<DT><A HREF="https://saved.example/{n}">{n}</A>\n' for n in range(count))
    return f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n{links}</DL><p>\n".encode()


async def acknowledged(who: Recorder, session: str, first: int) -> tuple[int, httpx2.Response]:
    """Batches of ten until one is refused: the last event that was acknowledged, and the refusal."""
    for batch in range(MOST_BATCHES):
        seq = first + 10 * batch
        answer = await who.post(session, [page(each) for each in range(seq, seq + 10)])
        if answer.status_code != 200:
            return seq - 1, answer
    pytest.fail("a full disk took everything")


async def assert_stored(db: Database, session: str, last: int) -> None:
    [found] = await rows(
        db,
        "select count(*), count(distinct seq), max(seq) from raw_events where session_id = $1::text::uuid",
        session,
    )
    assert tuple(found) == (last, last, last)


async def assert_works(
    db: Database, who: Recorder, config: Settings, session: str, last: int
) -> None:
    """All that was refused is taken, and the archive has every event that was ever acknowledged."""
    await who.send(session, *(page(each) for each in range(last + 1, last + 11)))
    await assert_stored(db, session, last + 10)
    async with browser_of(db, who.person, config) as browser:
        taken = await browser.post("/v1/imports", content=bookmarks(20))
        assert taken.status_code == 202
        await run_jobs(db, config)
        done = (await browser.get(f"/v1/imports/{taken.json()['id']}")).json()
        assert done["job"]["status"] == "succeeded"
        events = unpack(await export(db, browser))["raw_events"]
    assert {each["seq"] for each in events} == set(range(1, last + 11))


async def test_a_disk_that_gets_full_is_noticed_before_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_space, "LOOK_EVERY_S", 0.0)
    with small_disk(folder) as disk:
        config = settings(data_dir=disk / "data", min_free_space=LEFT_MB)
        async with (
            small_server(disk) as db,
            recorder(db, config=config) as ada,
            browser_of(db, ada.person, config) as browser,
        ):
            session = await ada.start()
            await ada.send(session, *(page(each) for each in range(1, 11)))
            assert (await browser.post("/v1/me/exports")).status_code == 202
            with filled(disk, but_mb=LEFT_MB - 1):
                last, refused = await acknowledged(ada, session, 11)
                assert (last, refused.status_code) == (10, 507)
                for path in ("/v1/imports", "/v1/me/exports"):
                    answer = await browser.post(path, content=b"x")
                    assert answer.status_code == 507
                    assert answer.json()["type"] == "urn:mindhit:problem:disk-full"
                await run_exports(db, config)
                [found] = (await browser.get("/v1/me/exports")).json()["exports"]
                assert (found["status"], found["reason"]) == ("failed", "no-space")
                assert (await browser.get(f"/v1/sessions/{session}")).status_code == 200
            await assert_works(db, ada, config, session, last)


async def test_a_disk_that_is_full_at_once_loses_nothing(folder: Path) -> None:
    """Nothing was noticed before: it is the database that finds no space."""
    with small_disk(folder) as disk:
        config = settings(data_dir=disk / "data", min_free_space=0)
        async with (
            small_server(disk) as db,
            recorder(db, config=config) as ada,
            browser_of(db, ada.person, config) as browser,
        ):
            session = await ada.start()
            await ada.send(session, *(page(each) for each in range(1, 11)))
            assert (await browser.post("/v1/me/exports")).status_code == 202
            with filled(disk):
                last, refused = await acknowledged(ada, session, 11)
                assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
                answer = await browser.post("/v1/imports", content=bookmarks(30_000))
                assert answer.status_code == 503
                with suppress(DatabaseUnavailable):  # not even a slot can be taken: workers wait
                    await run_exports(db, config)
                [found] = (await browser.get("/v1/me/exports")).json()["exports"]
                assert found["status"] != "ready"
                assert await rows(db, "select from export_parts") == []
            await assert_stored(db, session, last)
            await assert_works(db, ada, config, session, last)
