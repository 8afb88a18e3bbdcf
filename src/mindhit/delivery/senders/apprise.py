"""Anything Apprise speaks. The library is loaded when it is first used, and runs in a thread.

It opens its own connections, which no guard of ours sees. So services whose address can lead to a host
of the person's choice, or to files or programs of this machine, are refused, unless the operator allows
them by their scheme.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
from typing import Any, Final

from mindhit.delivery.configs import AppriseUrl
from mindhit.delivery.model import Outgoing
from mindhit.delivery.reasons import Reason, ReasonCode
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused

SEND_S: Final = 30.0
_TALKATIVE: Final = ("apprise", "urllib3")  # their lines have addresses, and tokens in these
# Without a host in their address, and yet not bound to one: an organisation that may be a host name,
# relays, whatever server an account names, keys read from a file or fetched from an address.
_LEAD_ANYWHERE: Final = frozenset({"zulip", "nostr", "bsky", "bluesky", "fcm", "vapid"})
# The machine's own log, where its owner would read what somebody else reads; its screen and its lamps.
_ON_THIS_MACHINE: Final = frozenset(
    {"syslog", "dbus", "kde", "qt", "glib", "gio", "gnome", "macosx", "windows", "blink1"}
)


async def send(config: AppriseUrl, notice: Outgoing, allowed: frozenset[str]) -> None:
    if importlib.util.find_spec("apprise") is None:
        raise DeliveryRefused(Reason(ReasonCode.APPRISE_MISSING))
    try:
        async with asyncio.timeout(SEND_S):
            is_sent = await asyncio.to_thread(_send, config.url, notice, allowed)
    except TimeoutError:
        raise DeliveryFailed(Reason(ReasonCode.APPRISE_NO_ANSWER)) from None
    if not is_sent:
        raise DeliveryFailed(Reason(ReasonCode.APPRISE_NOT_DELIVERED))


def _send(url: str, notice: Outgoing, allowed: frozenset[str]) -> bool:
    import apprise  # noqa: PLC0415

    for name in _TALKATIVE:
        logging.getLogger(name).propagate = False
    scheme = _scheme(url)
    # Before it is made: some read their files then.
    if scheme in _LEAD_ANYWHERE | _ON_THIS_MACHINE and scheme not in allowed:
        raise DeliveryRefused(Reason(ReasonCode.APPRISE_FORBIDDEN))
    made = apprise.Apprise.instantiate(url)
    if made is None:
        raise DeliveryRefused(Reason(ReasonCode.APPRISE_BAD_ADDRESS))
    if has_chosen_host(made) and scheme not in allowed:
        raise DeliveryRefused(Reason(ReasonCode.APPRISE_FORBIDDEN))
    body = f"{notice.body}\n{notice.url}".strip() if notice.url else notice.body
    try:
        return bool(made.notify(title=notice.title, body=body or notice.title))
    except Exception as error:  # noqa: BLE001  over a hundred services; what one raises may quote the notice
        reason = Reason(ReasonCode.APPRISE_FAILED, detail=type(error).__name__)
        raise DeliveryFailed(reason) from None


def has_chosen_host(service: Any) -> bool:
    """Whether the address says which host is connected to."""
    return "host" in service.template_tokens


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()
