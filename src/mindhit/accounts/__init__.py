"""Accounts: one owner by default, many people when opened.

People, what they chose, and the devices they are signed in on. Promises: no answer tells whether an
address is known; a device that was revoked is out with its next request; of a stolen refresh token
one use too many shuts both holders out; who leaves takes everything along and leaves nothing.
`model.py` says which scope opens what. Owns `users`, `user_settings`, `devices`, `tokens`, `links`,
`sign_ups`, `connections`, `identities`, `oidc_requests`, `security_events`, `erasures`,
`rate_limits`, and the jobs `accounts:*`. Knows nothing of HTTP.
"""

from mindhit.accounts import store as _store
from mindhit.accounts.addresses import is_same_address
from mindhit.accounts.audit import NEWEST, list_events
from mindhit.accounts.by_mail import (
    Confirmed,
    ask_new_email,
    ask_reset,
    ask_sign_up,
    ask_verification,
    choose_password,
    confirm,
)
from mindhit.accounts.connecting import INTERVAL_S, Polled, ask, decide, look, poll
from mindhit.accounts.devices import (
    caller_of,
    list_devices,
    list_extensions,
    make_token,
    open_browser,
    refresh,
    revoke,
    seen,
    show_device,
    sign_out,
)
from mindhit.accounts.entrance import (
    CONNECT_BY_ADDRESS,
    POLL_BY_ADDRESS,
    REFRESH_BY_ADDRESS,
    Entrance,
)
from mindhit.accounts.exporting import export_to, note_export
from mindhit.accounts.inviting import Invitation, invite, make_owner_link
from mindhit.accounts.jobs import jobs, schedules
from mindhit.accounts.leaving import ask_erasure, erase_now
from mindhit.accounts.limits import party
from mindhit.accounts.links import make_link
from mindhit.accounts.model import (
    BadAddress,
    BadPassword,
    BadSetting,
    Caller,
    ConnectionNotFound,
    Device,
    DeviceId,
    DeviceKind,
    DeviceNotFound,
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
    Role,
    Scope,
    ScopeMissing,
    SecurityEvent,
    SignUpClosed,
    TokenNotValid,
    TokenPair,
    UserId,
    WrongCredentials,
    WrongPassword,
)
from mindhit.accounts.passwords import check as check_new_password
from mindhit.accounts.people import (
    add_person,
    count_people,
    find_person,
    has_owner,
    list_people,
    show_person,
)
from mindhit.accounts.preferences import (
    change_domains,
    change_preferences,
    is_quiet,
    show_preferences,
)
from mindhit.accounts.settings import AccountsSettings
from mindhit.accounts.sign_in import (
    Greeting,
    SignedIn,
    become_owner,
    change_password,
    check_password,
    sign_in,
)
from mindhit.accounts.tokens import Sort
from mindhit.slices import Slice

# Its own rows go last, when every other slice has erased the person: `erasing.py` does that.
SLICE = Slice(
    "accounts",
    settings=AccountsSettings,
    jobs=jobs,
    schedules=schedules,
    exports={
        "account": _store.exporting.ACCOUNT,
        "settings": _store.exporting.SETTINGS,
        "devices": _store.exporting.DEVICES,
        "identities": _store.exporting.IDENTITIES,
        "security_events": _store.exporting.EVENTS,
        "links": _store.exporting.LINKS,
        "connections": _store.exporting.CONNECTIONS,
    },
)

__all__ = [
    "CONNECT_BY_ADDRESS",
    "INTERVAL_S",
    "NEWEST",
    "POLL_BY_ADDRESS",
    "REFRESH_BY_ADDRESS",
    "SLICE",
    "AccountsSettings",
    "BadAddress",
    "BadPassword",
    "BadSetting",
    "Caller",
    "Confirmed",
    "ConnectionNotFound",
    "Device",
    "DeviceId",
    "DeviceKind",
    "DeviceNotFound",
    "Entrance",
    "Extension",
    "Greeting",
    "Invitation",
    "Language",
    "LinkNotValid",
    "Listed",
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
    "Role",
    "Scope",
    "ScopeMissing",
    "SecurityEvent",
    "SignUpClosed",
    "SignedIn",
    "Sort",
    "TokenNotValid",
    "TokenPair",
    "UserId",
    "WrongCredentials",
    "WrongPassword",
    "add_person",
    "ask",
    "ask_erasure",
    "ask_new_email",
    "ask_reset",
    "ask_sign_up",
    "ask_verification",
    "become_owner",
    "caller_of",
    "change_domains",
    "change_password",
    "change_preferences",
    "check_new_password",
    "check_password",
    "choose_password",
    "confirm",
    "count_people",
    "decide",
    "erase_now",
    "export_to",
    "find_person",
    "has_owner",
    "invite",
    "is_quiet",
    "is_same_address",
    "list_devices",
    "list_events",
    "list_extensions",
    "list_people",
    "look",
    "make_link",
    "make_owner_link",
    "make_token",
    "note_export",
    "open_browser",
    "party",
    "poll",
    "refresh",
    "revoke",
    "seen",
    "show_device",
    "show_person",
    "show_preferences",
    "sign_in",
    "sign_out",
]
