"""People, devices and scopes; the slice's errors.

scope       who has it                        what it allows
web         a browser, by its cookie          everything of the person; the owner's routes too, if
                                              the person is the owner
extension   a connected extension             recording, reminders, the person's settings
api         a program, by a token             everything of the person except devices and passwords
admin       a program of the owner            the queue, people, unsent mails
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from enum import StrEnum
from typing import NewType
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mindhit.errors import Conflict, Forbidden, Invalid, NotFound, TooMany, Unauthenticated

UserId = NewType("UserId", UUID)
DeviceId = NewType("DeviceId", UUID)
ExportId = NewType("ExportId", UUID)


class Role(StrEnum):
    OWNER = "owner"
    USER = "user"


class Scope(StrEnum):
    WEB = "web"
    EXTENSION = "extension"
    API = "api"
    ADMIN = "admin"


class DeviceKind(StrEnum):
    WEB = "web"
    EXTENSION = "extension"
    API = "api"


class Language(StrEnum):
    EN = "en"
    KO = "ko"


class Purpose(StrEnum):
    """What a one-time link is for."""

    OWNER = "owner"
    SIGN_UP = "sign_up"
    VERIFY = "verify"
    EMAIL = "email"
    RESET = "reset"


class Event(StrEnum):
    """Security events that a person can read later."""

    CREATED = "account_created"
    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGNED_OUT = "signed_out"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105  an event, not a secret
    PASSWORD_RESET = "password_reset"  # noqa: S105  an event, not a secret
    RESET_ASKED = "reset_asked"
    EMAIL_CHANGED = "email_changed"
    EMAIL_VERIFIED = "email_verified"
    DEVICE_CONNECTED = "device_connected"
    DEVICE_REVOKED = "device_revoked"
    TOKEN_MADE = "token_made"  # noqa: S105  an event, not a secret
    TOKEN_REUSED = "token_reused"  # noqa: S105  an event, not a secret
    IDENTITY_LINKED = "identity_linked"
    IDENTITY_UNLINKED = "identity_unlinked"
    EXPORT_ASKED = "export_asked"
    EXPORTED = "exported"
    ERASURE_ASKED = "erasure_asked"


@dataclass(frozen=True, slots=True)
class Person:
    id: UserId
    email: str
    role: str
    has_password: bool
    verified_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Listed:
    """A person in the owner's list."""

    id: UserId
    email: str
    role: str
    verified_at: datetime | None
    created_at: datetime
    last_seen_at: datetime | None


class ExportStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"


class ExportReason(StrEnum):
    """Why there is no archive."""

    NO_SPACE = "no-space"  # on the server's disk
    FORGOTTEN = "forgotten"  # something that is or would be in it was forgotten meanwhile
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class DataExport:
    """An archive of everything about a person. `digest`, size and expiry are known when it is ready."""

    id: ExportId
    status: str
    files: int
    files_done: int
    size_bytes: int | None
    digest: str | None
    reason: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime | None

    @property
    def is_under_way(self) -> bool:
        return self.status in {ExportStatus.QUEUED, ExportStatus.RUNNING}


class QuietMode(StrEnum):
    """Where quiet hours come from: MindHit's suggestion, the person, or there are none."""

    DEFAULT = "default"
    OWN = "own"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's settings. Quiet hours have both ends or neither, and may cross midnight; they are those
    in force, whether the person chose them or not.
    `server_fetch`: the server may fetch pages whose text the browser could not read."""

    email_notification: bool
    excluded_domains: list[str]
    timezone: str
    language: str
    quiet_from: time | None
    quiet_until: time | None
    server_fetch: bool
    quiet_mode: str = "own"

    @property
    def zone(self) -> ZoneInfo:
        """The time zone; UTC where this machine does not know it any more. Old names are dropped from
        time zone databases, and runs that are for everybody must not fail on one person's."""
        try:
            return ZoneInfo(self.timezone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class Device:
    id: DeviceId
    kind: str
    name: str
    scopes: list[str]
    created_at: datetime
    last_seen_at: datetime | None
    last_address: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Extension:
    """A connected extension, with the address of the person it records for."""

    id: DeviceId
    user_id: UserId
    email: str
    name: str
    connected_at: datetime
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request comes from: a person, through one device."""

    user_id: UserId
    role: str
    device_id: DeviceId
    device_kind: str
    scopes: list[str]
    is_stale: bool  # last_seen_at is due to be updated


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request came from, as far as known."""

    address: str | None = None
    device: str = "unknown"


@dataclass(frozen=True, slots=True)
class TokenPair:
    """An extension's tokens. Only their hashes are stored."""

    access: str
    refresh: str
    expires_in_s: int


@dataclass(frozen=True, slots=True)
class SecurityEvent:
    id: int
    at: datetime
    event: str
    address: str | None
    device: str | None


class NotSignedIn(Unauthenticated):
    """Sign in first."""


class WrongCredentials(Unauthenticated):
    """Wrong email address or password."""


class TokenNotValid(Unauthenticated):
    """This token is not valid or has expired."""


class ScopeMissing(Forbidden):
    """This device is not allowed to do that."""


class OwnerOnly(Forbidden):
    """Only the owner of this server may do that."""


class SignUpClosed(Forbidden):
    """Sign-up is closed on this server; ask its owner to add you."""


class PasswordsOff(Forbidden):
    """Passwords are turned off on this server; sign in through its identity provider."""


class LinkNotValid(Forbidden):
    """This link is not valid or has expired. Ask for a new one."""


class WrongPassword(Forbidden):
    """Wrong password."""


class OwnerExists(Conflict):
    """This server already has an owner."""


class PersonExists(Conflict):
    """There is already an account with this email address."""


class OwnerNeeded(Conflict):
    """The owner's account can't be deleted while there are other users on this server."""


class BadAddress(Invalid):
    """This is not an email address."""


class BadPassword(Invalid):
    """This password can't be used."""


class BadSetting(Invalid):
    """This is not a valid value for the setting."""


class PersonNotFound(NotFound):
    """There is no account with that email address."""


class TokenLimit(Conflict):
    """You have as many API tokens as this server allows. Revoke one first."""


class DeviceNotFound(NotFound):
    """There is no such device."""


class ExportNotFound(NotFound):
    """There is no such export, or it has expired."""


class ExportNotReady(Conflict):
    """The export isn't ready yet, or has failed."""


class TooManyAttempts(TooMany):
    """Too many attempts. Wait a moment and try again."""


class ConnectionNotFound(NotFound):
    """This code is not valid or has expired. Start again in the extension."""
