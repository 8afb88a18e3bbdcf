"""Verifying id tokens: signed by the provider, for us, now, in answer to this request.

Imported late, see the package.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Literal

from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError, SecurityWarning
from joserfc.jwk import JWKRegistry, Key, KeySet
from joserfc.jws import JWSRegistry

from mindhit.accounts.oidc.model import Reason, SignInRefused

# Asymmetric signatures only. Not `none`, and no shared keys (HS…): with those, anybody who knows the
# public key could sign.
ALGORITHMS: Final = ("RS256", "PS256", "ES256", "EdDSA", "Ed25519")
LEEWAY_S: Final = 60
_LONGEST_SUBJECT: Final = 255  # OpenID Connect Core, section 2

_registry = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)


class UnknownKey(Exception):
    """Not signed with any of these keys; there may be newer ones."""


def read_keys(documents: list[dict[str, Any]]) -> KeySet:
    """The usable keys of a JWKS. Others (new types, too short) are skipped, as RFC 7517 says: they
    are no reason to refuse the rest."""
    keys: list[Key] = []
    for document in documents:
        try:
            with _security_warnings("error"):
                keys.append(JWKRegistry.import_key(document))
        except (JoseError, SecurityWarning, ValueError, TypeError, KeyError):
            continue
    return KeySet(keys)


def verify(token: str, keys: KeySet, *, issuer: str, client_id: str, nonce: str) -> dict[str, Any]:
    """The claims of a valid token. Raises `UnknownKey` if newer keys may help."""
    rules = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_S,
        iss={"essential": True, "value": issuer},
        sub={"essential": True},
        aud={"essential": True, "value": client_id},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": nonce},
    )
    try:
        # EdDSA: the library expects Ed25519 (RFC 9864), which no provider sends yet.
        with _security_warnings("ignore"):
            claims = jwt.decode(token, keys, registry=_registry).claims
        rules.validate(claims)
    except (InvalidKeyIdError, BadSignatureError) as error:
        raise UnknownKey from error
    except (JoseError, ValueError, TypeError) as error:
        raise SignInRefused(Reason.TOKEN, cause=_cause(error)) from error
    _check_party(claims, client_id)
    _check_subject(claims["sub"])
    return claims


def _check_party(claims: Mapping[str, Any], client_id: str) -> None:
    """A token for several audiences is for the one that `azp` names."""
    audience = claims["aud"]
    is_shared = isinstance(audience, list) and len(audience) > 1
    if claims.get("azp", None if is_shared else client_id) != client_id:
        raise SignInRefused(Reason.TOKEN, cause="azp")


def _check_subject(subject: str) -> None:
    if len(subject) > _LONGEST_SUBJECT or not subject.isprintable():
        raise SignInRefused(Reason.TOKEN, cause="sub")


def _cause(error: Exception) -> str:
    """The claim's name or the type of failure; nothing of the token itself."""
    return str(getattr(error, "claim", None) or type(error).__name__)


@contextmanager
def _security_warnings(action: Literal["error", "ignore"]) -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter(action, SecurityWarning)
        yield
