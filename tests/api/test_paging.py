"""Lists page by cursors: each item once, whatever is added or deleted in between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest

from mindhit import accounts, mail
from mindhit.accounts import Scope
from mindhit.db import Database
from tests.accounts.kit import HERE, add, browser_of, token_of

Item = dict[str, Any]
Between = Callable[[list[Item]], Awaitable[None]]


async def follow(
    client: httpx2.AsyncClient, path: str, between: Between | None = None
) -> list[Item]:
    """All items of a list, two on a page; `between` pages, something may happen."""
    items: list[Item] = []
    query: dict[str, str | int] = {"limit": 2}
    while True:
        answer = await client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert page.keys() == {"items", "next_cursor"}
        items += page["items"]
        if page["next_cursor"] is None:
            return items
        assert len(page["items"]) == 2
        query["cursor"] = page["next_cursor"]
        if between is not None:
            await between(items)


async def test_people_are_listed_once_each(client: httpx2.AsyncClient, db: Database) -> None:
    for n in range(4):
        await add(db, f"p{n}@example.org")
    newcomers = iter(["later@example.org"])

    async def join(_: list[Item]) -> None:
        for email in newcomers:
            await add(db, email)

    found = await follow(client, "/v1/admin/users", join)
    assert [each["email"] for each in found] == [
        "owner@example.org",
        *(f"p{n}@example.org" for n in range(4)),
        "later@example.org",
    ]


async def test_devices_are_listed_once_each_while_some_are_signed_out(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        for _ in range(5):
            await token_of(db, ada, Scope.API)
        everything = (await browser.get("/v1/devices")).json()["items"]
        assert len(everything) == 6

        async def sign_out(items: list[Item]) -> None:
            if len(items) == 2:  # the one that the cursor points at, and the next
                for each in everything[1:3]:
                    answer = await browser.delete(f"/v1/devices/{each['id']}")
                    assert answer.status_code == 204

        found = await follow(browser, "/v1/devices", sign_out)
    assert [each["id"] for each in found] == [
        each["id"] for number, each in enumerate(everything) if number != 2
    ]


async def test_kept_mails_are_listed_once_each(client: httpx2.AsyncClient, db: Database) -> None:
    async def arrive(number: int) -> None:
        message = mail.Message(f"to{number}@example.org", "Subject", "Text", None)
        async with db.transaction() as tx:
            await mail.keep(tx, message, None)

    for number in range(5):
        await arrive(number)

    async def between(items: list[Item]) -> None:
        await arrive(100 + len(items))
        if len(items) == 2:
            answer = await client.delete(f"/v1/admin/mails/{items[-1]['id']}")
            assert answer.status_code == 204

    found = await follow(client, "/v1/admin/mails", between)
    assert [each["recipient"] for each in found] == [f"to{n}@example.org" for n in (4, 3, 2, 1, 0)]


async def test_security_events_are_listed_once_each(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        for _ in range(4):
            await token_of(db, ada, Scope.API)
        everything = (await browser.get("/v1/me/events")).json()["items"]

        async def happen(_: list[Item]) -> None:
            async with db.transaction() as tx:
                await accounts.note_export(tx, ada.id, HERE)

        found = await follow(browser, "/v1/me/events", happen)
    assert len(everything) > 4
    assert [each["id"] for each in found] == [each["id"] for each in everything]


@pytest.mark.parametrize("path", ["/v1/admin/users", "/v1/admin/mails", "/v1/jobs"])
async def test_a_forged_cursor_is_refused(client: httpx2.AsyncClient, path: str) -> None:
    for cursor in ("AAAA", "not base64!", "kgEC", "\u00e9"):
        answer = await client.get(path, params={"cursor": cursor})
        assert answer.status_code == 422, cursor
        assert answer.json()["type"] == "urn:mindhit:problem:not-ours"
