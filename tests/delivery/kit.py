"""Services that notices are sent to, on this machine: they keep what they got, and answer as told.

A browser that shows notices decrypts them here as RFC 8291 says, with nothing of the sender's library.
"""

from __future__ import annotations

import base64
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mindhit.settings import Settings
from tests.accounts.kit import settings

HOST = "127.0.0.1"


def config(**more: Any) -> Settings:
    """Services of this machine are allowed, as an operator allows an ntfy server at home."""
    return settings(**{"delivery_hosts": (HOST,), **more})


@dataclass(slots=True)
class Got:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Service:
    url: str = ""
    got: list[Got] = field(default_factory=list)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    answer: str = "{}"
    hook: Callable[[web.Request], Awaitable[web.Response]] | None = None

    async def handle(self, request: web.Request) -> web.Response:
        self.got.append(Got(request.path, dict(request.headers), await request.read()))
        if self.hook is not None:
            return await self.hook(request)
        return web.Response(status=self.status, text=self.answer, headers=self.headers)


@asynccontextmanager
async def service(tls: ssl.SSLContext | None = None) -> AsyncIterator[Service]:
    made = Service()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.handle)
    runner = web.AppRunner(app, access_log=None)  # what it got is nobody's log
    await runner.setup()
    site = web.TCPSite(runner, HOST, 0, ssl_context=tls)
    await site.start()
    made.url = f"{'https' if tls else 'http'}://{HOST}:{runner.addresses[0][1]}"
    try:
        yield made
    finally:
        await runner.cleanup()


@dataclass(frozen=True)
class Browser:
    """The keys that a browser makes for a subscription."""

    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.derive_private_key(0xC0FFEE, ec.SECP256R1())
    )
    auth: bytes = b"sixteen bytes ok"

    @cached_property
    def point(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": encoded(self.point), "auth": encoded(self.auth)}

    def decrypt(self, body: bytes) -> Any:
        """RFC 8188 and 8291: salt, record size, the sender's key; one record, padded by 2 and zeros."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + self.point + sender
        secret = HKDF(SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert plain.endswith(b"\2")
        return json.loads(plain[:-1])


BROWSER = Browser()


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
