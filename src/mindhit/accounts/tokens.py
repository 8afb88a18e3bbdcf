"""Secrets that are handed out: how they look, and what is kept of them.

    mh_at_Qz…8f3a1c    kind, 32 random bytes, a checksum

The prefix tells a person (and a scanner for leaked secrets) what they have found; the checksum
tells a mistyped token from a revoked one before the database is asked. Only SHA-256 is kept: 256
random bits need no slow hash.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from enum import StrEnum

# Consonants and digits that are not mistaken for one another, and spell no words.
_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
_CODE_LENGTH = 8


class Sort(StrEnum):
    WEB = "mh_web_"
    ACCESS = "mh_at_"
    REFRESH = "mh_rt_"
    API = "mh_api_"
    DEVICE_CODE = "mh_dc_"
    LINK = "mh_link_"


def make(sort: Sort) -> str:
    body = secrets.token_urlsafe(32)
    return f"{sort}{body}{_checksum(sort + body)}"


def hash_of(token: str, *sorts: Sort) -> bytes | None:
    """What the database knows of a token; None where it cannot be one of these sorts."""
    if not token.isascii() or not any(token.startswith(sort) for sort in sorts):
        return None
    if not secrets.compare_digest(token[-8:], _checksum(token[:-8])):
        return None
    return hashlib.sha256(token.encode()).digest()


def fresh(sort: Sort) -> tuple[str, bytes]:
    """A new token, and its hash."""
    token = make(sort)
    return token, hashlib.sha256(token.encode()).digest()


def make_code() -> str:
    """A code for people to compare and type: BCDF-GHJK, 34 bits, good for ten minutes."""
    letters = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def clean_code(typed: str) -> str:
    """A code however it was typed: small letters, no dash, spaces."""
    letters = "".join(letter for letter in typed.upper() if letter in _CODE_LETTERS)
    return f"{letters[:4]}-{letters[4:]}" if len(letters) == _CODE_LENGTH else ""


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
