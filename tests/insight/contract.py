"""A session with a map that was edited, its topics, its report, and what is asked for again."""

from __future__ import annotations

from uuid import UUID

import msgspec

from mindhit import library
from mindhit.accounts import Person, Scope
from mindhit.db import Database
from mindhit.insight import store
from mindhit.insight.mindmap.building import build
from mindhit.insight.model import MadeBy, PageRead, to_json
from mindhit.insight.store.maps import NewMap
from mindhit.tracking import SessionId
from mindhit.tracking.timeline import closing
from tests.accounts.kit import client_of, rows, token_of
from tests.contract.slices import Contract, Ids
from tests.tracking.contract import NOBODYS, record
from tests.tracking.kit import subscribe_nobody


async def life(db: Database, person: Person, canary: str) -> Ids:
    """A session whose timeline is closed, and what is made of one, with the canary in it."""
    key = await token_of(db, person, Scope.EXTENSION)
    async with client_of(db, Authorization=f"Bearer {key}") as extension:
        subscribe_nobody()
        session_id = UUID(await record(extension, canary))
        live = (await extension.post("/v1/sessions/start", json={})).json()
    async with db.transaction() as tx:
        await closing.close(tx, person.id, SessionId(session_id))
    [visit] = await rows(
        db,
        "select url_id, opened_by_seq from page_visits where session_id = $1 and is_focused limit 1",
        session_id,
    )
    page = PageRead(
        visit["url_id"], canary, "example.org", (f"{session_id}:{visit['opened_by_seq']}",), 1000
    )
    graph = build(canary, [page], [])
    async with db.transaction() as tx:
        await tx.run(
            store.maps.PUT_MAP,
            NewMap(
                session_id=session_id,
                user_id=person.id,
                nodes=to_json(graph.nodes),
                edges=to_json(graph.edges),
                metadata=msgspec.to_builtins(MadeBy("builtin", "1", "topics.v1", "1")),
                made_of=canary,
                timeline_version=1,
                thumbnail=[[1, 0, 0, 100, 100]],
            ),
        )
        op = {"op": "rename", "id": "root", "label": canary}
        await tx.run(store.topics.DROP_TOPICS, session_id, person.id)
        topic = {"place": 0, "label": canary, "url_ids": [str(visit["url_id"])]}
        await tx.run(store.topics.ADD_TOPICS, session_id, person.id, [topic])
        await library.put_topics(tx, person.id, session_id, [canary], 1)
        await tx.run(store.maps.ADD_EDIT, session_id, person.id, 1, op, {})
        # Of a session that goes on: whoever runs jobs next would answer another's.
        await tx.run(store.processing.REQUEST, UUID(live["session_id"]), person.id, ["map"])
        await tx.maybe(store.reports.ADD, session_id, person.id, "due")
    # The link in a mail is a key itself: whoever has it may use it. Here it is one that nobody has.
    return {"token": "nobody.nothing", "session_id": str(session_id)}


OF_SESSION = "/v1/sessions/{session_id}"
ROUTES = frozenset(
    {
        f"GET {OF_SESSION}/mindmap",
        f"PATCH {OF_SESSION}/mindmap",
        f"DELETE {OF_SESSION}/mindmap/edits",
        f"GET {OF_SESSION}/mindmap/export",
        f"POST {OF_SESSION}/reprocess",
        f"GET {OF_SESSION}/report",
        f"GET {OF_SESSION}/cost",
    }
)
CONTRACT = Contract(
    paths=(
        f"{OF_SESSION}/mindmap",
        f"{OF_SESSION}/reprocess",
        f"{OF_SESSION}/report",
        f"{OF_SESSION}/cost",
        "/v1/unsubscribe",
    ),
    bodies={
        f"PATCH {OF_SESSION}/mindmap": {"revision": "x", "ops": [{"op": "delete", "id": "root"}]},
        f"POST {OF_SESSION}/reprocess": {},
    },
    queries={f"GET {OF_SESSION}/mindmap/export": {"format": "svg"}},
    public=frozenset({"GET /v1/unsubscribe/{token}", "POST /v1/unsubscribe/{token}"}),
    scopes={Scope.API: ROUTES},
    spent=frozenset({"GET /v1/unsubscribe/{token}", "POST /v1/unsubscribe/{token}"}),
    life=life,
    no_ids={"session_id": NOBODYS, "token": "nobody.nothing"},
    not_exported={
        "mindmap_graphs.made_of": "a hash of what the map was made of",
        "mindmap_graphs.timeline_version": "how far the log had come; the log itself is there",
        "mindmap_graphs.thumbnail": "made of the map, which is there",
    },
)
