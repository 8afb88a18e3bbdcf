"""Who a provider says somebody is, and why somebody did not get in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mindhit.errors import Forbidden, NotFound, Upstream

_CODE: Final = re.compile(r"[a-z_]{1,64}")


@dataclass(frozen=True, slots=True)
class Profile:
    """A person as their provider knows them. The address is there only if it is verified."""

    issuer: str
    subject: str
    email: str | None


class Reason(StrEnum):
    """Why somebody did not get in. The sign-in page has a sentence for each, by this name."""

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
    Reason.DENIED: "The sign-in was called off at the identity provider.",
    Reason.EXPIRED: "This sign-in is over: it took too long, or was used already. Start again.",
    Reason.BROWSER: "This sign-in began in another browser or under another address. Start again.",
    Reason.TOKEN: "What the identity provider said about you cannot be trusted.",
    Reason.UNVERIFIED: "The identity provider has not verified your mail address.",
    Reason.UNKNOWN: "You have no account on this server; ask its owner for one.",
    Reason.LINKED: "The account with your address belongs to somebody else of the identity provider.",
    Reason.LEAVING: "The account with your address is being erased.",
    Reason.NO_OWNER: "This server has no owner yet; the owner comes first, by the link of its start.",
}


class NotConfigured(NotFound):
    """Nobody signs in through an identity provider here."""


class ProviderFailed(Upstream):
    """The identity provider did not answer as it should. Try again later."""

    reason = Reason.PROVIDER


class SignInRefused(Forbidden):
    """You are not let in."""

    def __init__(self, reason: Reason, *, cause: str | None = None) -> None:
        super().__init__(SENTENCES[reason], **({"cause": cause} if cause else {}))
        self.reason = reason


def known_code(told: str) -> str:
    """A provider's error code, for the log. What does not look like one stays out of it."""
    return told if _CODE.fullmatch(told) else "no code"
