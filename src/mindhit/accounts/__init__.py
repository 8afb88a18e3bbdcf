"""Accounts: one owner by default, many people when sign-up is open.

People, their settings, and the devices they are signed in on. Promises: no answer says whether an
address is known; revoking a device takes effect with its next request; reuse of a stolen refresh
token signs out both holders; a person who leaves can take everything along, and nothing of them
stays. `model.py` says what each scope allows. Owns `users`, `user_settings`, `devices`, `tokens`,
`links`, `sign_ups`, `connections`, `identities`, `oidc_requests`, `security_events`, `erasures`,
`rate_limits`, `exports`, `export_parts`, and the jobs `accounts:*`. Knows nothing about HTTP.

    sign_in/    passwords, sign-up, changes of password and address, limits
    oidc/       signing in through an identity provider
    mails/      what account mails say, and sending them
    leaving/    export and erasure
    store/      SQL
"""

from mindhit.accounts import store as _store
from mindhit.accounts.audit import NEWEST, list_events
from mindhit.accounts.client_networks import network_of
from mindhit.accounts.connections import (
    POLL_INTERVAL_S,
    Polled,
    decide_connection,
    poll_connection,
    show_connection,
    start_connection,
)
from mindhit.accounts.devices import (
    caller_of,
    list_devices,
    list_extensions,
    make_token,
    note_seen,
    open_browser,
    revoke,
    show_device,
    sign_out,
)
from mindhit.accounts.email_addresses import is_same_address
from mindhit.accounts.invitations import Invitation, invite, make_owner_link
from mindhit.accounts.jobs import jobs, schedules
from mindhit.accounts.leaving.archive import export_to
from mindhit.accounts.leaving.export import (
    EXPORTS_KEPT_DAYS,
    ask_export,
    list_exports,
    note_export,
    read_archive,
    revoke_exports,
    show_archive,
    show_export,
)
from mindhit.accounts.leaving.request import ask_erasure, check_erasable, erase_now
from mindhit.accounts.links import make_link
from mindhit.accounts.model import (
    BadAddress,
    BadPassword,
    BadSetting,
    Caller,
    ConnectionNotFound,
    DataExport,
    Device,
    DeviceId,
    DeviceKind,
    DeviceNotFound,
    ExportId,
    ExportNotFound,
    ExportNotReady,
    ExportReason,
    ExportStatus,
    Extension,
    Language,
    LinkNotValid,
    Listed,
    NotSignedIn,
    Origin,
    OwnerExists,
    OwnerNeeded,
    OwnerOnly,
    PasswordsOff,
    Person,
    PersonExists,
    PersonNotFound,
    Preferences,
    Purpose,
    QuietMode,
    Role,
    Scope,
    ScopeMissing,
    SecurityEvent,
    SignUpClosed,
    TokenLimit,
    TokenNotValid,
    TokenPair,
    UserId,
    WrongCredentials,
    WrongPassword,
)
from mindhit.accounts.people import (
    add_person,
    count_people,
    find_person,
    has_owner,
    list_people,
    show_person,
)
from mindhit.accounts.preferences import (
    DEFAULT_TIMEZONE,
    Locale,
    change_domains,
    change_preferences,
    is_quiet,
    learn_locale,
    show_preferences,
)
from mindhit.accounts.settings import AccountsSettings
from mindhit.accounts.sign_in.change_email import (
    Confirmed,
    ask_new_email,
    ask_verification,
    confirm,
)
from mindhit.accounts.sign_in.change_password import ask_reset, change_password, choose_password
from mindhit.accounts.sign_in.guard import SignInGuard
from mindhit.accounts.sign_in.limits import (
    CONNECT_BY_ADDRESS,
    OIDC_BY_ADDRESS,
    POLL_BY_ADDRESS,
    REFRESH_BY_ADDRESS,
)
from mindhit.accounts.sign_in.passwords import check as check_new_password
from mindhit.accounts.sign_in.sign_in import SignedIn, become_owner, check_password, sign_in
from mindhit.accounts.sign_in.sign_up import ask_sign_up
from mindhit.accounts.sweeping import SECURITY_EVENTS_KEPT_DAYS
from mindhit.accounts.tokens import TokenType, refresh
from mindhit.slices import Slice

# No `erase`: its rows are deleted last, after every other slice, by `leaving/erase.py`.
SLICE = Slice(
    "accounts",
    settings=AccountsSettings,
    jobs=jobs,
    schedules=schedules,
    exports={
        "account": _store.export.ACCOUNT,
        "settings": _store.export.SETTINGS,
        "devices": _store.export.DEVICES,
        "identities": _store.export.IDENTITIES,
        "security_events": _store.export.EVENTS,
        "links": _store.export.LINKS,
        "connections": _store.export.CONNECTIONS,
    },
)

__all__ = [
    "CONNECT_BY_ADDRESS",
    "DEFAULT_TIMEZONE",
    "EXPORTS_KEPT_DAYS",
    "NEWEST",
    "OIDC_BY_ADDRESS",
    "POLL_BY_ADDRESS",
    "POLL_INTERVAL_S",
    "REFRESH_BY_ADDRESS",
    "SECURITY_EVENTS_KEPT_DAYS",
    "SLICE",
    "AccountsSettings",
    "BadAddress",
    "BadPassword",
    "BadSetting",
    "Caller",
    "Confirmed",
    "ConnectionNotFound",
    "DataExport",
    "Device",
    "DeviceId",
    "DeviceKind",
    "DeviceNotFound",
    "ExportId",
    "ExportNotFound",
    "ExportNotReady",
    "ExportReason",
    "ExportStatus",
    "Extension",
    "Invitation",
    "Language",
    "LinkNotValid",
    "Listed",
    "Locale",
    "NotSignedIn",
    "Origin",
    "OwnerExists",
    "OwnerNeeded",
    "OwnerOnly",
    "PasswordsOff",
    "Person",
    "PersonExists",
    "PersonNotFound",
    "Polled",
    "Preferences",
    "Purpose",
    "QuietMode",
    "Role",
    "Scope",
    "ScopeMissing",
    "SecurityEvent",
    "SignInGuard",
    "SignUpClosed",
    "SignedIn",
    "TokenLimit",
    "TokenNotValid",
    "TokenPair",
    "TokenType",
    "UserId",
    "WrongCredentials",
    "WrongPassword",
    "add_person",
    "ask_erasure",
    "ask_export",
    "ask_new_email",
    "ask_reset",
    "ask_sign_up",
    "ask_verification",
    "become_owner",
    "caller_of",
    "change_domains",
    "change_password",
    "change_preferences",
    "check_erasable",
    "check_new_password",
    "check_password",
    "choose_password",
    "confirm",
    "count_people",
    "decide_connection",
    "erase_now",
    "export_to",
    "find_person",
    "has_owner",
    "invite",
    "is_quiet",
    "is_same_address",
    "learn_locale",
    "list_devices",
    "list_events",
    "list_exports",
    "list_extensions",
    "list_people",
    "make_link",
    "make_owner_link",
    "make_token",
    "network_of",
    "note_export",
    "note_seen",
    "open_browser",
    "poll_connection",
    "read_archive",
    "refresh",
    "revoke",
    "revoke_exports",
    "show_archive",
    "show_connection",
    "show_device",
    "show_export",
    "show_person",
    "show_preferences",
    "sign_in",
    "sign_out",
    "start_connection",
]
