"""Who a provider says somebody is, and why a sign-in was refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mindhit.errors import Forbidden, NotFound, Upstream

_CODE: Final = re.compile(r"[a-z_]{1,64}")


@dataclass(frozen=True, slots=True)
class Profile:
    """A person at their provider. `email` is set only if it is verified."""

    issuer: str
    subject: str
    email: str | None


class Reason(StrEnum):
    """Why a sign-in was refused. The sign-in page has a sentence for each, by this name."""

    DENIED = "denied"
    EXPIRED = "expired"
    BROWSER = "browser"
    PROVIDER = "provider"
    TOKEN = "token"  # noqa: S105  a reason, not a secret
    UNVERIFIED = "unverified"
    UNKNOWN = "unknown"
    LINKED = "linked"
    LEAVING = "leaving"
    NO_OWNER = "no_owner"


SENTENCES: Final = {
    Reason.DENIED: "You cancelled sign-in at the identity provider.",
    Reason.EXPIRED: "This sign-in has expired or was already used. Try again.",
    Reason.BROWSER: "This sign-in was started in another browser or at another address. Try again.",
    Reason.TOKEN: "The identity provider's answer could not be verified. Try again, or tell the server's owner.",
    Reason.UNVERIFIED: "Your email address isn't verified at the identity provider. Verify it there first.",
    Reason.UNKNOWN: "You don't have an account on this server. Ask its owner for one.",
    Reason.LINKED: "The account with your address is linked to another identity-provider user.",
    Reason.LEAVING: "The account with your address is being deleted.",
    Reason.NO_OWNER: "This server has no owner yet. The owner has to open the welcome link first, which the"
    " server printed when it started.",
}


class NotConfigured(NotFound):
    """This server has no identity provider."""


class ProviderFailed(Upstream):
    """The identity provider sent an unexpected answer. Try again later."""

    reason = Reason.PROVIDER


class SignInRefused(Forbidden):
    """Sign-in was refused."""

    def __init__(self, reason: Reason, *, cause: str | None = None) -> None:
        super().__init__(SENTENCES[reason], **({"cause": cause} if cause else {}))
        self.reason = reason


def known_code(told: str) -> str:
    """A provider's error code for the log; anything that doesn't look like one is left out."""
    return told if _CODE.fullmatch(told) else "no code"
