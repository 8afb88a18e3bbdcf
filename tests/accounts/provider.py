"""A small OpenID Connect provider over HTTP, strict where ours must be right, and able to
misbehave in every way that a broken or hostile one could."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import time
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_plus, urlencode

from aiohttp import web
from joserfc import jws
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, Key, OctKey, OKPKey, RSAKey

CLIENT_ID = "mindhit"
CLIENT_SECRET = "provider secret: 100% odd+chars/&="
Claims = dict[str, Any]

# Making an RSA key takes a tenth of a second and more; one of each serves all tests.
KEYS: dict[str, Key] = {
    "RS256": RSAKey.generate_key(2048, {"use": "sig"}, auto_kid=True),
    "ES256": ECKey.generate_key("P-256", {"use": "sig"}, auto_kid=True),
    "EdDSA": OKPKey.generate_key("Ed25519", {"use": "sig"}, auto_kid=True),
}
KEYS["PS256"] = KEYS["RS256"]
KEYS["Ed25519"] = KEYS["EdDSA"]


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Asked:
    """What a code stands for."""

    redirect_uri: str
    nonce: str
    challenge: str
    person: Claims


@dataclass
class Idp:
    """Every field may be changed by a test, before or during a sign-in."""

    issuer: str = ""
    redirect_uri: str = "http://mindhit.test/v1/auth/oidc/callback"
    client_secret: str | None = CLIENT_SECRET
    person: Claims = field(
        default_factory=lambda: {
            "sub": "subject-1",
            "email": "Ada@Example.org",
            "email_verified": True,
        }
    )
    alg: str = "RS256"
    key: Key | None = None  # signs; None: the one of `alg`
    published: list[Claims] | None = None  # the JWKS; None: the key that signs
    about: Claims = field(default_factory=dict)  # laid over the discovery document
    change: Callable[[Claims], Claims] = lambda claims: claims
    forge: Callable[[Claims], str] | None = None  # makes the id token in place of signing it
    in_token: tuple[str, ...] = ("email", "email_verified")
    userinfo: Claims | None = None  # what userinfo says; None: all of the person
    refuses: str | None = None  # the error that a person comes back with
    # Parts (discovery, jwks, authorize, token, userinfo) that answer …
    never: set[str] = field(default_factory=set)
    html: set[str] = field(default_factory=set)
    huge: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)

    calls: Counter[str] = field(default_factory=Counter)
    client_auth: list[str] = field(default_factory=list)
    secrets: set[str] = field(default_factory=set)  # all that must not be written down anywhere
    _codes: dict[str, Asked] = field(default_factory=dict)
    _holders: dict[str, Claims] = field(default_factory=dict)
    _closing: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def signer(self) -> Key:
        return self.key or KEYS[self.alg]

    def sign(self, claims: Claims) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)
            head = {"alg": self.alg, "kid": self.signer.kid}
            return jws.serialize_compact(head, json.dumps(claims), self.signer, [self.alg])

    def unsigned(self, claims: Claims) -> str:
        """alg: none"""
        return f"{_head('none', self.signer)}.{b64(json.dumps(claims).encode())}."

    def signed_with_what_everybody_knows(self, claims: Claims) -> str:
        """HS256, with the public key as the shared secret."""
        text = f"{_head('HS256', self.signer)}.{b64(json.dumps(claims).encode())}"
        assert not isinstance(self.signer, OctKey)
        public = self.signer.as_pem(private=False)
        return f"{text}.{b64(hmac.digest(public, text.encode(), 'sha256'))}"

    async def discovery(self, _: web.Request) -> web.Response:
        base = self.issuer.rstrip("/")
        document = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{base}/authorize",
            "token_endpoint": f"{base}/token",
            "jwks_uri": f"{base}/jwks",
            "userinfo_endpoint": f"{base}/userinfo",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [self.alg],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        }
        return web.json_response({**document, **self.about})

    async def jwks(self, _: web.Request) -> web.Response:
        mine = [self.signer.as_dict(private=False)]
        return web.json_response({"keys": mine if self.published is None else self.published})

    async def authorize(self, request: web.Request) -> web.Response:
        """Signs in at once whoever `person` is."""
        asked = request.query
        good = (
            asked["response_type"] == "code"
            and asked["client_id"] == CLIENT_ID
            and asked["redirect_uri"] == self.redirect_uri
            and set(asked["scope"].split()) == {"openid", "email", "profile"}
            and asked["code_challenge_method"] == "S256"
            and len(asked["state"]) >= 32
            and len(asked["nonce"]) >= 32
        )
        if not good:
            return web.json_response({"error": "invalid_request"}, status=400)
        answer = {"state": asked["state"]}
        if self.refuses:
            answer["error"] = self.refuses
        else:
            answer["code"] = self.hand_out(
                asked["nonce"], asked["code_challenge"], asked["redirect_uri"]
            )
        self.secrets |= {asked["state"], asked["nonce"]}
        raise web.HTTPFound(f"{asked['redirect_uri']}?{urlencode(answer)}")

    def hand_out(self, nonce: str, challenge: str, redirect_uri: str) -> str:
        code = secrets.token_urlsafe(16)
        self._codes[code] = Asked(redirect_uri, nonce, challenge, dict(self.person))
        self.secrets.add(code)
        return code

    async def token(self, request: web.Request) -> web.Response:
        form = await request.post()
        if not self._is_client(request, form):
            return web.json_response({"error": "invalid_client"}, status=401)
        asked = self._codes.pop(str(form["code"]), None)
        challenge = b64(hashlib.sha256(str(form["code_verifier"]).encode()).digest())
        if (
            asked is None
            or form["grant_type"] != "authorization_code"
            or form["redirect_uri"] != asked.redirect_uri
            or challenge != asked.challenge
        ):
            return web.json_response({"error": "invalid_grant"}, status=400)
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": asked.person["sub"],
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": asked.nonce,
            **{name: asked.person[name] for name in self.in_token if name in asked.person},
        }
        make = self.forge or self.sign
        id_token, access_token = make(self.change(claims)), secrets.token_urlsafe(16)
        self._holders[access_token] = asked.person
        self.secrets |= {id_token, access_token, str(form["code_verifier"])}
        return web.json_response(
            {"id_token": id_token, "access_token": access_token, "token_type": "Bearer"}
        )

    async def tell_userinfo(self, request: web.Request) -> web.Response:
        bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if bearer not in self._holders:
            return web.json_response({"error": "invalid_token"}, status=401)
        person = self._holders[bearer]
        return web.json_response(person if self.userinfo is None else self.userinfo)

    async def catch(self, request: web.Request) -> web.Response:
        """Where a redirect leads that must not be followed."""
        self.calls[f"caught {request.method}"] += 1
        return web.json_response({})

    def _is_client(self, request: web.Request, form: Any) -> bool:
        header = request.headers.get("Authorization", "")
        if header.startswith("Basic "):
            self.client_auth.append("client_secret_basic")
            pair = base64.b64decode(header.removeprefix("Basic ")).decode()
            client_id, _, secret = (unquote_plus(part) for part in pair.partition(":"))
            return (client_id, secret) == (CLIENT_ID, self.client_secret)
        self.client_auth.append("client_secret_post" if "client_secret" in form else "none")
        return (form.get("client_id"), form.get("client_secret")) == (CLIENT_ID, self.client_secret)

    def _part(
        self, name: str, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def answer(request: web.Request) -> web.StreamResponse:
            self.calls[name] += 1
            if name in self.never:
                await self._closing.wait()
            if name in self.html:
                return web.Response(text="<h1>Back soon</h1>", content_type="text/html")
            if name in self.huge:
                return web.Response(body=b'{"padding": "' + b"x" * 2_000_000 + b'"}')
            if name in self.elsewhere:
                return web.Response(status=307, headers={"Location": "/caught"})
            return await handler(request)

        return answer

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Idp]:
        app = web.Application()
        app.router.add_get(
            "/.well-known/openid-configuration", self._part("discovery", self.discovery)
        )
        app.router.add_get("/jwks", self._part("jwks", self.jwks))
        app.router.add_get("/authorize", self._part("authorize", self.authorize))
        app.router.add_post("/token", self._part("token", self.token))
        app.router.add_get("/userinfo", self._part("userinfo", self.tell_userinfo))
        app.router.add_route("*", "/caught", self.catch)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.issuer = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            self._closing.set()
            await runner.cleanup()


def _head(alg: str, key: Key) -> str:
    return b64(json.dumps({"alg": alg, "typ": "JWT", "kid": key.kid}).encode())
