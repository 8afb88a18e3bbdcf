"""Why a notice was not delivered: a code with its facts for apps that translate it, and a sentence.

The sentence is what is stored, and what the API, commands and exports show. The code is read from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ReasonCode(StrEnum):
    ANSWERED = "answered"
    NO_ANSWER = "no_answer"
    UNREACHABLE = "unreachable"
    BAD_CERTIFICATE = "bad_certificate"
    ADDRESS_FORBIDDEN = "address_forbidden"
    PRIVATE_NETWORK = "private_network"
    UNREADABLE = "unreadable"
    NO_BROWSERS = "no_browsers"
    BAD_SUBSCRIPTION = "bad_subscription"
    PUSH_KEY_UNREADABLE = "push_key_unreadable"
    BAD_PUSH_CONTACT = "bad_push_contact"
    NO_MAIL_SERVER = "no_mail_server"
    MAIL_NOT_ACCEPTED = "mail_not_accepted"
    MAIL_REFUSED = "mail_refused"
    APPRISE_MISSING = "apprise_missing"
    APPRISE_NO_ANSWER = "apprise_no_answer"
    APPRISE_NOT_DELIVERED = "apprise_not_delivered"
    APPRISE_FAILED = "apprise_failed"
    APPRISE_BAD_ADDRESS = "apprise_bad_address"
    APPRISE_FORBIDDEN = "apprise_forbidden"
    PAGE_DELETED = "page_deleted"
    NO_CHANNEL = "no_channel"
    NOT_SENT = "not_sent"


class ServiceName(StrEnum):
    NTFY = "ntfy"
    WEBHOOK = "webhook"
    PUSH = "push"


_SERVICES: Final[Mapping[ServiceName, str]] = {
    ServiceName.NTFY: "ntfy",
    ServiceName.WEBHOOK: "The webhook",
    ServiceName.PUSH: "The push service",
}
_SENTENCES: Final[Mapping[ReasonCode, str]] = {
    ReasonCode.ANSWERED: "{service} answered {status}.",
    ReasonCode.NO_ANSWER: "{service} did not answer in time.",
    ReasonCode.UNREACHABLE: "{service} can't be reached.",
    ReasonCode.BAD_CERTIFICATE: "{service}: its certificate is not valid.",
    ReasonCode.ADDRESS_FORBIDDEN: "{service}: this address may not be used.",
    ReasonCode.PRIVATE_NETWORK: "{service}: this address leads into a private network.",
    ReasonCode.UNREADABLE: "This channel's settings can't be decrypted. Enter them again.",
    ReasonCode.NO_BROWSERS: "No browser shows notices any more. Allow notifications in one again.",
    ReasonCode.BAD_SUBSCRIPTION: "The browser's subscription is not valid.",
    ReasonCode.PUSH_KEY_UNREADABLE: "The key for push services can't be decrypted.",
    ReasonCode.BAD_PUSH_CONTACT: "Check MINDHIT_VAPID_SUBJECT: push services don't take it.",
    ReasonCode.NO_MAIL_SERVER: "This server has no mail server.",
    ReasonCode.MAIL_NOT_ACCEPTED: "The mail server did not accept the mail.",
    ReasonCode.MAIL_REFUSED: "The mail server refused the mail.",
    ReasonCode.APPRISE_MISSING: "Apprise is not installed on this server.",
    ReasonCode.APPRISE_NO_ANSWER: "Apprise did not finish in time.",
    ReasonCode.APPRISE_NOT_DELIVERED: "Apprise could not deliver it.",
    ReasonCode.APPRISE_FAILED: "Apprise failed: {detail}.",
    ReasonCode.APPRISE_BAD_ADDRESS: "Apprise does not understand this address.",
    ReasonCode.APPRISE_FORBIDDEN: "This server does not allow this Apprise service.",
    ReasonCode.PAGE_DELETED: "The page was deleted.",
    ReasonCode.NO_CHANNEL: "No channel took it.",
    ReasonCode.NOT_SENT: "It could not be sent.",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """`status` is what a service answered; `detail`, the name of an error."""

    code: ReasonCode
    service: ServiceName | None = None
    status: int | None = None
    detail: str | None = None

    def __str__(self) -> str:
        service = None if self.service is None else _SERVICES[self.service]
        return _SENTENCES[self.code].format(service=service, status=self.status, detail=self.detail)


def read_reason(sentence: str | None) -> Reason | None:
    """The reason that a stored sentence states; None for none, and for what none of ours says."""
    for code, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(sentence or ""):
            facts = found.groupdict()
            named = facts.get("service")
            return Reason(
                code,
                service=next((each for each, name in _SERVICES.items() if name == named), None),
                status=int(facts["status"]) if "status" in facts else None,
                detail=facts.get("detail"),
            )
    return None


def _pattern(sentence: str) -> re.Pattern[str]:
    written = re.escape(sentence)
    facts = {"service": "|".join(_SERVICES.values()), "status": r"\d{3}", "detail": r"\w+"}
    for name, looks in facts.items():
        written = written.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>{looks})")
    return re.compile(written)


_PATTERNS: Final = {code: _pattern(sentence) for code, sentence in _SENTENCES.items()}
