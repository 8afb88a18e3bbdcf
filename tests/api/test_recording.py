"""Starting and stopping a recording: the names of the fields, and those of older extensions."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator

import httpx2
import pytest

from mindhit import wiring
from mindhit.api.app import create_app
from mindhit.db import Database
from tests.tracking.kit import recorder

NAMES = {"session_id", "status", "started_at", "ended_at", "acked_seq", "missing", "page_count"}


@pytest.fixture
async def client(db: Database) -> AsyncIterator[httpx2.AsyncClient]:
    async with recorder(db) as ada:
        yield ada.client


async def test_requests_and_answers_are_in_snake_case(client: httpx2.AsyncClient) -> None:
    session = str(uuid.uuid4())
    asked = {"session_id": session, "started_at": "2025-06-15T12:00:00Z", "title": "One"}
    started = (await client.post("/v1/sessions/start", json=asked)).json()
    assert started.keys() - {"sessionId"} == NAMES
    assert (started["session_id"], started["started_at"]) == (session, "2025-06-15T12:00:00Z")
    end = {"last_seq": 0, "ended_at": "2025-06-15T12:30:00Z"}
    stopped = (await client.post(f"/v1/sessions/{session}/stop", json=end)).json()
    assert stopped.keys() - {"sessionId"} == NAMES
    assert (stopped["session_id"], stopped["ended_at"]) == (session, "2025-06-15T12:30:00Z")


async def test_an_extension_of_0_1_still_records(client: httpx2.AsyncClient) -> None:
    """It sends camelCase, and takes an answer for its own only by the `sessionId` in it. To be
    removed with 1.0."""
    session = str(uuid.uuid4())
    started = await client.post(
        "/v1/sessions/start", json={"sessionId": session, "startedAt": 1_750_000_000_000}
    )
    assert started.json()["sessionId"] == session
    assert started.json()["started_at"] == "2025-06-15T15:06:40Z"
    stopped = await client.post(
        f"/v1/sessions/{session}/stop", json={"lastSeq": 0, "endedAt": 1_750_000_001_000}
    )
    assert stopped.json()["sessionId"] == session
    assert stopped.json()["ended_at"] == "2025-06-15T15:06:41Z"


def test_only_the_event_protocol_is_documented_in_camel_case() -> None:
    document = create_app(wiring.product(wiring.make_settings())).openapi()
    schemas = document["components"]["schemas"]
    camel = {
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field in schema.get("properties", {})
        if field != field.lower()
    }
    assert camel == {"BatchReceipt.ackedSeq", "BatchReceipt.pageCount"}
