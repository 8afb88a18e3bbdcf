"""One-time links: made, mailed, opened. The token stands behind the `#` of a page's address, where
neither servers nor proxies log it, and only its hash is kept."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from mindhit.accounts import store
from mindhit.accounts.model import LinkNotValid, Purpose, UserId
from mindhit.accounts.store.links import Opened
from mindhit.accounts.tokens import Sort, fresh, hash_of
from mindhit.db import Tx

HOUR_S = 3600.0
VALID_S = {
    Purpose.OWNER: 24 * HOUR_S,
    Purpose.SIGN_UP: 48 * HOUR_S,
    Purpose.VERIFY: 48 * HOUR_S,
    Purpose.EMAIL: HOUR_S,
    Purpose.RESET: HOUR_S,
}
INVITED_S = 7 * 24 * HOUR_S
PAGES = {Purpose.OWNER: "welcome", Purpose.SIGN_UP: "reset", Purpose.RESET: "reset"}


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
    """A new link, and until when it is good. Links made before stay good: an older mail may be the
    one that is opened."""
    token, hashed = fresh(Sort.LINK)
    expires_at = await tx.one(
        store.links.ADD, hashed, purpose, user_id, email, sign_up_id, valid_s or VALID_S[purpose]
    )
    return f"{public_url}/{PAGES.get(purpose, 'confirm')}#{token}", expires_at


async def open_link(tx: Tx, token: str, *purposes: Purpose) -> Opened:
    """Use a link up: it and every other of its person and purpose."""
    opened = await tx.maybe(store.links.OPEN, hash_of(token, Sort.LINK), list(purposes))
    if opened is None:
        raise LinkNotValid
    if opened.user_id is not None:
        await tx.run(store.links.DROP, opened.user_id, [opened.purpose])
    return opened
