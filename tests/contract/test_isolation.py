"""Two people on one server: no route gives one of them anything of the other's, whatever the key.

Generated from the OpenAPI document: a new route is tried without a line here; a new kind of id, or
a body that is not known, fails until it is named below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mindhit import accounts, mail
from mindhit.accounts import Person, Scope
from mindhit.accounts.jobs import MailVerifyLink
from mindhit.db import Database
from mindhit.mail import Message
from mindhit.tracking.demo.icons import icon_of
from mindhit.work import enqueue
from tests.accounts.kit import (
    HERE,
    PASSWORD,
    add,
    add_owner,
    client_of,
    connected,
    cookie_of,
    run_jobs,
    token_of,
    traces,
)

DOCUMENT = Path(__file__).parents[2] / "clients" / "ts" / "openapi.json"
MARK = "of-ada-alone"
ADA, EVE = "ada-of-ada-alone@example.org", "eve@example.org"
NOBODYS = "00000000-0000-0000-0000-000000000000"
ALIVE = {"seq": 1, "t": 1_750_000_000_000, "type": "ALIVE"}

# What a route is sent, where it wants a body: valid, so that nothing but the rights can stop it.
BODIES: dict[str, Any] = {
    "POST /v1/auth/owner": {"token": "mh_link_x", "email": EVE, "password": PASSWORD},
    "POST /v1/auth/sign-in": {"email": EVE, "password": "not hers at all"},
    "POST /v1/auth/sign-up": {"email": EVE},
    "POST /v1/auth/confirm": {"token": "mh_link_x"},
    "POST /v1/auth/reset": {"email": EVE},
    "POST /v1/auth/reset/confirm": {"token": "mh_link_x", "password": PASSWORD},
    "POST /v1/auth/refresh": {"refresh_token": "mh_rt_x"},
    "POST /v1/connect": {"name": "Eve's"},
    "POST /v1/connect/poll": {"device_code": "mh_dc_x"},
    "POST /v1/connect/{user_code}": {"decision": "approve"},
    "PATCH /v1/me/settings": {"language": "ko"},
    "PATCH /v1/me/excluded-domains": {"add": ["bank.example"]},
    "POST /v1/me/password": {"current": "wrong on purpose", "new": PASSWORD},
    "POST /v1/me/email": {"email": "eve2@example.org", "password": PASSWORD},
    "POST /v1/me/erase": {"email": "wrong@example.org", "password": PASSWORD},
    "POST /v1/tokens": {"name": "a token", "scopes": ["api"]},
    "POST /v1/admin/users": {"email": "eve3@example.org"},
    "POST /v1/sessions/start": {},
    "POST /v1/sessions/{session_id}/stop": {},
    "POST /v1/sessions/{session_id}/events:batch": {"events": [ALIVE]},
    "POST /v1/events/batch": {"events": [{**ALIVE, "sessionId": NOBODYS}]},
    "PATCH /v1/sessions/{session_id}": {"title": "Eve's"},
}
# And in its query, where it cannot go without.
QUERIES = {"GET /v1/sessions/{session_id}/export": {"format": "json"}}
LAST = ("POST /v1/auth/sign-out",)  # after which this key is good for nothing
# Routes that answer anybody; they hold nothing of a person's.
# What an extension may do with a session that is its own person's.
RECORDED = {
    "DELETE /v1/sessions/{session_id}",  # what it recorded itself
    "POST /v1/sessions/{session_id}/stop",
    "POST /v1/sessions/{session_id}/events:batch",
    "POST /v1/events/batch",
    "GET /v1/sessions/{session_id}/progress",
}
OPEN = re.compile(r"^\w+ (/healthz|/readyz|/metrics|/v1/about|/v1/auth.*|/v1/connect(/poll)?)$")


@dataclass(frozen=True, slots=True)
class Route:
    name: str
    method: str
    path: str
    ids: tuple[str, ...]
    has_body: bool

    def at(self, ids: dict[str, str]) -> str:
        return self.path.format(**{name: ids[name] for name in self.ids})


def routes() -> Iterator[Route]:
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    found = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            name = f"{method.upper()} {path}"
            ids = tuple(re.findall(r"{(\w+)}", path))
            found.append(Route(name, method.upper(), path, ids, "requestBody" in operation))
    yield from sorted(found, key=lambda route: route.name in LAST)


async def ids_of_ada(db: Database, ada: Person) -> dict[str, str]:
    """One of each kind of thing that a path can name, every one of them Ada's."""
    async with client_of(db) as browser:
        browser.cookies.set("mindhit", await cookie_of(db, ada))
        await connected(db, browser)
        started = (await browser.post("/v1/connect", json={"name": MARK})).json()
        decision = {"decision": "approve"}
        await browser.post(f"/v1/connect/{started['user_code']}", json=decision)
        devices = (await browser.get("/v1/devices")).json()["items"]
    async with db.transaction() as tx:
        job = await enqueue(tx, MailVerifyLink(ada.id))
        await mail.keep(tx, Message(ADA, MARK, MARK), ada.id)
        [kept] = await mail.list_kept(tx, limit=1)
    return {
        "session_id": await a_session_of(db, ada),
        "icon": md5(icon_of(MARK).encode()).hexdigest(),
        "device_id": devices[-1]["id"],
        "user_code": started["user_code"],
        "number": str(job),
        "mail_id": str(kept.id),
    }


async def a_session_of(db: Database, ada: Person) -> str:
    """With a page, a text, an icon and a highlight in it."""
    key = {"Authorization": f"Bearer {await token_of(db, ada, Scope.EXTENSION)}"}
    page = {"tabId": 1, "url": f"https://example.org/{MARK}", "t": 1_750_000_000_000}
    said = {"favicon": icon_of(MARK)}
    text = {"content": MARK, "extractionOk": True, "title": MARK, "meta": said}
    events = [
        {**page, "seq": 1, "type": "NAV_COMMITTED", "payload": text},
        {**page, "seq": 2, "type": "HIGHLIGHT", "payload": {"text": MARK}},
        {**ALIVE, "seq": 3, "t": 1_750_000_001_000},
    ]
    async with client_of(db, **key) as extension:
        began = {"title": MARK, "startedAt": 1_750_000_000_000}
        session = (await extension.post("/v1/sessions/start", json=began)).json()["sessionId"]
        path = f"/v1/sessions/{session}"
        sent = await extension.post(f"{path}/events:batch", json={"events": events})
        assert sent.json()["ackedSeq"] == 3
        await extension.post(f"{path}/stop", json={"lastSeq": 3})
    await run_jobs(db)
    return str(session)


async def keys_of_eve(db: Database, eve: Person) -> dict[str, dict[str, str]]:
    keys = {"cookie": {"Cookie": f"mindhit={await cookie_of(db, eve)}"}}
    for scope in (Scope.API, Scope.EXTENSION, Scope.ADMIN):
        keys[scope] = {"Authorization": f"Bearer {await token_of(db, eve, scope)}"}
    async with client_of(db) as browser:
        browser.cookies.set("mindhit", await cookie_of(db, eve))
        tokens = await connected(db, browser)
    keys["connected extension"] = {"Authorization": f"Bearer {tokens['access_token']}"}
    return {**keys, "nothing": {}}


async def call(
    client: httpx2.AsyncClient, route: Route, ids: dict[str, str], key: dict[str, str]
) -> httpx2.Response:
    assert not route.has_body or route.name in BODIES, f"say above what {route.name} is sent"
    missing = set(route.ids) - set(ids)
    assert not missing, f"say in ids_of_ada what {missing} of {route.name} is"
    return await client.request(
        route.method,
        route.at(ids),
        params=QUERIES.get(route.name),
        json=BODIES.get(route.name),
        headers=key,
    )


async def test_no_key_of_eves_opens_anything_of_adas(db: Database) -> None:
    await add_owner(db)
    ada, eve = await add(db, ADA), await add(db, EVE)
    ids = await ids_of_ada(db, ada)
    keys = await keys_of_eve(db, eve)
    before = await traces(db, str(ada.id), MARK)
    assert len(before) > 5
    secrets = [str(ada.id), MARK, *ids.values()]
    tried = 0
    async with client_of(db) as client:
        for name, key in keys.items():
            for route in routes():
                answer = await call(client, route, ids, key)
                where = f"{route.name} with {name}: {answer.status_code}"
                if route.ids:
                    assert answer.status_code in {401, 403, 404}, where
                    told = answer.text
                    assert not any(each in told for each in secrets if len(each) > 8), where
                else:
                    assert not any(each in answer.text for each in secrets if len(each) > 8), where
                if name == "nothing" and not OPEN.match(route.name):
                    assert answer.status_code == 401, where
                tried += 1
    assert tried == len(keys) * len(list(routes()))
    assert await traces(db, str(ada.id), MARK) == before


@pytest.mark.parametrize(
    ("scope", "opened"),
    [
        (Scope.EXTENSION, {"GET /v1/me", "GET /v1/me/settings", "POST /v1/sessions/start"}),
        (
            Scope.API,
            {
                *("GET /v1/me", "GET /v1/me/settings", "PATCH /v1/me/settings"),
                "PATCH /v1/me/excluded-domains",
                *("GET /v1/me/events", "GET /v1/me/export", "GET /v1/devices"),
                *("GET /v1/sessions", "GET /v1/totals", "GET /v1/totals/days"),
                "POST /v1/sessions/start",
            },
        ),
        (Scope.ADMIN, set()),
    ],
)
async def test_a_scope_opens_its_own_routes_and_no_others(
    db: Database, scope: Scope, opened: set[str]
) -> None:
    """Of a person who is not the owner; ids are made up, so routes with ids say 404 at best."""
    eve = await add(db, EVE)
    key = {"Authorization": f"Bearer {await token_of(db, eve, scope)}"}
    ids = {
        "session_id": NOBODYS,
        "icon": "0" * 32,
        "device_id": NOBODYS,
        "user_code": "BCDF-GHJK",
        "number": "1",
        "mail_id": "1",
    }
    answers = {}
    async with client_of(db) as client:
        for route in routes():
            if not OPEN.match(route.name):
                answers[route.name] = (await call(client, route, ids, key)).status_code
    reached = {name for name, status in answers.items() if status < 400}
    assert reached == opened
    others = {name: status for name, status in answers.items() if name not in opened}
    if scope is Scope.EXTENSION:
        assert {name for name, status in others.items() if status == 404} == RECORDED
    allowed = {403} if scope is Scope.ADMIN else {403, 404}
    assert set(others.values()) <= allowed, others


async def test_the_test_sees_what_leaks(db: Database) -> None:
    """The owner's list of people holds Ada's address: the words above would be found in it."""
    owner = await add_owner(db)
    await add(db, ADA)
    async with client_of(db) as client:
        key = {"Cookie": f"mindhit={await cookie_of(db, owner)}"}
        assert MARK in (await client.get("/v1/admin/users", headers=key)).text
    assert accounts.Origin() != HERE
