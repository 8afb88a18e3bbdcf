"""One-click unsubscribing from mails: a link that needs no sign-in and switches one channel off.

The token is person and channel with a signature of the installation's key, made for this purpose alone;
it does not expire, so that the link of an old mail works.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final
from uuid import UUID

from mindhit import accounts
from mindhit.accounts import UserId
from mindhit.db import ReadTx, Tx
from mindhit.delivery import store
from mindhit.delivery.model import BadNoticeLink, ChannelId
from mindhit.errors import NotFound
from mindhit.installation import installation_sealer
from mindhit.settings import Settings

_PURPOSE: Final = "unsubscribe from notices by mail"
_ID_BYTES: Final = 16
PATH: Final = "/v1/channels/unsubscribe"


def link(settings: Settings, user_id: UUID, channel_id: UUID) -> str:
    said = base64.urlsafe_b64encode(user_id.bytes + channel_id.bytes).rstrip(b"=").decode()
    signature = installation_sealer(settings).sign(said, _PURPOSE)
    return f"{settings.public_url}{PATH}/{said}.{signature}"


def read_token(settings: Settings, token: str) -> tuple[UserId, ChannelId]:
    """Whose, and which. Raises `BadNoticeLink`."""
    said, _, signature = token.partition(".")
    if not token.isascii() or not installation_sealer(settings).is_signed(
        said, signature, _PURPOSE
    ):
        raise BadNoticeLink
    try:
        raw = base64.urlsafe_b64decode(said + "=" * (-len(said) % 4))
    except (binascii.Error, ValueError):
        raise BadNoticeLink from None
    if len(raw) != 2 * _ID_BYTES:
        raise BadNoticeLink
    return UserId(UUID(bytes=raw[:_ID_BYTES])), ChannelId(UUID(bytes=raw[_ID_BYTES:]))


async def language_of(tx: ReadTx, user_id: UserId) -> str:
    try:
        return (await accounts.show_preferences(tx, user_id)).language
    except NotFound:
        raise BadNoticeLink from None


async def unsubscribe(tx: Tx, user_id: UserId, channel_id: ChannelId) -> None:
    """Twice is the same as once; a channel that was removed is off too."""
    await tx.maybe(store.channels.SWITCH_OFF, user_id, channel_id)
