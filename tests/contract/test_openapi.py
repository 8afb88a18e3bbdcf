"""The OpenAPI document is true: schemathesis asks everything it allows, and much that it forbids."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import asyncpg
import pytest
import schemathesis
from hypothesis import HealthCheck, assume, settings
from schemathesis import Case, Response
from schemathesis.checks import CheckContext
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)

from mindhit.accounts import Person
from mindhit.api.http.problems import MEDIA_TYPE
from mindhit.db import Database
from tests import servers
from tests.accounts.kit import add_owner, cookie_of

Made = TypeVar("Made")
DOCUMENT = Path(__file__).parents[2] / "clients" / "ts" / "openapi.json"


@pytest.fixture(scope="module")
def api_url(tmp_path_factory: pytest.TempPathFactory, module_database_url: str) -> Iterator[str]:
    log = tmp_path_factory.mktemp("api") / "api.log"
    cheap = {"password_memory": 8, "password_rounds": 1, "sign_in_limit": 0, "rate_limit": 0}
    # Addresses that are made up here must not be called.
    cheap["own_provider_keys"] = False
    with servers.api(log, module_database_url, sign_up="open", **cheap) as url:
        yield url
    assert "request broke" not in log.read_text(), "the API made a mistake; see above"


@pytest.fixture(scope="module")
def owner(module_database_url: str) -> Person:
    return asyncio.run(_with(module_database_url, add_owner))


@pytest.fixture
def key(api_url: str, module_database_url: str, owner: Person) -> dict[str, str]:
    """The owner's browser, to which every route is open; a new one each time, since signing out is
    among the routes."""
    cookie = asyncio.run(_with(module_database_url, lambda db: cookie_of(db, owner)))
    return {"Cookie": f"mindhit={cookie}", "Origin": api_url}


async def _with(url: str, act: Callable[[Database], Awaitable[Made]]) -> Made:
    db = await Database.open(url, size=2)
    try:
        return await act(db)
    finally:
        await db.close()


# `make check` holds the committed document to what the code says, so it can stand for the server's.
schema = schemathesis.openapi.from_path(DOCUMENT)
# A list that is far too long is refused by the size of its body, before it is read.
_rejection = schema.config.checks.negative_data_rejection
_rejection.expected_statuses = [*_rejection.expected_statuses, "413"]


@schemathesis.check
def errors_are_problem_documents(ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    if response.status_code < 400:
        return
    kind = response.headers.get("content-type", ["none"])[0]
    assert kind == MEDIA_TYPE, f"{response.status_code} came as {kind}"
    document = response.json()
    assert document["status"] == response.status_code
    assert document["title"]
    assert response.status_code != 500, document


_OVER = """
update sessions set status = 'completed', stopped_at = coalesce(stopped_at, now())
 where status in ('recording', 'processing')"""


async def _end_recordings(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(_OVER)
    finally:
        await connection.close()


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_api_or_its_description(
    case: Case[Any], api_url: str, module_database_url: str, key: dict[str, str]
) -> None:
    # No schema can tell one of our cursors from one that was made up, nor a body that makes sense
    # from one that is only well formed. Keys are tried in test_isolation; here one always fits.
    beyond = [ignored_auth]
    if "cursor" in (case.query or {}) or case.body is not None or case.path_parameters:
        beyond.append(positive_data_acceptance)
    if case.path.endswith(("events:batch", "events/batch")):
        # One bad event among good ones is named in the answer, not a reason to refuse them all.
        beyond.append(negative_data_rejection)
    told = case.query or {}
    if any(isinstance(value, list) for value in told.values()):
        # Of a parameter that stands there several times the last one counts.
        beyond.append(negative_data_rejection)
    # The server refuses a line longer than 64 kB before it is a request.
    assume(len(urlencode(told, doseq=True)) < 60_000)
    if case.path.endswith("/progress"):
        # Whoever watches a recording that goes on watches for ten minutes.
        asyncio.run(_end_recordings(module_database_url))
    case.call_and_validate(base_url=api_url, headers=key, excluded_checks=beyond)


def test_every_operation_is_tried(request: pytest.FixtureRequest) -> None:
    """Not one of them in the name of all; see conftest.py."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    operations = sum(len(each) for each in document["paths"].values())
    name = "test_no_request_breaks_the_api_or_its_description["
    tried = {item.nodeid for item in request.session.items if name in item.nodeid}
    assert len(tried) == operations


def test_every_route_documents_its_errors_as_problems() -> None:
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    for path, operations in document["paths"].items():
        for operation in operations.values():
            errors = {s: a for s, a in operation["responses"].items() if int(s) >= 400}
            assert all(list(answer["content"]) == [MEDIA_TYPE] for answer in errors.values())
            if path.startswith("/v1/"):
                assert {"429", "500", "503"} <= set(errors)


def test_what_may_be_null_is_described_so() -> None:
    """An enum beside `anyOf: [string, null]` forbids the null that the type allows."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    wrong = [
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field, described in schema.get("properties", {}).items()
        if {"type": "null"} in described.get("anyOf", ())
        and None not in described.get("enum", [None])
    ]
    assert not wrong
