"""What one person may have open and stored: live views, tokens, space on the disk, sizes of requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from mindhit.accounts import Scope
from mindhit.api.http.exports import ExportRunning, Exports
from mindhit.api.http.middleware.body_limit import MOST_PARTS, ORDINARY_BYTES
from mindhit.api.http.streams import Streams, TooManyStreams
from mindhit.db import Database
from tests.accounts.kit import add, browser_of, client_of, cookie_of, rows, settings, token_of
from tests.tracking.kit import alive, recorder, stored_seqs

START = "/v1/sessions/start"
FULL = 10**9  # MB: no disk has so much free


async def events() -> AsyncIterator[bytes]:
    yield b": alive\n\n"


async def nothing(_: object = None) -> dict[str, object]:
    await asyncio.sleep(0)
    return {"type": "http.disconnect"}


async def test_a_person_has_so_many_live_views_and_gets_them_back() -> None:
    streams = Streams(2)
    ada, bob = uuid4(), uuid4()
    scope = {"type": "http", "asgi": {"spec_version": "2.3"}}
    first = streams.respond(ada, events())
    streams.respond(ada, events())
    with pytest.raises(TooManyStreams):
        streams.respond(ada, events())
    streams.respond(bob, events())
    await first(scope, nothing, nothing)  # type: ignore[arg-type]
    streams.respond(ada, events())
    with pytest.raises(TooManyStreams):
        streams.respond(ada, events())


async def test_a_view_that_breaks_is_given_back_too() -> None:
    streams, ada = Streams(1), uuid4()

    async def broken(_: object) -> None:
        raise ConnectionResetError

    view = streams.respond(ada, events())
    with pytest.raises(BaseException):  # noqa: B017, PT011  what exactly is the framework's business
        await view({"type": "http", "asgi": {"spec_version": "2.3"}}, nothing, broken)
    streams.respond(ada, events())


async def test_both_kinds_of_live_views_count(db: Database) -> None:
    async with recorder(db, config=settings(streams_per_person=1)) as ada:
        session = await ada.start()
        transport = ada.client._transport
        taken = transport.app.state.streams  # type: ignore[attr-defined]
        taken.respond(ada.person.id, events())
        answer = await ada.client.get(f"/v1/sessions/{session}/progress")
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "10")
        assert answer.json()["type"].endswith(":too-many-streams")
        taken.close(ada.person.id)


async def test_tokens_have_a_number_and_revoked_ones_do_not_count(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada, settings(tokens_per_person=2)) as browser:
        asked = {"name": "backup", "scopes": ["api"]}
        made = [await browser.post("/v1/tokens", json=asked) for _ in range(2)]
        refused = await browser.post("/v1/tokens", json=asked)
        assert (refused.status_code, refused.json()["type"]) == (
            409,
            "urn:mindhit:problem:token-limit",
        )
        device = made[0].json()["device"]["id"]
        assert (await browser.delete(f"/v1/devices/{device}")).status_code == 204
        assert (await browser.post("/v1/tokens", json=asked)).status_code == 201


async def test_a_full_disk_takes_nothing_in_and_loses_nothing(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start()
        path = f"/v1/sessions/{session}/events:batch"
        await ada.client.post(path, json={"events": [alive(1, 1)]})
        body = {"events": [{**alive(2, 2), "sessionId": session}]}
        headers = {"Authorization": ada.client.headers["Authorization"]}
        async with client_of(db, settings(min_free_space=FULL), **headers) as full:
            for route, sent in ((path, body), ("/v1/events/batch", body), (START, {})):
                refused = await full.post(route, json=sent)
                assert refused.status_code == 507, route
                assert refused.json()["type"] == "urn:mindhit:problem:disk-full"
                assert refused.headers["retry-after"] == "300"
            assert (await full.get(f"/v1/sessions/{session}")).status_code != 507
        assert (await ada.client.post(path, json=body)).json()["ackedSeq"] == 2
        assert await stored_seqs(db, session) == [1, 2]


async def test_a_full_disk_imports_and_exports_nothing(db: Database) -> None:
    ada = await add(db)
    headers = {"Authorization": f"Bearer {await token_of(db, ada, Scope.API)}"}
    async with client_of(db, settings(min_free_space=FULL), **headers) as client:
        for method, path in (
            ("POST", "/v1/imports"),
            ("POST", "/v1/me/exports"),
            ("GET", "/v1/library/export"),
        ):
            answer = await client.request(method, path, content=b"x" if method == "POST" else None)
            assert answer.status_code == 507, path
            assert answer.json()["type"] == "urn:mindhit:problem:disk-full"


async def test_imports_wait_for_those_that_are_under_way(db: Database) -> None:
    ada = await add(db)
    headers = {"Authorization": f"Bearer {await token_of(db, ada, Scope.API)}"}
    async with client_of(db, settings(), **headers) as client:
        made = [await client.post("/v1/imports", content=b"<DL></DL>") for _ in range(5)]
        assert {answer.status_code for answer in made} == {202}
        refused = await client.post("/v1/imports", content=b"<DL></DL>")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
        assert refused.json()["type"] == "urn:mindhit:problem:too-many-imports"
        assert (await client.post(f"/v1/imports/{made[0].json()['id']}/cancel")).status_code == 200
        assert (await client.post("/v1/imports", content=b"<DL></DL>")).status_code == 202


def test_one_export_for_a_person_and_two_in_all() -> None:
    exports = Exports()
    ada, bob, eve = uuid4(), uuid4(), uuid4()
    with exports.place(ada):
        with pytest.raises(ExportRunning), exports.place(ada):
            pass
        with exports.place(bob), pytest.raises(ExportRunning), exports.place(eve):
            pass
        with pytest.raises(ZeroDivisionError), exports.place(bob):
            _ = 1 / 0
        with exports.place(eve):
            pass


async def test_an_export_beside_another_is_told_to_wait(db: Database) -> None:
    ada = await add(db)
    headers = {"Authorization": f"Bearer {await token_of(db, ada, Scope.API)}"}
    async with client_of(db, settings(), **headers) as client:
        answers = await asyncio.gather(*(client.get("/v1/library/export") for _ in range(4)))
        statuses = sorted(answer.status_code for answer in answers)
        assert (statuses[0], statuses[-1]) == (200, 429)
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["type"] == "urn:mindhit:problem:export-running"
        assert (await client.get("/v1/library/export")).status_code == 200


async def test_ten_exports_of_a_session_leave_connections_to_others(db: Database) -> None:
    """All ten want what somebody else has locked; they wait with two connections of ten."""
    async with recorder(db) as ada, browser_of(db, await add(db, "bob@example.org")) as bob:
        session = await ada.start()
        async with browser_of(db, ada.person) as browser:
            path = f"/v1/sessions/{session}/export?format=json"
            async with db.transaction() as tx:
                await tx._connection.execute("lock table page_visits in access exclusive mode")
                exports = [asyncio.create_task(browser.get(path)) for _ in range(10)]
                while not await waiting_for_a_lock(db):
                    await asyncio.sleep(0.01)
                assert (await bob.get("/v1/me")).status_code == 200
                assert (await bob.get("/v1/devices")).status_code == 200
                assert await waiting_for_a_lock(db) <= 2
            assert {answer.status_code for answer in await asyncio.gather(*exports)} == {200}


async def waiting_for_a_lock(db: Database) -> int:
    """How many connections do."""
    [[count]] = await rows(
        db,
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and wait_event_type = 'Lock'",
    )
    return int(count)


async def test_an_ordinary_request_has_a_megabyte(db: Database) -> None:
    ada = await add(db)
    headers = {"Authorization": f"Bearer {await token_of(db, ada, Scope.API)}"}
    body = json.dumps({"language": "x" * ORDINARY_BYTES}).encode()
    async with client_of(db, settings(), **headers) as client:
        assert (await client.patch("/v1/me/settings", content=body)).status_code == 413
        values = b'{"language":[' + b"0," * MOST_PARTS + b"0,0]}"
        assert (await client.patch("/v1/me/settings", content=values)).status_code == 413
        fewer = b'{"language":[' + b"0," * (MOST_PARTS - 1) + b"0]}"
        assert (await client.patch("/v1/me/settings", content=fewer)).status_code == 422
        session = (await client.post("/v1/sessions/start", json={})).json()["session_id"]
        large = json.dumps({"events": [], "more": "x" * ORDINARY_BYTES}).encode()
        answer = await client.post(f"/v1/sessions/{session}/events:batch", content=large)
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("site", "mode", "dest", "status"),
    [
        (None, None, None, 200),
        ("same-origin", "cors", "empty", 200),
        ("none", "navigate", "document", 200),
        ("cross-site", "navigate", "document", 200),
        ("same-site", "no-cors", "image", 403),
        ("cross-site", "no-cors", "image", 403),
        ("same-site", "cors", "empty", 403),
        ("cross-site", "navigate", "iframe", 403),
    ],
)
async def test_other_pages_read_nothing_with_the_cookie(
    db: Database, site: str | None, mode: str | None, dest: str | None, status: int
) -> None:
    ada = await add(db)
    said = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
    headers = {name: value for name, value in said.items() if value}
    async with client_of(db, Cookie=f"mindhit={await cookie_of(db, ada)}") as client:
        answer = await client.get("/v1/me", headers=headers)
        assert answer.status_code == status
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
