"""What a person's export holds: one query per file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time

from mindhit.accounts.model import DeviceId, UserId
from mindhit.db import Query


@dataclass(frozen=True, slots=True)
class Account:
    id: UserId
    email: str
    former_emails: list[str]
    role: str
    has_password: bool
    verified_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Settings:
    email_notification: bool
    excluded_domains: list[str]
    timezone: str | None
    language: str
    quiet_from: time | None
    quiet_until: time | None
    quiet_mode: str
    server_fetch: bool
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class UsedDevice:
    id: DeviceId
    kind: str
    name: str
    scopes: list[str]
    created_at: datetime
    last_seen_at: datetime | None
    last_address: str | None
    expires_at: datetime | None
    revoked_at: datetime | None
    tokens: int


@dataclass(frozen=True, slots=True)
class Identity:
    issuer: str
    subject: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SecurityEvent:
    at: datetime
    event: str
    address: str | None
    device: str | None


@dataclass(frozen=True, slots=True)
class OpenLink:
    purpose: str
    email: str | None
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Connection:
    name: str
    address: str | None
    status: str
    created_at: datetime
    expires_at: datetime


ACCOUNT = Query(
    Account,
    """
select id, email, former_emails, role, password_hash is not null as has_password, verified_at,
       created_at, updated_at
  from users where id = $1""",
)
SETTINGS = Query(
    Settings,
    """
select email_notification, excluded_domains, timezone, language, quiet_from, quiet_until,
       quiet_mode, server_fetch, updated_at
  from user_settings where user_id = $1""",
)
DEVICES = Query(
    UsedDevice,
    """
select d.id, d.kind, d.name, d.scopes, d.created_at, d.last_seen_at, d.last_address, d.expires_at,
       d.revoked_at, (select count(*) from tokens t where t.device_id = d.id)::int as tokens
  from devices d where d.user_id = $1 order by d.created_at, d.id""",
)
IDENTITIES = Query(
    Identity,
    "select issuer, subject, created_at from identities where user_id = $1 order by created_at",
)
EVENTS = Query(
    SecurityEvent,
    "select at, event, address, device from security_events where user_id = $1 order by id",
)
LINKS = Query(
    OpenLink,
    """
select purpose, email, created_at, expires_at from links where user_id = $1 order by created_at""",
)
CONNECTIONS = Query(
    Connection,
    """
select name, address, status, created_at, expires_at from connections
 where user_id = $1 order by created_at""",
)
