"""Notes: written, listed, kept for a while, exported and erased with everything else."""

from __future__ import annotations

from mindhit.notes.jobs import Tidy

from mindhit import wiring
from mindhit.db import Database
from mindhit.work import enqueue
from tests.accounts.kit import add, browser_of, rows, run_jobs, settings


async def test_a_note_comes_back(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        made = await browser.post("/v1/notes", json={"text": "remember the milk"})
        assert made.status_code == 201
        listed = (await browser.get("/v1/notes")).json()["items"]
        too_long = await browser.post("/v1/notes", json={"text": "x" * 201})
    assert [note["text"] for note in listed] == ["remember the milk"]
    assert too_long.status_code == 422


async def test_notes_are_listed_a_page_at_a_time(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        for text in "abc":
            await browser.post("/v1/notes", json={"text": text})
        first = (await browser.get("/v1/notes?limit=2")).json()
        last = (await browser.get(f"/v1/notes?limit=2&cursor={first['next_cursor']}")).json()
    assert [note["text"] for note in first["items"]] == ["a", "b"]
    assert ([note["text"] for note in last["items"]], last["next_cursor"]) == (["c"], None)


async def test_notes_are_kept_as_long_as_the_setting_says(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        await browser.post("/v1/notes", json={"text": "remember the milk"})
    for days, left in ((30.0, 1), (1e-9, 0)):
        config = settings(note_retention=days)
        wiring.install(wiring.product(config))
        async with db.transaction() as tx:
            await enqueue(tx, Tidy())
        await run_jobs(db, config)
        assert len(await rows(db, "select from notes")) == left
