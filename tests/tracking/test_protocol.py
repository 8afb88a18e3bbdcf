"""The event protocol is declared once, and everything that repeats it agrees with it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mindhit.tracking import protocol
from mindhit.tracking.protocol import EVENTS, EventType, Payload, SentEvent, SentPayload
from mindhit.tracking.timeline import fold

ROOT = Path(__file__).parents[2]
# What the log keeps in place of these: the text's id, and the columns of the event itself.
REPLACED = {"content", "meta", "url", "tab_id"}
ADDED = {"content_id", "rejected", "forgotten", "address"}


def test_every_type_is_declared_and_folded() -> None:
    sent = set(EventType) - {EventType.REJECTED}
    assert set(EVENTS) == sent
    assert set(fold._APPLY) == sent


@pytest.mark.parametrize("type_", EVENTS)
def test_a_type_carries_fields_that_exist_and_requires_what_it_carries(type_: EventType) -> None:
    spec = EVENTS[type_]
    assert set(spec.fields) <= set(SentEvent.__struct_fields__)
    assert set(spec.payload) <= set(SentPayload.__struct_fields__)
    assert set(spec.requires) <= {*spec.fields, *spec.payload}


def test_every_field_of_the_payload_belongs_to_a_type() -> None:
    used = {name for spec in EVENTS.values() for name in spec.payload}
    # The first two stand in for fields of the event; any type may bring the last.
    assert set(SentPayload.__struct_fields__) - used == {"url", "tab_id", "restart"}


def test_the_log_keeps_every_field_of_the_payload() -> None:
    kept, sent = set(Payload.__struct_fields__), set(SentPayload.__struct_fields__)
    assert (sent - kept, kept - sent) == (REPLACED, ADDED)


def test_values_are_checked_event_by_event_and_not_by_the_decoder() -> None:
    """A constraint in the type would cost a whole batch its fast path."""
    odd = {"seq": -1, "t": -5, "type": "ODD", "sessionId": "?", "payload": {"state": "odd"}}
    body = json.dumps({"events": [odd]}).encode()
    [event] = msgspec.json.decode(body, type=protocol.EventBatch).events
    assert (event.seq, event.type) == (-1, "ODD")


@pytest.mark.parametrize("path", ["/v1/sessions/{session_id}/events:batch", "/v1/events/batch"])
def test_the_api_documents_the_type_that_decodes_a_batch(path: str) -> None:
    document = json.loads((ROOT / "clients/ts/openapi.json").read_text(encoding="utf-8"))
    body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    event = body["schema"]["properties"]["events"]["items"]
    assert list(event["properties"]) == list(SentEvent.__struct_encode_fields__)
    assert event["properties"]["type"]["enum"] == [each.value for each in EVENTS]
    payload: dict[str, Any] = event["properties"]["payload"]["anyOf"][0]
    assert list(payload["properties"]) == list(SentPayload.__struct_encode_fields__)


def test_browsers_and_readers_of_the_docs_get_the_same_numbers() -> None:
    client = (ROOT / "clients/ts/src/protocol.ts").read_text(encoding="utf-8")
    docs = (ROOT / "docs/events.md").read_text(encoding="utf-8")
    for name in protocol.SHARED:
        value = getattr(protocol, name)
        literal = json.dumps(value) if isinstance(value, str) else f"{value:_}"
        assert f"export const {name} = {literal};" in client
        shown = f"`{value}`" if isinstance(value, str) else f"{value:,}"
        assert re.search(rf"^\| `{name}` \| {re.escape(shown)} \|", docs, re.MULTILINE), name
