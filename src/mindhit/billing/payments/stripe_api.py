"""Stripe by its own library, which the first use loads, in a thread: it takes more than a second.

Every POST has an Idempotency-Key: with the same key Stripe answers what it answered before, for a day,
failures included, so a request that the library repeats does nothing twice. A customer is made under a
key that follows from the person, for requests at the same time and after a crash; where that key
stands for a failure of Stripe's own, under another.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar
from uuid import UUID, uuid4

import aiohttp

from mindhit.billing.model import BadSignature, PaymentFailed
from mindhit.billing.payments import objects
from mindhit.billing.payments.port import Customer
from mindhit.errors import Broken

TIMEOUT_S: Final = 20.0
REPEATS: Final = 1  # after a connection that failed, by the library
MOST: Final = 500  # invoices and charges that are read of a customer, the newest first
TOLERANCE_S: Final = 300  # how old a signature may be
LONGEST_SIGNATURE: Final = 2000  # characters
FAILED_AT_STRIPE: Final = 500  # and above
Result = TypeVar("Result")


class StripeMissing(Broken):
    """Stripe's library is not installed: the extra `stripe` is missing."""


async def load() -> Any:
    try:
        return await asyncio.to_thread(importlib.import_module, "stripe")
    except ImportError as error:
        raise StripeMissing from error


@asynccontextmanager
async def connected(key: str, url: str) -> AsyncIterator[Stripe]:
    library = await load()
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        client = library.StripeClient(
            key,
            base_addresses={"api": url},
            http_client=library.AIOHTTPClient(session=session, timeout=timeout),
            max_network_retries=REPEATS,
        )
        yield Stripe(library, client.v1)


class Stripe:
    def __init__(self, library: Any, api: Any) -> None:
        self._library = library
        self._api = api

    async def add_customer(self, user_id: UUID, email: str) -> str:
        # Stripe refuses a known key with another body: an address that was changed needs another.
        key = hashlib.sha256(f"{user_id}/{email}".encode()).hexdigest()
        params = {"email": email, "metadata": {"user_id": str(user_id)}}

        async def create() -> Any:
            make = self._api.customers.create_async
            try:
                return await make(params, _options(f"customer/{key}"))
            except self._library.StripeError as error:
                if (error.http_status or 0) < FAILED_AT_STRIPE:
                    raise
                return await make(params, _options(f"customer/{uuid4()}"))

        return str((await self._asked(create())).id)

    async def read(self, customer_id: str) -> Customer:
        whose = {"customer": customer_id, "limit": 100}
        paid_by = {**whose, "expand": ["data.payments"]}
        return objects.customer(
            await self._listed(self._api.subscriptions, {**whose, "status": "all"}),
            await self._listed(self._api.invoices, paid_by),
            await self._listed(self._api.charges, whose),
        )

    async def check_out(self, customer_id: str, price: str, user_id: UUID, back_to: str) -> str:
        made = await self._asked(
            self._api.checkout.sessions.create_async(
                {
                    "mode": "subscription",
                    "customer": customer_id,
                    "client_reference_id": str(user_id),
                    "line_items": [{"price": price, "quantity": 1}],
                    "success_url": f"{back_to}?checkout=done",
                    "cancel_url": back_to,
                },
                _options(f"checkout/{uuid4()}"),
            )
        )
        # After it is made: of two at the same time, the later one to get here sees both.
        await self._expire_check_outs(customer_id, keep=1)
        return str(made.url)

    async def open_portal(self, customer_id: str, back_to: str) -> str:
        made = await self._asked(
            self._api.billing_portal.sessions.create_async(
                {"customer": customer_id, "return_url": back_to}, _options(f"portal/{uuid4()}")
            )
        )
        return str(made.url)

    async def end(self, customer_id: str) -> None:
        await self._expire_check_outs(customer_id)
        whose = {"customer": customer_id, "limit": 100, "status": "all"}
        for each in await self._listed(self._api.subscriptions, whose):
            if each["status"] not in {"canceled", "incomplete_expired"}:
                await self._asked(self._api.subscriptions.cancel_async(each["id"]), gone=None)

    async def _expire_check_outs(self, customer_id: str, *, keep: int = 0) -> None:
        """All but the newest, which Stripe lists first: two windows must not lead to two
        subscriptions."""
        whose = {"customer": customer_id, "limit": 100, "status": "open"}
        sessions = self._api.checkout.sessions
        for each in (await self._listed(sessions, whose))[keep:]:
            # A key of its own each time: with a known one Stripe repeats its answer, also a failure.
            options = _options(f"expire/{uuid4()}")
            await self._asked(sessions.expire_async(each["id"], {}, options), gone=None)

    async def _listed(self, what: Any, params: dict[str, Any]) -> list[dict[str, Any]]:
        async def read() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = []
            async for each in (await what.list_async(params)).auto_paging_iter():
                found.append(each.to_dict())
                if len(found) >= MOST:
                    break
            return found

        nothing: list[dict[str, Any]] = []
        return await self._asked(read(), gone=nothing)

    async def _asked(self, request: Awaitable[Result], **gone: Result) -> Result:
        """Its answer; `gone` where Stripe no longer knows what is asked for."""
        try:
            return await request
        except self._library.InvalidRequestError as error:
            if "gone" in gone and error.code in {"resource_missing", "session_expired"}:
                return gone["gone"]
            raise PaymentFailed(reason=f"Stripe: {error.code or error.http_status}") from error
        except self._library.StripeError as error:
            reason = f"Stripe: {type(error).__name__} {error.http_status or ''}".strip()
            raise PaymentFailed(reason=reason) from error


def _options(key: str) -> dict[str, Any]:
    return {"idempotency_key": f"mindhit/{key}"}


async def check_signature(body: bytes, signature: str, secret: str) -> None:
    """Raises `BadSignature` where it is wrong or too old, or the body was changed."""
    if len(signature) > LONGEST_SIGNATURE or not signature.isascii():
        raise BadSignature
    library = await load()
    try:
        library.WebhookSignature.verify_header(
            body.decode(), signature, secret, tolerance=TOLERANCE_S
        )
    except (library.SignatureVerificationError, UnicodeDecodeError) as error:
        raise BadSignature from error
