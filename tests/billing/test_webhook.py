"""What Stripe tells us: signed, stored once, and never lost."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime

import httpx2
import pytest
import stripe as library

from mindhit.db import Database
from tests.accounts.kit import add, client_of, rows, run_jobs
from tests.billing.kit import PRICES, open_shop, selling, send
from tests.billing.stripe_fake import SECRET, Json, Stripe, running, signed

EVENT: Json = {
    "id": "evt_1",
    "object": "event",
    "type": "customer.subscription.updated",
    "created": 1_790_000_000,
    "data": {"object": {"id": "sub_1", "object": "subscription", "customer": "cus_1"}},
}
BODY = json.dumps(EVENT).encode()


@pytest.fixture
async def stripe() -> AsyncIterator[Stripe]:
    async with running(**PRICES) as made:
        yield made


@pytest.fixture
async def client(db: Database, stripe: Stripe) -> AsyncIterator[httpx2.AsyncClient]:
    config = await open_shop(db, selling(stripe))
    async with client_of(db, config) as made:
        yield made


async def post(
    client: httpx2.AsyncClient, body: bytes, signature: str | bytes | None
) -> httpx2.Response:
    value = signature.encode() if isinstance(signature, str) else signature
    headers = {} if value is None else {b"Stripe-Signature": value}
    return await client.post("/v1/stripe/webhook", content=body, headers=headers)


async def stored(db: Database) -> list[tuple[str, str | None]]:
    found = await rows(db, "select id, customer_id from stripe_events order by id")
    return [(each["id"], each["customer_id"]) for each in found]


def test_our_signatures_are_stripe_s() -> None:
    assert library.WebhookSignature.verify_header(BODY.decode(), signed(BODY), SECRET, 300)


REFUSED: dict[str, Callable[[], tuple[bytes, str | bytes | None]]] = {
    "none": lambda: (BODY, None),
    "empty": lambda: (BODY, ""),
    "no digest": lambda: (BODY, "t=1,v1="),
    "nonsense": lambda: (BODY, "nonsense"),
    "no ASCII": lambda: (BODY, "t=1,v1=\xe9".encode("latin-1")),
    "far too long": lambda: (BODY, f"{signed(BODY)},v0={'0' * 2000}"),
    "of another secret": lambda: (BODY, signed(BODY, "whsec_of_somebody_else")),
    "stale": lambda: (BODY, signed(BODY, at=time.time() - 301)),
    "of another body": lambda: (BODY.replace(b"sub_1", b"sub_2"), signed(BODY)),
    "of a shorter body": lambda: (BODY + b" ", signed(BODY)),
    "of bytes that are no text": lambda: (b"\xff\xfe", signed(b"\xff\xfe")),
}


@pytest.mark.parametrize("which", REFUSED)
async def test_what_stripe_did_not_sign_now_is_refused(
    db: Database, client: httpx2.AsyncClient, which: str
) -> None:
    answer = await post(client, *REFUSED[which]())
    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:mindhit:problem:bad-signature"
    assert await stored(db) == []


@pytest.mark.parametrize(
    "body", [b"{}", b"[]", b"nothing", json.dumps({**EVENT, "id": ""}).encode()]
)
async def test_what_is_signed_and_no_event_is_refused(
    db: Database, client: httpx2.AsyncClient, body: bytes
) -> None:
    assert (await post(client, body, signed(body))).status_code == 422
    assert await stored(db) == []


async def test_unknown_types_and_customers_are_stored_without_a_job(
    db: Database, client: httpx2.AsyncClient, stripe: Stripe
) -> None:
    for number, about in enumerate(
        (
            {"object": "subscription", "customer": "cus_of_nobody"},
            {"object": "customer", "id": "cus_of_nobody"},
            {"object": "invoice", "customer": {"id": "cus_of_nobody"}},
            {"object": "product", "id": "prod_1"},
        )
    ):
        event = {**EVENT, "id": f"evt_{number}", "type": "new.kind", "data": {"object": about}}
        assert (await send(client, stripe, event)).status_code == 200
    # Whose they are is not kept: it may be somebody who left.
    assert await stored(db) == [(f"evt_{number}", None) for number in range(4)]
    assert await rows(db, "select 1 from jobs") == []


async def test_an_event_is_taken_once_and_its_payload_not_at_all(
    db: Database, client: httpx2.AsyncClient, stripe: Stripe
) -> None:
    ada = await add(db)
    async with db.transaction() as tx:
        await tx._connection.execute(
            "insert into stripe_customers (user_id, customer_id) values ($1, 'cus_1')", ada.id
        )
    for _ in range(3):
        assert (await send(client, stripe, EVENT)).status_code == 200
    [job] = await rows(db, "select key, args from jobs where kind = 'billing:stripe'")
    assert job["key"] == "cus_1"
    assert "sub_1" not in str(job["args"])
    [row] = await rows(db, "select * from stripe_events")
    assert (row["created_at"], row["handled_at"]) == (
        datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC),
        None,
    )
    assert await run_jobs(db, selling(stripe)) == 1
    reads = stripe.reads
    assert (await send(client, stripe, EVENT)).status_code == 200
    assert (await run_jobs(db, selling(stripe)), stripe.reads) == (0, reads)


async def test_while_the_database_is_away_stripe_is_asked_to_repeat(
    db: Database, client: httpx2.AsyncClient, stripe: Stripe, database_url: str
) -> None:
    config = selling(stripe)
    away = await Database.open(database_url, name="test", size=1)
    await away.close()
    async with client_of(away, config) as cut_off:
        assert (await send(cut_off, stripe, EVENT)).status_code == 503
    assert await stored(db) == []
    async with client_of(db, config):  # it is back
        assert (await send(client, stripe, EVENT)).status_code == 200
    assert await stored(db) == [("evt_1", None)]
