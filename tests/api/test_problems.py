"""Every error is an RFC 9457 problem document that says something and gives nothing away."""

from __future__ import annotations

from typing import Annotated, Any

import httpx2
import pytest
from fastapi import Body, FastAPI

from mindhit import errors, wiring
from mindhit.api.app import create_app
from mindhit.api.http.problems import MEDIA_TYPE, STATUS, status_of
from mindhit.db import Contended, Database, DatabaseUnavailable, Nothing, Write
from mindhit.settings import Settings
from mindhit.work import JobBusy, JobNotFound
from tests.accounts.kit import add, browser_of


def problem_of(answer: httpx2.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status
    assert answer.headers["content-type"] == MEDIA_TYPE
    document: dict[str, Any] = answer.json()
    assert document["status"] == status
    assert document["type"].startswith("urn:mindhit:problem:")
    assert document["title"]
    assert document["request_id"] == answer.headers["x-request-id"]
    return document


async def test_an_unknown_route_is_404(client: httpx2.AsyncClient) -> None:
    problem_of(await client.get("/v1/nothing-here"), 404)


async def test_a_wrong_method_is_405_and_says_which_are_right(client: httpx2.AsyncClient) -> None:
    answer = await client.post("/v1/about")
    problem_of(answer, 405)
    assert answer.headers["allow"] == "GET"


async def test_a_bad_parameter_is_422_and_named(client: httpx2.AsyncClient) -> None:
    document = problem_of(await client.get("/v1/jobs", params={"limit": 0}), 422)
    assert document["errors"] == [
        {
            "pointer": "query: limit",
            "detail": "Input should be greater than or equal to 1",
            "kind": "greater_than_equal",
        }
    ]


@pytest.mark.parametrize(
    ("path", "change", "pointer", "kind"),
    [
        ("/v1/me/settings", {"timezone": "Mars/Olympus"}, "/timezone", "bad_timezone"),
        (
            "/v1/me/settings",
            {"excluded_domains": ["a b"]},
            "/excluded_domains",
            "bad_excluded_domains",
        ),
        ("/v1/sessions/{session}", {"title": "Br\u202eead"}, "/title", "one_line"),
        ("/v1/sessions/{session}", {"title": "Bread\r\t"}, "/title", "one_line"),
        ("/v1/sessions/{session}", {"title": ""}, "/title", "string_too_short"),
    ],
)
async def test_what_is_wrong_with_a_field_has_a_name_to_be_translated_by(
    db: Database, path: str, change: dict[str, object], pointer: str, kind: str
) -> None:
    async with browser_of(db, await add(db)) as browser:
        started = (await browser.post("/v1/sessions/start", json={})).json()
        answer = await browser.patch(path.format(session=started["session_id"]), json=change)
    [wrong] = problem_of(answer, 422)["errors"]
    assert (wrong["pointer"], wrong["kind"]) == (pointer, kind)
    assert wrong["detail"]


async def test_a_missing_job_is_404_in_words(client: httpx2.AsyncClient) -> None:
    document = problem_of(await client.get("/v1/jobs/12345"), 404)
    assert document["type"] == "urn:mindhit:problem:job-not-found"
    assert document["detail"] == "There is no job with that number."


def broken_app(settings: Settings, error: Exception) -> FastAPI:
    app = create_app(wiring.product(settings))

    @app.post("/v1/broken")
    async def broken(body: Annotated[dict[str, object], Body()]) -> None:
        raise error

    app.router.routes.insert(0, app.router.routes.pop())
    return app


async def ask(app: FastAPI, **request: Any) -> httpx2.Response:
    request = request or {"json": {}}
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://mindhit.test") as client:
        return await client.post("/v1/broken", **request)


async def test_our_own_mistake_is_500_and_keeps_its_secret(settings: Settings) -> None:
    answer = await ask(broken_app(settings, RuntimeError("the password is hunter2")))
    problem_of(answer, 500)
    assert "hunter2" not in answer.text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.Invalid(), 422),
        (errors.NotFound(), 404),
        (errors.Forbidden(), 403),
        (errors.Unauthenticated(), 401),
        (errors.Conflict(), 409),
        (errors.QuotaReached(), 402),
        (errors.TooLarge(), 413),
        (errors.TooMany(7), 429),
        (DatabaseUnavailable(), 503),
        (Contended(), 503),
        (errors.Broken("the password is hunter2"), 500),
        (JobBusy(), 409),
    ],
)
async def test_each_error_has_its_status(
    settings: Settings, error: errors.MindHitError, status: int
) -> None:
    answer = await ask(broken_app(settings, error))
    problem_of(answer, status)
    assert "hunter2" not in answer.text


async def test_too_many_says_when_to_come_back(settings: Settings) -> None:
    answer = await ask(broken_app(settings, errors.TooMany(7)))
    assert answer.headers["retry-after"] == "7"


async def test_a_way_out_is_passed_on(settings: Settings) -> None:
    answer = await ask(broken_app(settings, errors.Conflict(way_out="Stop the other one.")))
    assert answer.json()["way_out"] == "Stop the other one."


async def test_a_declared_body_that_is_too_large_is_413(settings: Settings) -> None:
    answer = await ask(broken_app(settings, errors.Broken()), content=b"x" * 65 * 1024)
    problem_of(answer, 413)


async def test_a_streamed_body_that_grows_too_large_is_413(settings: Settings) -> None:
    async def endless() -> object:
        for _ in range(1000):
            yield b" " * 1024

    answer = await ask(broken_app(settings, errors.Broken()), content=endless())
    problem_of(answer, 413)


async def test_a_body_that_is_not_json_is_422(settings: Settings) -> None:
    answer = await ask(
        broken_app(settings, errors.Broken()),
        content=b"{",
        headers={"Content-Type": "application/json"},
    )
    problem_of(answer, 422)


def test_every_kind_of_error_has_a_status() -> None:
    assert status_of(JobNotFound) == STATUS[errors.NotFound]
    assert status_of(errors.MindHitError) == 500


async def test_a_database_that_takes_no_writes_is_not_ready(
    client: httpx2.AsyncClient, db: Database
) -> None:
    async with db.transaction() as tx:
        await tx.run(Write(Nothing, "lock table write_checks in share mode"))
        answer = await client.get("/readyz")
        problem = problem_of(answer, 503)
    assert problem["type"] == "urn:mindhit:problem:database-not-writable"
    assert int(answer.headers["Retry-After"]) > 0


async def test_losing_the_database_is_503(client: httpx2.AsyncClient, db: Database) -> None:
    await db.close()
    problem_of(await client.get("/v1/jobs/1"), 503)
    away = await client.get("/readyz")
    problem_of(away, 503)
    assert int(away.headers["Retry-After"]) > 0
    assert (await client.get("/healthz")).status_code == 200
