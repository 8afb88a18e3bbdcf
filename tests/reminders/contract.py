"""A reminder of a saved page, and where such pages are saved."""

from __future__ import annotations

from mindhit import library, reminders
from mindhit.accounts import Person, Scope
from mindhit.clock import utc_now
from mindhit.db import Database
from tests.contract.slices import Contract, Ids

_READ = {
    "GET /v1/reminders",
    "POST /v1/reminders",
    "POST /v1/reminders/register-by-page",
    "POST /api/reminder/register-by-page",
    "PATCH /v1/reminders/{page_id}",
    "POST /v1/reminders/{page_id}/snooze",
    "POST /v1/reminders/{page_id}/pause",
    "POST /v1/reminders/{page_id}/resume",
    "DELETE /v1/reminders/{page_id}",
}


async def life(db: Database, person: Person, canary: str) -> Ids:
    async with db.transaction() as tx:
        address = f"https://{canary}.example/again"
        made = await reminders.remind(tx, person.id, address, title=canary, now=utc_now())
        assert (await reminders.show_preferences(tx, person.id)).folder_id is not None
        await reminders.change(tx, person.id, made.page_id, {"body": canary}, utc_now())
        await tx._connection.execute(
            "update alarms set last_error = $1, last_notification_id = $1 where user_id = $2",
            canary,
            person.id,
        )
        assert (await library.look_up(tx, person.id, address)).pages
    return {"page_id": str(made.page_id)}


CONTRACT = Contract(
    paths=("/v1/reminders", "/api/reminder"),
    bodies={
        "POST /v1/reminders": {"url": "https://eve.example/", "title": "Eve's"},
        "POST /v1/reminders/register-by-page": {"page_id": "none"},
        "POST /api/reminder/register-by-page": {"page_id": "none"},
        "PATCH /v1/reminders/preferences": {"folder_id": None},
        "PATCH /v1/reminders/{page_id}": {"title": "mine now"},
        "POST /v1/reminders/{page_id}/snooze": {"for": "1h"},
    },
    scopes={
        Scope.API: frozenset(
            _READ | {"GET /v1/reminders/preferences", "PATCH /v1/reminders/preferences"}
        ),
        Scope.EXTENSION: frozenset(_READ),
        Scope.ADMIN: frozenset(),
    },
    life=life,
    no_ids={"page_id": "00000000-0000-4000-8000-000000000000"},
)
