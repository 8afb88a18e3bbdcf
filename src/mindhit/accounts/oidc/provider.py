"""The identity provider: discovery, keys, exchanging a code, reading who somebody is.

Discovery document and keys are cached for an hour; keys are fetched again earlier when a token is
signed with an unknown one.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import quote_plus, urlencode

import msgspec

from mindhit.accounts import email_addresses
from mindhit.accounts.model import BadAddress
from mindhit.accounts.oidc.model import (
    NotConfigured,
    Profile,
    ProviderFailed,
    Reason,
    SignInRefused,
    known_code,
)
from mindhit.accounts.settings import AccountsSettings
from mindhit.settings import Settings

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

    from mindhit.accounts.oidc.http import Answer

CALLBACK: Final = "/v1/auth/oidc/callback"
SCOPE: Final = "openid email profile"
CACHE_S: Final = 3600.0

Document = TypeVar("Document")


class Discovery(msgspec.Struct, frozen=True):
    """The parts of the discovery document that are used."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: list[str] | None = None

    @property
    def endpoints(self) -> list[str]:
        told = [self.authorization_endpoint, self.token_endpoint, self.jwks_uri]
        return [*told, self.userinfo_endpoint] if self.userinfo_endpoint else told

    @property
    def auth_methods(self) -> list[str]:
        return self.token_endpoint_auth_methods_supported or ["client_secret_basic"]


class Keys(msgspec.Struct, frozen=True):
    keys: list[dict[str, Any]]


class Tokens(msgspec.Struct, frozen=True):
    id_token: str
    access_token: str | None = None


class Refusal(msgspec.Struct, frozen=True):
    error: str


class Provider:
    """The one provider of a server, for all requests of a process. Creating it imports libraries for
    half a second: do that in a thread while requests are being served."""

    def __init__(self, settings: Settings, now: Callable[[], float] = monotonic) -> None:
        chosen = settings[AccountsSettings]
        if chosen.oidc_issuer is None or chosen.oidc_client_id is None:
            raise NotConfigured
        from mindhit.accounts.oidc import http, id_tokens  # noqa: F401, PLC0415  see above

        self.signs_up = chosen.oidc_sign_up
        self._issuer = chosen.oidc_issuer.rstrip("/")
        self._client_id = chosen.oidc_client_id
        self._secret = chosen.oidc_client_secret
        self._redirect_uri = settings.public_url + CALLBACK
        self._now = now
        self._about: tuple[float, Discovery] | None = None
        self._keys: tuple[float, KeySet] | None = None

    async def address(self, state: str, nonce: str, verifier: str) -> str:
        """Where to send a browser to sign in."""
        about = await self._read_about()
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": self._redirect_uri,
            "scope": SCOPE,
            "state": state,
            "nonce": nonce,
            "code_challenge": _challenge(verifier),
            "code_challenge_method": "S256",
        }
        joint = "&" if "?" in about.authorization_endpoint else "?"
        return f"{about.authorization_endpoint}{joint}{urlencode(asked)}"

    async def identify(self, code: str, verifier: str, nonce: str) -> Profile:
        """Who signed in, by the code that came back."""
        about = await self._read_about()
        tokens = await self._exchange(about, code, verifier)
        told = await self._verify(about, tokens.id_token, nonce)
        subject = told["sub"]
        # Some providers (Authelia) leave the address out of the token. Address and `email_verified`
        # must come from the same document: one does not vouch for the other's address.
        if not {"email", "email_verified"} <= told.keys() and tokens.access_token:
            told = await self._read_userinfo(about, tokens.access_token, subject)
        return Profile(about.issuer, subject, _verified_email(told))

    async def _read_about(self) -> Discovery:
        if self._about is not None and self._now() < self._about[0]:
            return self._about[1]
        url = f"{self._issuer}/.well-known/openid-configuration"
        about = await self._fetch("discovery", url, Discovery)
        # Whether the issuer ends in a slash is the provider's choice (Authentik's does); operators
        # may write either. Tokens must spell it as the document does.
        if about.issuer.rstrip("/") != self._issuer:
            raise ProviderFailed(part="discovery", cause="issuer", issuer=about.issuer[:200])
        schemes = ("https://",) if self._issuer.startswith("https:") else ("https://", "http://")
        if not all(each.startswith(schemes) for each in about.endpoints):
            raise ProviderFailed(part="discovery", cause="endpoint without TLS")
        self._about = (self._now() + CACHE_S, about)
        return about

    async def _read_keys(self, about: Discovery, *, again: bool = False) -> KeySet:
        from mindhit.accounts.oidc import id_tokens  # noqa: PLC0415  see the package

        if self._keys is not None and self._now() < self._keys[0] and not again:
            return self._keys[1]
        keys = id_tokens.read_keys((await self._fetch("keys", about.jwks_uri, Keys)).keys)
        self._keys = (self._now() + CACHE_S, keys)
        return keys

    async def _exchange(self, about: Discovery, code: str, verifier: str) -> Tokens:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_uri,
            "code_verifier": verifier,
        }
        headers = {}
        secret = self._secret.get_secret_value() if self._secret else None
        if secret is None:
            form["client_id"] = self._client_id
        elif "client_secret_basic" in about.auth_methods:
            headers["Authorization"] = _basic(self._client_id, secret)
        elif "client_secret_post" in about.auth_methods:
            form |= {"client_id": self._client_id, "client_secret": secret}
        else:
            raise ProviderFailed(part="token", cause="takes no client secret")
        answer = await _ask("token", about.token_endpoint, form=form, headers=headers)
        if answer.status != 200:
            raise _refusal(answer)
        return _read("token", answer, Tokens)

    async def _verify(self, about: Discovery, token: str, nonce: str) -> dict[str, Any]:
        from mindhit.accounts.oidc import id_tokens  # noqa: PLC0415  see the package

        keys = await self._read_keys(about)
        for is_last in (False, True):
            try:
                return id_tokens.verify(
                    token, keys, issuer=about.issuer, client_id=self._client_id, nonce=nonce
                )
            except id_tokens.UnknownKey:
                if is_last:
                    break
                keys = await self._read_keys(about, again=True)
        raise SignInRefused(Reason.TOKEN, cause="signature")

    async def _read_userinfo(self, about: Discovery, token: str, subject: str) -> dict[str, Any]:
        if about.userinfo_endpoint is None:
            return {}
        headers = {"Authorization": f"Bearer {token}"}
        told: dict[str, Any] = await self._fetch(
            "userinfo", about.userinfo_endpoint, dict[str, Any], headers
        )
        if told.get("sub") != subject:  # another user's: the token was swapped
            raise SignInRefused(Reason.TOKEN, cause="userinfo sub")
        return told

    async def _fetch(
        self,
        part: str,
        url: str,
        kind: type[Document],
        headers: Mapping[str, str] | None = None,
    ) -> Document:
        answer = await _ask(part, url, headers=headers)
        if answer.status != 200:
            raise ProviderFailed(part=part, status=answer.status)
        return _read(part, answer, kind)


async def _ask(
    part: str,
    url: str,
    *,
    form: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    from mindhit.accounts.oidc import http  # noqa: PLC0415  see the package

    return await http.ask(part, url, form=form, headers=headers)


def _read(part: str, answer: Answer, kind: type[Document]) -> Document:
    try:
        return msgspec.json.decode(answer.body, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        # Nothing of the body in the error: it may hold tokens.
        raise ProviderFailed(part=part, cause="unexpected format") from None


def _refusal(answer: Answer) -> ProviderFailed | SignInRefused:
    """An expired code is the user's problem; everything else is the operator's."""
    try:
        error = msgspec.json.decode(answer.body, type=Refusal).error
    except (msgspec.MsgspecError, ValueError, RecursionError):
        error = ""
    if error == "invalid_grant":
        return SignInRefused(Reason.EXPIRED, cause=error)
    return ProviderFailed(part="token", status=answer.status, cause=known_code(error))


def _verified_email(told: Mapping[str, Any]) -> str | None:
    """The address, if the provider verified it. Some send the flag as a string."""
    email, verified = told.get("email"), told.get("email_verified")
    if not isinstance(email, str) or not (verified is True or verified == "true"):
        return None
    try:
        return email_addresses.clean(email)
    except BadAddress:
        return None


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _basic(client_id: str, secret: str) -> str:
    """HTTP Basic as in OAuth: both parts are form-encoded first (RFC 6749, 2.3.1)."""
    pair = f"{quote_plus(client_id)}:{quote_plus(secret)}"
    return "Basic " + base64.b64encode(pair.encode()).decode()
