"""Signing in through an OpenID Connect provider: optional, alongside or instead of passwords.

browser                     server                              provider
GET /auth/oidc/start  ──▶   begin: state, nonce, verifier stored
                            302 and a cookie with the state ──▶ the person signs in there
GET …/callback        ◀───────────────────────────────────────  302 with code and state
cookie = state?       ──▶   finish: request taken, once
                            code + verifier  ─────────────────▶ id token
                            signature, issuer, audience, times, nonce; whose account?
                      ◀──   302 to `next`, signed in

Promises: a request is valid once, for ten minutes, in the browser that made it; only what the
provider signed for us and for this request is trusted; an account is found by the provider's
subject, and by email address only if the provider verified it and the account is not linked to
another of its users; nobody becomes the owner this way; `next` never leaves this server.

The libraries for HTTP and for signatures are loaded with the first `Provider`: together they take
longer than most commands run. `http` and `id_tokens` import them, and are imported late.
"""

from mindhit.accounts.oidc.model import (
    NotConfigured,
    ProviderFailed,
    Reason,
    SignInRefused,
    known_code,
)
from mindhit.accounts.oidc.provider import CALLBACK, Provider
from mindhit.accounts.oidc.redirects import local_path
from mindhit.accounts.oidc.sign_in import VALID_S, begin, finish, unlink

__all__ = [
    "CALLBACK",
    "VALID_S",
    "NotConfigured",
    "Provider",
    "ProviderFailed",
    "Reason",
    "SignInRefused",
    "begin",
    "finish",
    "known_code",
    "local_path",
    "unlink",
]
