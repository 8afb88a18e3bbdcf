"""What a slice must do elsewhere before a person is erased: again until it succeeds."""

from __future__ import annotations

from uuid import UUID

from mindhit import wiring
from mindhit.db import Database
from mindhit.errors import Upstream
from mindhit.settings import Settings
from mindhit.slices import Product, Slice
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import PASSWORD, add, browser_of, rows, settings, traces


async def test_nothing_is_erased_before_every_slice_has_left(db: Database) -> None:
    ada = await add(db)
    tries: list[UUID] = []

    async def leave(db: Database, user_id: UUID, _settings: Settings) -> None:
        tries.append(user_id)
        async with db.read():  # outside any transaction, so it may open one itself
            pass
        if len(tries) < 25:  # more often than the job has attempts
            error = Upstream if len(tries) % 2 else RuntimeError  # whatever goes wrong
            raise error("The payment provider does not answer.")

    jobs = Product(settings(), (Slice("planted", leave=leave), *wiring.SLICES)).jobs
    async with browser_of(db, ada) as browser:
        body = {"email": ada.email, "password": PASSWORD}
        assert (await browser.post("/v1/me/erase", json=body)).status_code == 202
    for number in range(1, 25):
        await drain(db, jobs)
        assert len(tries) == number
        assert "users" in await traces(db, ada.email)
        [job] = await rows(db, "select status, last_error from jobs where kind = 'accounts:erase'")
        assert (job["status"], job["last_error"]) == (
            "queued",
            "The payment provider does not answer.",
        )
        await pass_time(db, 300)
    await drain(db, jobs)
    assert set(tries) == {ada.id}
    assert await traces(db, str(ada.id), ada.email) == {}
