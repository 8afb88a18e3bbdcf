"""Sessions and what was read in them."""

from __future__ import annotations

from hashlib import md5
from typing import Any

import httpx2

from mindhit.accounts import Person, Scope
from mindhit.db import Database
from mindhit.tracking.demo.icons import icon_of
from mindhit.urls import normalise
from tests.accounts.kit import client_of, run_jobs, token_of
from tests.contract.slices import Contract, Ids
from tests.tracking.kit import subscribe_nobody

START = 1_750_000_000_000
MINUTE = 60_000
NOBODYS = "00000000-0000-0000-0000-000000000000"
ALIVE = {"seq": 1, "t": START, "type": "ALIVE"}


async def life(db: Database, person: Person, canary: str) -> Ids:
    """A session that is closed, with a note on its highlight, one that was deleted, one whose timeline is
    still to be closed, and a page that is forgotten."""
    token = await token_of(db, person, Scope.EXTENSION)
    async with client_of(db, Authorization=f"Bearer {token}") as extension:
        subscribe_nobody()
        closed = await record(extension, canary)
        deleted = await record(extension, canary)
        assert (await extension.delete(f"/v1/sessions/{deleted}")).status_code == 204
        await run_jobs(db)
        await record(extension, canary)
        page = {"url": f"https://example.net/{canary}"}
        forgotten = (await extension.post("/v1/forget", json=page)).json()["id"]
    api = await token_of(db, person, Scope.API)
    async with client_of(db, Authorization=f"Bearer {api}") as script:
        subscribe_nobody()
        listed = (await script.get("/v1/highlights")).json()["highlights"]
        highlight = next(each["id"] for each in listed if each["session_id"] == closed)
        noted = await script.patch(f"/v1/highlights/{highlight}", json={"note": canary})
        assert noted.status_code == 200
    icon = md5(icon_of(canary).encode()).hexdigest()
    ids = {"session_id": closed, "highlight_id": highlight}
    ids["url_id"] = str(normalise(f"https://example.org/{canary}").id)
    return {**ids, "icon": icon, "forget_id": forgotten}


async def record(extension: httpx2.AsyncClient, canary: str) -> str:
    """A session with two pages, a text, an icon, a highlight and a pause; stopped."""
    began = {"title": canary, "started_at": START}
    session = (await extension.post("/v1/sessions/start", json=began)).json()["session_id"]
    sent = await extension.post(
        f"/v1/sessions/{session}/events:batch", json={"events": events(canary)}
    )
    assert sent.json()["ackedSeq"] == len(events(canary))
    stopped = {"last_seq": len(events(canary))}
    assert (await extension.post(f"/v1/sessions/{session}/stop", json=stopped)).is_success
    return str(session)


def events(canary: str) -> list[dict[str, Any]]:
    tab = {"tabId": 1, "windowId": 1, "url": f"https://example.org/{canary}"}
    other = {**tab, "url": f"https://example.com/{canary}"}
    text = {
        "content": canary,
        "extractionOk": True,
        "title": canary,
        "meta": {"favicon": icon_of(canary)},
    }
    idle = {"state": "idle", "thresholdMs": MINUTE}
    happened: list[tuple[int, str, dict[str, Any], dict[str, Any]]] = [
        (0, "TAB_ACTIVATED", tab, {}),
        (0, "NAV_COMMITTED", tab, text),
        (1_000, "HIGHLIGHT", tab, {"text": canary}),
        (2_000, "NAV_COMMITTED", other, {"title": canary, "transition": "link"}),
        (3_000, "ALIVE", {}, {}),
        (2 * MINUTE, "IDLE_STATE_CHANGED", {}, idle),
        (3 * MINUTE, "IDLE_STATE_CHANGED", {}, {"state": "active"}),
        (3 * MINUTE + 1_000, "ALIVE", {}, {}),
    ]
    return [
        {"seq": seq, "t": START + after, "type": type_, **where, "payload": payload}
        for seq, (after, type_, where, payload) in enumerate(happened, 1)
    ]


RECORDING = frozenset(
    {
        "POST /v1/sessions/start",
        "POST /v1/sessions/{session_id}/stop",
        "POST /v1/sessions/{session_id}/events:batch",
        "POST /v1/events/batch",
        "GET /v1/sessions/{session_id}/progress",
        "POST /v1/forget",
        "DELETE /v1/sessions/{session_id}",  # what it recorded itself
        "POST /v1/highlights/lookup",
    }
)

CONTRACT = Contract(
    paths=(
        *("/v1/sessions", "/v1/events", "/v1/totals", "/v1/icons", "/v1/demo", "/v1/forget"),
        *("/v1/highlights", "/v1/visited"),
    ),
    bodies={
        "POST /v1/sessions/start": {},
        "POST /v1/sessions/{session_id}/stop": {},
        "POST /v1/sessions/{session_id}/events:batch": {"events": [ALIVE]},
        "POST /v1/events/batch": {"events": [{**ALIVE, "sessionId": NOBODYS}]},
        "PATCH /v1/sessions/{session_id}": {"title": "Eve's"},
        "POST /v1/forget": {"last": "1h"},
        "PATCH /v1/highlights/{highlight_id}": {"note": "Eve's"},
        "POST /v1/highlights/lookup": {"address": "https://example.org/a"},
    },
    queries={"GET /v1/sessions/{session_id}/export": {"format": "json"}},
    scopes={
        Scope.EXTENSION: RECORDING,
        Scope.API: RECORDING
        | {
            *("GET /v1/sessions", "GET /v1/totals", "GET /v1/totals/days"),
            "GET /v1/totals/calendar",
            *("GET /v1/sessions/{session_id}", "PATCH /v1/sessions/{session_id}"),
            "GET /v1/sessions/{session_id}/export",
            *("GET /v1/highlights", "PATCH /v1/highlights/{highlight_id}"),
            *("GET /v1/visited/{url_id}", "GET /v1/icons/{icon}"),
            "GET /v1/forget/{forget_id}",
        },
    },
    life=life,
    no_ids={
        **dict.fromkeys(("session_id", "highlight_id", "url_id", "forget_id"), NOBODYS),
        "icon": "0" * 32,
    },
    not_exported={
        **dict.fromkeys(
            (
                *("page_visits.url_id", "page_visits.from_url_id", "highlights.url_id"),
                *("reader_urls.url_id", "raw_events.url_id"),
                *("page_visits.address", "reader_urls.address"),
            ),
            "the address itself is there",
        ),
        **dict.fromkeys(
            ("sessions.main_url_id", "sessions.main_title"),
            "made of the visits, which are there",
        ),
        **dict.fromkeys(
            (
                *("sessions.month", "sessions.next_seq", "sessions.max_seq", "sessions.last_seq"),
                *("sessions.parked", "sessions.hole_since", "sessions.is_resting"),
                *("sessions.is_stale", "sessions.version", "raw_events.month"),
                *("sessions.timeline_version", "sessions.timeline_at"),
            ),
            "how far the log has come; the log itself is there",
        ),
        "sessions.fold_state": "made of the log, which is there, and readable by this program only",
        **dict.fromkeys(
            (
                *("forgotten_ranges.domain_hash", "forgotten_ranges.url_hash"),
                *("forgotten_ranges.session_id", "forgotten_ranges.last_session_id"),
                *("forgotten_ranges.sessions", "forgotten_ranges.sessions_done"),
            ),
            "what was forgotten is not named anywhere; the rest says how far that is",
        ),
        "page_contents.icon": "the hash of favicon, which is there",
    },
)
