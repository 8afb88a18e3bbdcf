"""Our app with a provider beside it, and browsers that go back and forth between the two."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

import httpx2

from mindhit import accounts, wiring
from mindhit.accounts import Origin, Person, Role
from mindhit.api.app import create_app
from mindhit.db import Database
from mindhit.settings import Settings
from tests.accounts.provider import CLIENT_ID, Idp

OURS = "http://mindhit.test"
START, CALLBACK = "/v1/auth/oidc/start", "/v1/auth/oidc/callback"
ADA = "ada@example.org"  # as the provider's person is spelt Ada@Example.org


@dataclass
class Browser:
    """A browser at our app: keeps cookies, and follows redirects only when told to."""

    client: httpx2.AsyncClient
    callback: str = ""

    async def start(self, next_page: str = "/", **more: str) -> httpx2.Response:
        return await self.client.get(START, params={"next": next_page, **more})

    async def to_provider(self, next_page: str = "/", **more: str) -> str:
        """Up to the moment before coming back; gives the address to come back to."""
        sent = await self.start(next_page, **more)
        assert sent.status_code == 302, sent.text
        async with httpx2.AsyncClient() as outside:
            answer = await outside.get(sent.headers["location"])
        assert answer.status_code == 302, answer.text
        self.callback = answer.headers["location"]
        return self.callback

    async def come_back(self, callback: str) -> httpx2.Response:
        return await self.client.get(callback)

    async def sign_in(self, next_page: str = "/", **more: str) -> httpx2.Response:
        return await self.come_back(await self.to_provider(next_page, **more))

    async def me(self) -> dict[str, Any] | None:
        answer = await self.client.get("/v1/me")
        return answer.json() if answer.status_code == 200 else None


@dataclass
class Site:
    """Our app, with the provider beside it."""

    db: Database
    idp: Idp
    changes: dict[str, Any] = field(default_factory=dict)

    def settings(self) -> Settings:
        return wiring.make_settings(
            **{
                "base_url": OURS,
                "rate_limit": 0,
                "sign_in_limit": 0,
                "oidc_issuer": self.idp.issuer,
                "oidc_client_id": CLIENT_ID,
                "oidc_client_secret": self.idp.client_secret,
                **self.changes,
            }
        )

    def __post_init__(self) -> None:
        self.app = create_app(wiring.product(self.settings()), self.db)

    def configure(self, **changes: Any) -> None:
        self.changes |= changes
        self.app = create_app(wiring.product(self.settings()), self.db)

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[Browser]:
        transport = httpx2.ASGITransport(self.app, raise_app_exceptions=False)
        base = self.settings().public_url
        async with httpx2.AsyncClient(transport=transport, base_url=base) as client:
            yield Browser(client)

    async def sign_in(self, next_page: str = "/") -> httpx2.Response:
        """A browser that never was here before signs in."""
        async with self.browser() as browser:
            return await browser.sign_in(next_page)

    async def add(self, email: str, role: Role = Role.USER, *, verified: bool = True) -> Person:
        async with self.db.transaction() as tx:
            return await accounts.add_person(
                tx, email, password_hash=None, origin=Origin(), role=role, is_verified=verified
            )

    async def events(self, person: Person) -> list[str]:
        async with self.db.read() as tx:
            return [each.event for each in await accounts.list_events(tx, person.id)]

    async def addresses(self) -> set[str]:
        async with self.db.read() as tx:
            return {each.email for each in await accounts.list_people(tx)}


@asynccontextmanager
async def open_site(db: Database) -> AsyncIterator[Site]:
    """With an owner, as every server has one soon."""
    async with Idp().serving() as idp:
        site = Site(db, idp)
        wiring.install(wiring.product(site.settings()))
        await site.add("owner@example.org", Role.OWNER)
        yield site


def reason(answer: httpx2.Response) -> str | None:
    """The reason why somebody was sent back to the sign-in page, without a cookie."""
    told = urlsplit(answer.headers["location"])
    if answer.status_code != 302 or told.path != "/sign-in" or told.netloc:
        return None
    asked = parse_qs(told.query)
    assert asked["error"] == ["oidc"]
    assert "mindhit=mh_" not in str(answer.headers.get_list("set-cookie"))
    return asked["reason"][0]


def changed(callback: str, **values: str) -> str:
    parts = urlsplit(callback)
    query = {name: told[0] for name, told in parse_qs(parts.query).items()} | values
    told = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items())
    return urlunsplit(parts._replace(query=told))


def claim(name: str, value: object) -> Any:
    return lambda claims: {**claims, name: value}


def without(name: str) -> Any:
    return lambda claims: {key: value for key, value in claims.items() if key != name}
