"""Notes, for the contract tests."""

from __future__ import annotations

from mindhit import notes
from mindhit.accounts import Person, Scope
from mindhit.db import Database
from tests.contract.slices import Contract, Ids


async def life(db: Database, person: Person, canary: str) -> Ids:
    async with db.transaction() as tx:
        await notes.write_note(tx, person.id, canary)
    return {}


CONTRACT = Contract(
    paths=("/v1/notes",),
    bodies={"POST /v1/notes": {"text": "a note"}},
    scopes={Scope.API: frozenset({"GET /v1/notes", "POST /v1/notes"})},
    life=life,
)
