"""The jobs of accounts: their arguments and policies. What they do is in `jobs.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from mindhit.accounts.model import DeviceId, ExportId, UserId
from mindhit.mail import MailRefused
from mindhit.work import Lane, job

_mail: dict[str, Any] = {"lane": Lane.CRITICAL, "attempts": 6, "backoff_s": (5, 30, 120, 600, 1800)}


@job("accounts:mail_sign_up", discard_on=(MailRefused,), **_mail)
@dataclass(frozen=True, slots=True)
class MailSignUpLink:
    sign_up_id: UUID


@job("accounts:mail_verify", key="user_id", discard_on=(MailRefused,), **_mail)
@dataclass(frozen=True, slots=True)
class MailVerifyLink:
    user_id: UserId


@job("accounts:mail_email", discard_on=(MailRefused,), **_mail)
@dataclass(frozen=True, slots=True)
class MailEmailLink:
    user_id: UserId
    email: str
    device_id: DeviceId


@job("accounts:mail_moved", discard_on=(MailRefused,), **_mail)
@dataclass(frozen=True, slots=True)
class MailMoved:
    user_id: UserId
    email: str


@job("accounts:mail_reset", discard_on=(MailRefused,), **_mail)
@dataclass(frozen=True, slots=True)
class MailResetLink:
    email_key: str
    address: str | None
    device: str


@job("accounts:mail_invitation", discard_on=(MailRefused,), **_mail)
@dataclass(frozen=True, slots=True)
class MailInvitation:
    user_id: UserId


@job("accounts:erase", key="erasure_id", attempts=20, backoff_s=(5, 60, 600, 3600))
@dataclass(frozen=True, slots=True)
class Erase:
    erasure_id: UUID


# All of them are in one domain: of those, two run at once, over all workers.
@job(
    "accounts:export",
    lane=Lane.LOW,
    key="export_id",
    domain="domain",
    backoff_s=(10, 60),
    timeout_s=4 * 3600,
)
@dataclass(frozen=True, slots=True)
class MakeExport:
    export_id: ExportId
    user_id: UserId
    domain: str = "exports"


@job("accounts:sweep", lane=Lane.LOW, key="name", attempts=3)
@dataclass(frozen=True, slots=True)
class Sweep:
    name: str = "all"
