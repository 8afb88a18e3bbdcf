"""A small Stripe over real HTTP, with a clock that tests move: customers, prices, Checkout, the portal,
subscriptions, invoices, charges, signed events.

What a person does at Stripe (pays, cancels, changes the plan) is a method; each leaves the events that
Stripe would send. Requests are refused as Stripe refuses them: no key, no Idempotency-Key on a POST, a
key that comes with another body.
"""

from __future__ import annotations

import calendar
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

Json = dict[str, Any]
KEY, SECRET = "sk_test_of_ours", "whsec_of_ours"
OVER = {"canceled", "incomplete_expired"}


def later(at: int, months: int = 1) -> int:
    """The same day some months on, or the last day of that month."""
    start = datetime.fromtimestamp(at, UTC)
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    day = min(start.day, calendar.monthrange(year, month + 1)[1])
    return int(start.replace(year=year, month=month + 1, day=day).timestamp())


def signed(body: bytes, secret: str = SECRET, at: float | None = None) -> str:
    """A Stripe-Signature header."""
    stamp = int(time.time() if at is None else at)
    digest = hmac.new(secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={stamp},v1={digest}"


@dataclass
class Stripe:
    prices: dict[str, int]
    now: int = field(default_factory=lambda: int(time.time()))
    customers: dict[str, Json] = field(default_factory=dict)
    subscriptions: dict[str, Json] = field(default_factory=dict)
    invoices: dict[str, Json] = field(default_factory=dict)
    charges: dict[str, Json] = field(default_factory=dict)
    checkouts: dict[str, Json] = field(default_factory=dict)
    events: list[Json] = field(default_factory=list)
    posts: list[tuple[str, str]] = field(default_factory=list)
    reads: int = 0
    is_down: bool = False
    fails_at: str | None = None  # requests to paths that end with it
    url: str = ""
    _answers: dict[str, tuple[Json, Json, int]] = field(default_factory=dict)
    _scheduled: dict[str, str] = field(default_factory=dict)

    # What people do at Stripe

    def pay(self, checkout_id: str) -> str:
        """The person pays: a subscription begins. Returns its id."""
        checkout = self.checkouts[checkout_id]
        assert checkout["status"] == "open"
        checkout["status"] = "complete"
        return self.subscribe(checkout["customer"], checkout["price"])

    def subscribe(self, customer: str, price: str, status: str = "active") -> str:
        id_ = self._id("sub")
        self.subscriptions[id_] = {
            "id": id_,
            "object": "subscription",
            "customer": customer,
            "status": status,
            "cancel_at_period_end": False,
            "anchor": self.now,
            "items": {"object": "list", "data": [self._item(price, self.now, later(self.now))]},
        }
        self._event("customer.subscription.created", self.subscriptions[id_])
        self.charge(id_)
        return id_

    def charge(self, subscription_id: str, *, works: bool = True) -> str:
        subscription = self.subscriptions[subscription_id]
        price = subscription["items"]["data"][0]["price"]["id"]
        id_, intent, charge = self._id("in"), self._id("pi"), self._id("ch")
        paid = {"status": "paid", "payment": {"type": "payment_intent", "payment_intent": intent}}
        self.invoices[id_] = {
            "id": id_,
            "object": "invoice",
            "customer": subscription["customer"],
            "parent": {"subscription_details": {"subscription": subscription_id}},
            "status": "paid" if works else "open",
            "total": self.prices[price],
            "currency": "usd",
            "created": self.now,
            "hosted_invoice_url": f"https://invoice.stripe.test/{id_}",
            "status_transitions": {"paid_at": self.now if works else None},
            "payments": {"object": "list", "data": [paid] if works else []},
        }
        if works:
            self.charges[charge] = {
                "id": charge,
                "object": "charge",
                "customer": subscription["customer"],
                "payment_intent": intent,
                "refunded": False,
            }
        word = "paid" if works else "payment_failed"
        self._event(f"invoice.{word}", self.invoices[id_])
        return id_

    def fail_renewal(self, subscription_id: str) -> None:
        """The period goes on, and the card doesn't pay for it."""
        self._renew(subscription_id, works=False)
        self.subscriptions[subscription_id]["status"] = "past_due"
        self._updated(subscription_id)

    def cancel_at_end(self, subscription_id: str) -> None:
        self.subscriptions[subscription_id]["cancel_at_period_end"] = True
        self._updated(subscription_id)

    def upgrade(self, subscription_id: str, price: str) -> None:
        """At once, with a new period."""
        subscription = self.subscriptions[subscription_id]
        subscription["anchor"] = self.now
        subscription["items"]["data"] = [self._item(price, self.now, later(self.now))]
        self.charge(subscription_id)
        self._updated(subscription_id)

    def downgrade(self, subscription_id: str, price: str) -> None:
        """When the period ends."""
        self._scheduled[subscription_id] = price
        self._updated(subscription_id)

    def refund(self, invoice_id: str) -> None:
        [paid] = self.invoices[invoice_id]["payments"]["data"]
        for charge in self.charges.values():
            if charge["payment_intent"] == paid["payment"]["payment_intent"]:
                charge["refunded"] = True
                self._event("charge.refunded", charge)

    def move_to(self, at: int) -> None:
        """The clock moves on: periods end, subscriptions are renewed or end."""
        for id_, subscription in self.subscriptions.items():
            while subscription["status"] not in OVER:
                end = subscription["items"]["data"][0]["current_period_end"]
                if end > at:
                    break
                self.now = end
                if subscription["cancel_at_period_end"]:
                    self._cancel(id_)
                else:
                    self._renew(id_)
        self.now = at

    def end_of(self, subscription_id: str) -> int:
        item = self.subscriptions[subscription_id]["items"]["data"][0]
        return int(item["current_period_end"])

    def body_of(self, event: Json) -> bytes:
        return json.dumps(event).encode()

    # Inside

    def _renew(self, id_: str, *, works: bool = True) -> None:
        subscription = self.subscriptions[id_]
        [item] = subscription["items"]["data"]
        start = item["current_period_end"]
        count = 1
        while later(subscription["anchor"], count) <= start:
            count += 1
        price = self._scheduled.pop(id_, item["price"]["id"])
        subscription["items"]["data"] = [
            self._item(price, start, later(subscription["anchor"], count))
        ]
        self.charge(id_, works=works)
        self._updated(id_)

    def _cancel(self, id_: str) -> None:
        self.subscriptions[id_]["status"] = "canceled"
        self._event("customer.subscription.deleted", self.subscriptions[id_])

    def _updated(self, id_: str) -> None:
        self._event("customer.subscription.updated", self.subscriptions[id_])

    def _item(self, price: str, start: int, end: int) -> Json:
        assert price in self.prices
        return {
            "id": self._id("si"),
            "price": {"id": price, "object": "price"},
            "current_period_start": start,
            "current_period_end": end,
        }

    def _event(self, type_: str, about: Json) -> None:
        """With the object as it is now: what an old event says is out of date."""
        copy = json.loads(json.dumps(about))
        self.events.append(
            {
                "id": self._id("evt"),
                "object": "event",
                "type": type_,
                "created": self.now,
                "data": {"object": copy},
            }
        )

    def _id(self, kind: str) -> str:
        self._count = getattr(self, "_count", 0) + 1
        return f"{kind}_{self._count:08d}"

    # Over HTTP

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._frame])
        # What is behind the frame answers objects; the frame makes responses of them.
        routes: list[tuple[str, str, Any]] = [
            ("POST", "customers", self._add_customer),
            ("POST", "checkout/sessions", self._add_checkout),
            ("POST", "checkout/sessions/{id}/expire", self._expire),
            ("POST", "billing_portal/sessions", self._add_portal),
            ("DELETE", "subscriptions/{id}", self._cancel_now),
        ]
        for method, path, handler in routes:
            app.router.add_route(method, f"/v1/{path}", handler)
        for name, found in (
            ("subscriptions", self.subscriptions),
            ("invoices", self.invoices),
            ("charges", self.charges),
            ("checkout/sessions", self.checkouts),
        ):
            app.router.add_get(f"/v1/{name}", self._lister(found))
        return app

    @web.middleware
    async def _frame(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if self.is_down or (self.fails_at and request.path.endswith(self.fails_at)):
            return await self._fail(request)
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"error": {"message": "no such key"}}, status=401)
        if request.method != "POST":
            self.reads += 1
            return web.json_response(*await handler(request))
        return await self._post(request, handler)

    async def _fail(self, request: web.Request) -> web.StreamResponse:
        """Stripe remembers also this answer by the key of its request."""
        answer: Json = {"error": {"message": "down"}}
        key = request.headers.get("Idempotency-Key")
        if request.method == "POST" and key and key not in self._answers:
            self._answers[key] = (dict(await request.post()), answer, 503)
        return web.json_response(answer, status=503)

    async def _post(self, request: web.Request, handler: Any) -> web.StreamResponse:
        key = request.headers.get("Idempotency-Key")
        if not key:
            return refused("no Idempotency-Key")
        self.posts.append((request.path, key))
        body = dict(await request.post())
        if key in self._answers:
            before, answer, status = self._answers[key]
            if before != body:
                return refused("another body")
            return web.json_response(answer, status=status)
        found = await handler(request, body)
        if isinstance(found, web.Response):
            return found
        self._answers[key] = (body, found, 200)
        return web.json_response(found)

    async def _add_customer(self, _: web.Request, body: Json) -> Json:
        id_ = self._id("cus")
        self.customers[id_] = {"id": id_, "object": "customer", "email": body["email"]}
        return self.customers[id_]

    async def _add_checkout(self, _: web.Request, body: Json) -> Json | web.Response:
        price = body["line_items[0][price]"]
        if price not in self.prices or body["customer"] not in self.customers:
            return refused("no such price or customer")
        id_ = self._id("cs")
        self.checkouts[id_] = {
            "id": id_,
            "object": "checkout.session",
            "customer": body["customer"],
            "price": price,
            "status": "open",
            "url": f"https://checkout.stripe.test/{id_}",
        }
        return self.checkouts[id_]

    async def _expire(self, request: web.Request, _: Json) -> Json:
        found = self.checkouts[request.match_info["id"]]
        found["status"] = "expired"
        return found

    async def _add_portal(self, _: web.Request, body: Json) -> Json | web.Response:
        if body["customer"] not in self.customers:
            return refused("no such customer")
        id_ = self._id("bps")
        return {"id": id_, "object": "billing_portal.session", "url": f"https://portal.test/{id_}"}

    async def _cancel_now(self, request: web.Request) -> tuple[Json]:
        self._cancel(request.match_info["id"])
        return (self.subscriptions[request.match_info["id"]],)

    def _lister(self, found: dict[str, Json]) -> Any:
        async def answer(request: web.Request) -> tuple[Json]:
            asked = request.query
            status = asked.get("status", "all")
            rows = [
                each
                for each in reversed(found.values())
                if each["customer"] == asked["customer"] and status in {"all", each.get("status")}
            ]
            ids = [each["id"] for each in rows]
            start = ids.index(asked["starting_after"]) + 1 if "starting_after" in asked else 0
            size = int(asked.get("limit", "10"))
            page = rows[start : start + size]
            more = len(rows) > start + size
            return ({"object": "list", "url": request.path, "data": page, "has_more": more},)

        return answer


def refused(message: str) -> web.Response:
    error = {"type": "invalid_request_error", "message": message}
    return web.json_response({"error": error}, status=400)


@asynccontextmanager
async def running(**prices: int) -> AsyncIterator[Stripe]:
    stripe = Stripe(prices)
    runner = web.AppRunner(stripe.app())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    stripe.url = f"http://{host}:{port}"
    try:
        yield stripe
    finally:
        await runner.cleanup()
