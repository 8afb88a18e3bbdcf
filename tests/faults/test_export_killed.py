"""A worker that is killed in the middle of an export leaves nothing behind, and another one makes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mindhit.db import Database
from mindhit.work.testing import pass_time
from tests import servers
from tests.accounts.kit import add, browser_of, rows, unpack


async def test_an_export_whose_worker_is_killed_is_made_again(
    db: Database, database_url: str, folder: Path
) -> None:
    settings = {"database_url": database_url, "data_dir": folder / "data", "worker_lease": 3}
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        id_ = (await browser.post("/v1/me/exports")).json()["id"]
        path = f"/v1/me/exports/{id_}"
        async with db.transaction() as tx:
            await tx._connection.execute("lock table connections in access exclusive mode")
            worker = servers.start(folder / "killed.log", "worker", **settings)
            try:
                while not (await browser.get(path)).json()["files_done"]:
                    assert worker.poll() is None, (folder / "killed.log").read_text()
                    await asyncio.sleep(0.05)
            finally:
                worker.kill()
                worker.wait()
            assert (await browser.get(f"{path}/archive")).status_code == 409
            assert await rows(db, "select from export_parts") == []
            left = [each.name for each in (folder / "data").iterdir() if each.stat().st_size]
            assert [name for name in left if name.startswith("tmp")] == []
        await pass_time(db, 60)  # its lease is over
        worker = servers.start(folder / "next.log", "worker", **settings)
        try:
            while (made := (await browser.get(path)).json())["status"] != "ready":
                assert made["status"] != "failed"
                assert worker.poll() is None, (folder / "next.log").read_text()
                await asyncio.sleep(0.05)
        finally:
            servers.end(worker)
        files = unpack((await browser.get(f"{path}/archive")).content)
    assert files["account"][0]["email"] == ada.email
