"""Signing in through an OpenID Connect provider: optional, beside passwords or in their place.

browser                     server                              provider
GET /auth/oidc/start  ──▶   begin: state, nonce, verifier kept
                            302 and a cookie with the state ──▶ the person says who they are
GET …/callback        ◀───────────────────────────────────────  302 with code and state
cookie = state?       ──▶   finish: request taken, once
                            code + verifier  ─────────────────▶ id token
                            signature, issuer, audience, times, nonce; who is it?
                      ◀──   302 to `next`, signed in

Promises: a request is good once, for ten minutes, in the browser that made it; nothing is believed
that the provider did not sign for us and for this request; an account is found by the provider's
own name for a person, and by a mail address only when the provider has verified it and nobody else
of that provider holds the account; nobody becomes the owner this way; `next` never leaves this
server.

The libraries for HTTP and for signatures are loaded with the first `Provider` and not before:
together they take longer than most commands run. `http` and `id_tokens` import them, and are
imported late.
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
