"""Encrypts and signs with the installation's key: what the database must not give away by itself.

The key is the setting `secret_key`, or a file in the data directory that is made when it is first
needed. Whoever has the database (a backup, say) without the key can open nothing.

    sealed = "mh1.<id of the key>.<nonce and ciphertext>"     AES-256-GCM

Every purpose has a key of its own, derived from the installation's, and is authenticated: what was
sealed for one purpose, or for one person, opens for no other. The id tells a value that another key
sealed (`OtherKey`: the file was lost, or another machine has another one) from a damaged one.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import Final

# cryptography is imported where it is used: most commands and requests seal nothing.

KEY_FILE: Final = "secret.key"  # in the data directory
KEY_BYTES: Final = 32
SHORTEST_SECRET: Final = 32  # characters of the setting
_VERSION: Final = "mh1"
_NONCE_BYTES: Final = 12
_WAY_OUT: Final = (
    "Put the former key back (the setting secret_key, or the file secret.key in the data directory;"
    " all machines of an installation need the same), or enter again what was encrypted with it."
)


class SealBroken(Exception):
    """An encrypted value can't be opened."""

    way_out = "Enter it again."


class OtherKey(SealBroken):
    """This was encrypted with another key than this installation's."""

    way_out = _WAY_OUT


class KeyUnusable(Exception):
    """The installation's key can't be used; the message says why."""


class Sealer:
    """Seals and opens with one key. `purpose` says what for and, where it is a person's, whose."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise KeyUnusable(
                f"The installation's key has {len(key)} bytes instead of {KEY_BYTES}."
            )
        self._key = key
        self._id = hashlib.sha256(b"mindhit key id" + key).hexdigest()[:8]

    def __repr__(self) -> str:
        return f"Sealer({self._id})"

    def seal(self, text: str, purpose: str) -> str:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        nonce = secrets.token_bytes(_NONCE_BYTES)
        box = AESGCM(self._derived("seal", purpose))
        hidden = nonce + box.encrypt(nonce, text.encode(), self._context(purpose))
        return f"{_VERSION}.{self._id}.{_encode(hidden)}"

    def open(self, sealed: str, purpose: str) -> str:
        """Raises `OtherKey` or `SealBroken`; neither says anything about the content."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        version, _, rest = sealed.partition(".")
        key_id, _, payload = rest.partition(".")
        if version != _VERSION:
            raise SealBroken
        if key_id != self._id:
            raise OtherKey
        try:
            hidden = _decode(payload)
            nonce, box = hidden[:_NONCE_BYTES], AESGCM(self._derived("seal", purpose))
            return box.decrypt(nonce, hidden[_NONCE_BYTES:], self._context(purpose)).decode()
        except (InvalidTag, ValueError):
            raise SealBroken from None

    def sign(self, text: str, purpose: str) -> str:
        """A signature that fits into a URL."""
        made = hmac.digest(self._derived("sign", purpose), text.encode(), "sha256")
        return _encode(made)

    def is_signed(self, text: str, signature: str, purpose: str) -> bool:
        return hmac.compare_digest(self.sign(text, purpose).encode(), signature.encode())

    def _derived(self, use: str, purpose: str) -> bytes:
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

        info = f"mindhit {use}: {purpose}".encode()
        return HKDF(SHA256(), KEY_BYTES, salt=None, info=info).derive(self._key)

    def _context(self, purpose: str) -> bytes:
        return f"{_VERSION}.{self._id}.{purpose}".encode()


def sealer_of(secret: str | None, data_dir: Path) -> Sealer:
    """The installation's: from the setting, else from the file, which is made if there is none.

    Raises `KeyUnusable`.
    """
    if secret is not None:
        if len(secret) < SHORTEST_SECRET:
            raise KeyUnusable(f"The setting secret_key needs {SHORTEST_SECRET} characters or more.")
        return Sealer(hashlib.sha256(b"mindhit secret_key" + secret.encode()).digest())
    file = data_dir / KEY_FILE
    try:
        return Sealer(_read(file) or _make(file))
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise KeyUnusable(f"The key file {file} can't be used: {reason}.") from error


def _read(file: Path) -> bytes | None:
    try:
        text = file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise KeyUnusable(f"{file} is not a key file.") from None
    try:
        key = bytes.fromhex(text)
    except ValueError:
        raise KeyUnusable(f"{file} is not a key file.") from None
    if len(key) != KEY_BYTES:
        raise KeyUnusable(f"{file} is not a key file, or is cut off.")
    return key


def _make(file: Path) -> bytes:
    """A new key under its name, complete or not at all; of two processes one makes it, and both use
    that one. As root, it belongs to the folder's owner, as everything in there does."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(fd, "w", encoding="ascii") as out:
            if os.geteuid() == 0:
                about = file.parent.stat()
                os.fchown(out.fileno(), about.st_uid, about.st_gid)
            out.write(secrets.token_hex(KEY_BYTES) + "\n")
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(fresh, file)  # unlike a rename, never replaces a key that is there
    finally:
        fresh.unlink()
    made = _read(file)
    assert made is not None
    return made


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise SealBroken from None
