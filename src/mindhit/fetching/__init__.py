"""Fetching: brings a page from the network, safely and politely.

`Fetcher.fetch` obeys robots.txt, follows redirects within limits, and answers with a `Page`, with
`Unchanged`, or raises one of four kinds of errors (model.py). `fetch_in_slot` does it inside a job, so
that a site never gets more requests at once than the engine has slots for its domain, over all workers
and all redirects. `Guard` and `guarded_session` are for whoever else speaks HTTP to an address that a
person or a site named: webhooks, push services, models.

Promises: nothing connects to a private, link-local or metadata address, whatever redirects or names
resolve to; a page takes no more time and memory than the settings say, whatever its server sends; sites
are asked as often as their robots.txt and Retry-After allow. Owns `robots_cache`, `fetch_redirects`
and `fetch_waits`. Knows nothing of sessions, bookmarks or shops.

What needs the HTTP library is loaded when it is first asked for: the library takes longer to load than
most commands run.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mindhit.fetching.addresses import domain_of
from mindhit.fetching.guard import Guard
from mindhit.fetching.model import (
    AddressForbidden,
    Blocked,
    CaptchaPage,
    Fetched,
    FetchFailed,
    FetchingOff,
    Moved,
    Page,
    Permanent,
    RobotsDisallow,
    Step,
    Throttled,
    Transient,
    Unchanged,
    Validators,
)
from mindhit.fetching.settings import FetchSettings
from mindhit.slices import Slice

if TYPE_CHECKING:
    from mindhit.fetching.fetcher import NOTHING_KNOWN, Fetcher
    from mindhit.fetching.in_slot import fetch_in_slot, outcome_of
    from mindhit.fetching.sessions import forbidden_in, guarded_session

_LATE = {
    "NOTHING_KNOWN": "fetcher",
    "Fetcher": "fetcher",
    "forbidden_in": "sessions",
    "guarded_session": "sessions",
    "fetch_in_slot": "in_slot",
    "outcome_of": "in_slot",
}

SLICE = Slice("fetching", settings=FetchSettings)

__all__ = [
    "NOTHING_KNOWN",
    "SLICE",
    "AddressForbidden",
    "Blocked",
    "CaptchaPage",
    "FetchFailed",
    "FetchSettings",
    "Fetched",
    "Fetcher",
    "FetchingOff",
    "Guard",
    "Moved",
    "Page",
    "Permanent",
    "RobotsDisallow",
    "Step",
    "Throttled",
    "Transient",
    "Unchanged",
    "Validators",
    "domain_of",
    "fetch_in_slot",
    "forbidden_in",
    "guarded_session",
    "outcome_of",
]


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
