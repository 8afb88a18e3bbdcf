"""One-click unsubscribing: a link that needs no sign-in and does one thing.

The token is the person and a signature with the installation's key, made for this purpose alone; it
does not expire, so that the link of an old mail works.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final
from uuid import UUID

from mindhit import accounts
from mindhit.accounts import UserId
from mindhit.db import ReadTx, Tx
from mindhit.errors import NotFound
from mindhit.insight.model import BadUnsubscribeLink
from mindhit.sealing import Sealer, sealer_of
from mindhit.settings import Settings

PURPOSE: Final = "unsubscribe from session reports"
_ID_BYTES: Final = 16


def sealer(settings: Settings) -> Sealer:
    """Raises `KeyUnusable`."""
    secret = settings.secret_key.get_secret_value() if settings.secret_key else None
    return sealer_of(secret, settings.data_dir)


def make_token(sealed_by: Sealer, user_id: UUID) -> str:
    person = base64.urlsafe_b64encode(user_id.bytes).rstrip(b"=").decode()
    return f"{person}.{sealed_by.sign(person, PURPOSE)}"


def read_token(sealed_by: Sealer, token: str) -> UUID:
    """Whose it is. Raises `BadUnsubscribeLink`."""
    person, _, signature = token.partition(".")
    if not token.isascii() or not sealed_by.is_signed(person, signature, PURPOSE):
        raise BadUnsubscribeLink
    try:
        raw = base64.urlsafe_b64decode(person + "=" * (-len(person) % 4))
    except (binascii.Error, ValueError):
        raise BadUnsubscribeLink from None
    if len(raw) != _ID_BYTES:
        raise BadUnsubscribeLink
    return UUID(bytes=raw)


async def language_of(tx: ReadTx, user_id: UUID) -> str:
    try:
        return (await accounts.show_preferences(tx, UserId(user_id))).language
    except NotFound:
        raise BadUnsubscribeLink from None


async def unsubscribe(tx: Tx, user_id: UUID) -> None:
    """Twice is the same as once."""
    try:
        await accounts.change_preferences(tx, UserId(user_id), {"email_notification": False})
    except NotFound:
        raise BadUnsubscribeLink from None
