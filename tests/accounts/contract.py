"""People, what they chose, and the devices they are signed in on."""

from __future__ import annotations

from mindhit.accounts import Person, Scope
from mindhit.accounts.job_types import MailResetLink, MailSignUpLink
from mindhit.db import Database
from mindhit.work.testing import drain
from tests.accounts.kit import (
    PASSWORD,
    browser_of,
    connected,
    product,
    run_exports,
    settings,
    start,
    token_of,
)
from tests.contract.slices import Contract, Ids

EVE = "eve@example.org"


async def life(db: Database, person: Person, canary: str) -> Ids:
    """Devices, tokens and links of every kind, a sign-up that waits, an identity elsewhere."""
    jobs = product().jobs
    async with browser_of(db, person, settings(sign_up="open")) as browser:
        await connected(db, browser)
        await token_of(db, person, Scope.API)
        change = {"excluded_domains": [f"{canary}.example"], "timezone": "Europe/Berlin"}
        assert (await browser.patch("/v1/me/settings", json=change)).status_code == 200
        body = {"email": person.email, "password": PASSWORD}
        for path in ("sign-up", "reset", "sign-in"):
            await browser.post(f"/v1/auth/{path}", json=body)
        await drain(db, {each: jobs[each] for each in (MailSignUpLink, MailResetLink)})
        await browser.post("/v1/auth/sign-up", json=body)  # one whose mail is not written yet
        started = await start(browser, canary)
        decided = await browser.post(
            f"/v1/connect/{started['user_code']}", json={"decision": "approve"}
        )
        assert decided.status_code == 204
        devices = (await browser.get("/v1/devices")).json()["items"]
        exported = (await browser.post("/v1/me/exports")).json()
        await run_exports(db)
    async with db.transaction() as tx:
        await tx._connection.execute(
            "insert into identities (issuer, subject, user_id) values ('http://idp', $2, $1)",
            person.id,
            canary,
        )
    return {
        "device_id": devices[-1]["id"],
        "user_code": started["user_code"],
        "export_id": exported["id"],
    }


CONTRACT = Contract(
    paths=("/v1/auth", "/v1/me", "/v1/devices", "/v1/tokens", "/v1/connect", "/v1/admin/users"),
    bodies={
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
    },
    public=frozenset(
        {
            *("GET /v1/auth", "POST /v1/auth/owner", "POST /v1/auth/refresh"),
            *("POST /v1/auth/sign-in", "POST /v1/auth/sign-out", "POST /v1/auth/sign-up"),
            *("POST /v1/auth/confirm", "POST /v1/auth/reset", "POST /v1/auth/reset/confirm"),
            *("GET /v1/auth/oidc/start", "GET /v1/auth/oidc/callback"),
            *("POST /v1/connect", "POST /v1/connect/poll"),
        }
    ),
    scopes={
        Scope.EXTENSION: frozenset(
            {"GET /v1/me", "GET /v1/me/settings", "PATCH /v1/me/excluded-domains"}
        ),
        Scope.API: frozenset(
            {
                *("GET /v1/me", "GET /v1/me/settings", "PATCH /v1/me/settings"),
                *("PATCH /v1/me/excluded-domains", "GET /v1/me/events"),
                "GET /v1/me/retention",
                *("POST /v1/me/exports", "GET /v1/me/exports", "GET /v1/me/exports/{export_id}"),
                "GET /v1/me/exports/{export_id}/archive",
                "GET /v1/devices",
            }
        ),
    },
    spent=frozenset({"GET /v1/connect/{user_code}"}),
    last=frozenset({"POST /v1/auth/sign-out"}),
    life=life,
    no_ids={
        "device_id": "00000000-0000-0000-0000-000000000000",
        "user_code": "BCDF-GHJK",
        "export_id": "00000000-0000-0000-0000-000000000000",
    },
    not_exported={
        "tokens": "hashes of secrets; how many there are stands with each device",
        "exports": "about the archive itself, which is deleted after a day",
        "export_parts": "the archive itself",
        "erasures": "there is one only while the person is being erased",
        "users.email_key": "the address in the form it is compared in",
        "users.password_hash": "of no use to anybody; whether there is one is there",
        "users.erasing_at": "is set only while the person is being erased",
        "devices.generation": "counts the renewals of its tokens",
        "devices.rotated_at": "when its tokens were last renewed, to tell a stolen one",
        "links.hash": "the hash of a secret",
        "links.sign_up_id": "is set only where there is no person yet",
        "connections.device_hash": "the hash of a secret",
        "connections.user_code": "good for ten minutes, and used up",
        "connections.device_id": "which device came of it; the device itself is there",
        "security_events.id": "a number within this server",
    },
)
