"""People, devices and scopes; what a request may do; the slice's errors.

scope       who holds it                      what it opens
web         a browser, by its cookie          everything of the person; the owner's routes too,
                                              where the person is the owner
extension   a connected extension             recording, reminders, the person's settings
api         a program, by a token             everything of the person but its keys
admin       a program of the owner's          the queue, people, unsent mails
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from enum import StrEnum
from typing import NewType
from uuid import UUID

from mindhit.errors import Conflict, Forbidden, Invalid, NotFound, Unauthenticated

UserId = NewType("UserId", UUID)
DeviceId = NewType("DeviceId", UUID)


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
    """What a person can read later about their keys."""

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
    """A person as the owner sees the people of the server."""

    id: UserId
    email: str
    role: str
    verified_at: datetime | None
    created_at: datetime
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person has chosen. Quiet hours are both there or both not; they may cross midnight."""

    email_notification: bool
    excluded_domains: list[str]
    timezone: str
    language: str
    quiet_from: time | None
    quiet_until: time | None


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
    """One that is connected, with the address of the person it records for."""

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
    is_stale: bool  # last seen long enough ago to be written down again


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request came from, as far as it can be known."""

    address: str | None = None
    device: str = "unknown"


@dataclass(frozen=True, slots=True)
class TokenPair:
    """What an extension holds. Only hashes are kept here."""

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
    """The address or the password is not right."""


class TokenNotValid(Unauthenticated):
    """This token is not valid, or not any more."""


class ScopeMissing(Forbidden):
    """This device was not given the right to do that."""


class OwnerOnly(Forbidden):
    """Only the owner of this server may do that."""


class SignUpClosed(Forbidden):
    """Sign-up is closed on this server; its owner can add people."""


class PasswordsOff(Forbidden):
    """This server takes no passwords; sign in through its identity provider."""


class LinkNotValid(Forbidden):
    """This link is not valid, or not any more. Ask for a new one."""


class WrongPassword(Forbidden):
    """The password is not right."""


class OwnerExists(Conflict):
    """This server has its owner already."""


class PersonExists(Conflict):
    """There is somebody with this address already."""


class OwnerNeeded(Conflict):
    """The owner cannot leave while other people are on this server."""


class BadAddress(Invalid):
    """This is not a mail address."""


class BadPassword(Invalid):
    """This password will not do."""


class BadSetting(Invalid):
    """This setting has no such value."""


class PersonNotFound(NotFound):
    """There is nobody with that address."""


class DeviceNotFound(NotFound):
    """There is no such device."""


class ConnectionNotFound(NotFound):
    """There is no such code, or its time is over."""
