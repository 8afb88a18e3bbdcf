"""Two people on one server: no route gives one of them anything of the other's, whatever the key.

Generated from the OpenAPI document and the contracts beside each slice's tests: a new route is tried
without a line here; a new kind of id, or a body that is not known, fails until its slice names it.
"""

from __future__ import annotations

from dataclasses import replace

import httpx2
import pytest

from mindhit.accounts import Person, Role, Scope
from mindhit.db import Database
from tests.accounts.kit import (
    add,
    add_owner,
    client_of,
    connected,
    cookie_of,
    token_of,
    traces,
)
from tests.contract.slices import (
    Contract,
    Ids,
    Route,
    contracts,
    live,
    route_faults,
    routes,
    slice_of,
)

CANARY = "of-ada-alone"
ADA, EVE = f"ada-{CANARY}@example.org", "eve@example.org"
CONTRACTS = contracts()
PUBLIC = {name for contract in CONTRACTS.values() for name in contract.public}
SPENT = {name for contract in CONTRACTS.values() for name in contract.spent}
LAST = {name for contract in CONTRACTS.values() for name in contract.last}
ROUTES = sorted(routes(), key=lambda route: route.name in LAST)


def test_a_contract_speaks_for_every_route() -> None:
    assert list(route_faults(CONTRACTS, ROUTES)) == []


def test_what_a_contract_forgets_or_no_longer_needs_is_found() -> None:
    posted = Route("POST /v1/walks/{walk_id}", "POST", "/v1/walks/{walk_id}", ("walk_id",), True)
    walking = Contract(paths=("/v1/walks",), bodies={posted.name: {}}, no_ids={"walk_id": "1"})
    other = {"walking": walking, "running": Contract(paths=("/v1/runs",))}

    def faults(contract: Contract, *found: Route) -> list[str]:
        return list(route_faults({"walking": contract}, list(found)))

    assert faults(walking, posted) == []
    [pathless] = faults(Contract(), posted)
    assert "tests/<slice>/contract.py" in pathless
    [bodiless] = faults(replace(walking, bodies={}), posted)
    assert bodiless == f"{posted.name}: say in tests/walking/contract.py what it is sent (`bodies`)"
    [idless] = faults(replace(walking, no_ids={}), posted)
    assert "tests/walking/contract.py what walk_id is" in idless
    [gone, unused] = faults(walking)
    assert gone == f"{posted.name} is no route, but `bodies` in tests/walking/contract.py names it"
    assert "/v1/walks" in unused
    assert any("no route begins with /v1/runs" in each for each in route_faults(other, [posted]))


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
    client: httpx2.AsyncClient, route: Route, ids: Ids, key: dict[str, str]
) -> httpx2.Response:
    slice_ = slice_of(route, CONTRACTS)
    assert slice_ is not None, route.name
    return await client.request(
        route.method,
        route.at(ids),
        params=CONTRACTS[slice_].queries.get(route.name),
        json=CONTRACTS[slice_].bodies.get(route.name),
        headers=key,
    )


async def test_no_key_of_eves_opens_anything_of_adas(db: Database) -> None:
    await add_owner(db)
    ada, eve = await add(db, ADA), await add(db, EVE)
    ids = await live(db, ada, CANARY)
    keys = await keys_of_eve(db, eve)
    before = await traces(db, str(ada.id), CANARY)
    secrets = [each for each in (str(ada.id), CANARY, *ids.values()) if len(each) > 8]
    async with client_of(db) as client:
        for name, key in keys.items():
            for route in ROUTES:
                answer = await call(client, route, ids, key)
                where = f"{route.name} with {name}: {answer.status_code}"
                assert not any(secret in answer.text for secret in secrets), where
                if route.ids:
                    assert answer.status_code in {401, 403, 404}, where
                if name == "nothing" and route.name not in PUBLIC:
                    assert answer.status_code == 401, where
    assert await traces(db, str(ada.id), CANARY) == before


async def test_adas_own_key_opens_what_eves_did_not(db: Database) -> None:
    """The ids and bodies above are good ones: with them, Ada's browser is refused nowhere for what
    she names, and her words are in the answers."""
    ada = await add(db, ADA, role=Role.OWNER)
    ids = await live(db, ada, CANARY)
    key = {"Cookie": f"mindhit={await cookie_of(db, ada)}"}
    told = set()
    async with client_of(db) as client:
        for route in ROUTES:
            if route.method == "GET":
                answer = await call(client, route, ids, key)
                if route.ids and route.name not in SPENT:
                    assert answer.status_code == 200, f"{route.name}: {answer.text}"
                if CANARY in answer.text or str(ada.id) in answer.text:
                    told.add(slice_of(route, CONTRACTS))
    assert told >= {name for name, contract in CONTRACTS.items() if contract.no_ids}


@pytest.mark.parametrize("scope", [Scope.EXTENSION, Scope.API, Scope.ADMIN])
async def test_a_scope_opens_its_own_routes_and_no_others(db: Database, scope: Scope) -> None:
    """Of a person who is not the owner. Ids are made up: a route that is open says 404 to them."""
    expected = {name for contract in CONTRACTS.values() for name in contract.scopes.get(scope, ())}
    eve = await add(db, EVE)
    key = {"Authorization": f"Bearer {await token_of(db, eve, scope)}"}
    ids = {name: id_ for each in CONTRACTS.values() for name, id_ in each.no_ids.items()}
    async with client_of(db) as client:
        answers = {
            route.name: (await call(client, route, ids, key)).status_code
            for route in ROUTES
            if route.name not in PUBLIC
        }
    opened = {name for name, status in answers.items() if status < 400 or status == 404}
    assert opened == expected
    assert {status for name, status in answers.items() if name not in opened} == {403}
