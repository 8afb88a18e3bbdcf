"""One-time links: how long they are valid, making them, opening them.

The token stands after the `#` of the address, which neither servers nor proxies log, and only its
hash is stored.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.accounts import store
from mindhit.accounts.model import LinkNotValid, Purpose, UserId
from mindhit.accounts.store.links import Opened
from mindhit.accounts.tokens import TokenType, hash_of, new_token
from mindhit.db import Tx

HOUR_S: Final = 3600.0
VALID_S: Final = {
    Purpose.OWNER: 24 * HOUR_S,
    Purpose.SIGN_UP: 48 * HOUR_S,
    Purpose.VERIFY: 48 * HOUR_S,
    Purpose.EMAIL: HOUR_S,
    Purpose.RESET: HOUR_S,
}
INVITATION_S: Final = 7 * 24 * HOUR_S
PAGES: Final = {Purpose.OWNER: "welcome", Purpose.SIGN_UP: "reset", Purpose.RESET: "reset"}


async def make_link(
    tx: Tx,
    public_url: str,
    purpose: Purpose,
    *,
    user_id: UserId | None = None,
    email: str | None = None,
    sign_up_id: UUID | None = None,
    valid_s: float | None = None,
) -> tuple[str, datetime]:
    """A new link and its expiry. Earlier links stay valid: the person may open an older mail."""
    token, hashed = new_token(TokenType.LINK)
    expires_at = await tx.one(
        store.links.ADD, hashed, purpose, user_id, email, sign_up_id, valid_s or VALID_S[purpose]
    )
    return f"{public_url}/{PAGES.get(purpose, 'confirm')}#{token}", expires_at


async def open_link(tx: Tx, token: str, *purposes: Purpose) -> Opened:
    """Use up a link, and with it all others of the same person and purpose."""
    opened = await tx.maybe(store.links.OPEN, hash_of(token, TokenType.LINK), list(purposes))
    if opened is None:
        raise LinkNotValid
    if opened.user_id is not None:
        await tx.run(store.links.DROP, opened.user_id, [opened.purpose])
    return opened
