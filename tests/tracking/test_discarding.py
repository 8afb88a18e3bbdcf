"""A recording that is thrown away: an extension deletes what it recorded itself, and nothing else."""

from __future__ import annotations

import uuid

from mindhit.accounts import Scope
from mindhit.db import Database
from tests.accounts.kit import client_of, token_of
from tests.tracking.kit import START, activate, recorder
from tests.tracking.readers import reader

A = "https://a.example/"


async def test_an_extension_deletes_what_it_recorded(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record("gone", activate(1, 0, A))
        path = f"/v1/sessions/{session}"
        assert (await ada.records.client.delete(path)).status_code == 204
        assert (await ada.browser.get(path)).status_code == 404
        assert (await ada.records.client.delete(path)).status_code == 404


async def test_while_it_records_too(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        path = f"/v1/sessions/{session}"
        assert (await ada.records.client.delete(path)).status_code == 204
        again = {"session_id": session, "started_at": START}
        answer = await ada.records.client.post("/v1/sessions/start", json=again)
        assert answer.status_code == 409


async def test_what_another_device_recorded_is_not_there_for_it(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record("mine", activate(1, 0, A))
        laptop = await token_of(db, ada.records.person, Scope.EXTENSION)
        async with client_of(db, None, Authorization=f"Bearer {laptop}") as other:
            refused = await other.delete(f"/v1/sessions/{session}")
            unknown = await other.delete(f"/v1/sessions/{uuid.uuid4()}")
        assert (refused.status_code, unknown.status_code) == (404, 404)
        assert refused.json()["detail"] == unknown.json()["detail"]
        assert await ada.titles() == ["mine"]


async def test_nor_what_somebody_else_recorded(db: Database) -> None:
    async with reader(db) as ada, recorder(db, "eve@example.org") as eve:
        session = await ada.record("mine", activate(1, 0, A))
        assert (await eve.client.delete(f"/v1/sessions/{session}")).status_code == 404
        assert await ada.titles() == ["mine"]


async def test_a_program_with_the_right_to_all_deletes_any(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record("gone", activate(1, 0, A))
        token = await token_of(db, ada.records.person, Scope.API)
        async with client_of(db, None, Authorization=f"Bearer {token}") as program:
            assert (await program.delete(f"/v1/sessions/{session}")).status_code == 204
        assert await ada.titles() == []
