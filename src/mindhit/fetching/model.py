"""What fetching gives: a page, the news that it is unchanged or elsewhere, or why there is none.

FetchFailed
├─ Transient             no answer, 5xx: worth another try              (Upstream)
├─ Throttled             429, or 503 with Retry-After: when to return   (Upstream)
├─ Permanent             404, 410, not text, too large: never           (Refused)
└─ Blocked               403: they don't want us                        (Refused)
   ├─ RobotsDisallow     the site's robots.txt says no
   ├─ CaptchaPage        a test for humans instead of the page
   ├─ AddressForbidden   the name leads into a private network
   └─ FetchingOff        the operator switched fetching off
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from mindhit.errors import MindHitError, Refused, Upstream


class FetchFailed(MindHitError):
    """The page could not be fetched."""

    outcome: ClassVar[str] = "failed"  # its label in metrics and logs

    @property
    def reason(self) -> str:
        """One sentence with the fact that decides, for a job's last error."""
        detail = self.facts.get("reason")
        return f"{self.message} ({detail})" if detail else self.message


class Transient(FetchFailed, Upstream):
    """The site did not answer as it should. It may work later."""

    outcome = "transient"


class Throttled(FetchFailed, Upstream):
    """The site asks us to come back later."""

    outcome = "throttled"

    def __init__(self, retry_after_s: float, **facts: Any) -> None:
        super().__init__(retry_after_s=retry_after_s, **facts)
        self.retry_after_s = retry_after_s


class Permanent(FetchFailed, Refused):
    """There is no page at this address."""

    outcome = "permanent"


class Blocked(FetchFailed, Refused):
    """The site does not let MindHit read this page."""

    outcome = "blocked"


class RobotsDisallow(Blocked):
    """The site's robots.txt asks programs not to read this page."""


class CaptchaPage(Blocked):
    """The site shows a test for humans instead of the page."""


class AddressForbidden(Blocked, OSError):
    """This address leads into a private network, to which MindHit does not connect.

    An OSError too: it is raised where a socket would be opened, and what lies above handles those.
    """


class FetchingOff(Blocked):
    """Fetching pages is switched off on this server."""


@dataclass(frozen=True, slots=True)
class Validators:
    """What a site gave with a page, to be sent when it is asked for again."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """An answer with a body. `text` is the decoded body, not the text of the article.

    `headers` has the few that matter later (fetcher.KEPT_HEADERS), by lower-case name.
    """

    url: str  # after all redirects
    status: int
    content_type: (
        str  # lower case, without parameters; what the body looks like if the site says nothing
    )
    charset: str  # its WHATWG name
    body: bytes = field(repr=False)
    text: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)
    hops: int = 0
    wire_bytes: int = 0
    took_ms: float = 0.0

    @property
    def is_html(self) -> bool:
        return self.content_type in {"text/html", "application/xhtml+xml"}

    @property
    def validators(self) -> Validators:
        return Validators(self.headers.get("etag"), self.headers.get("last-modified"))


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The page is as it was when it was given these validators."""

    url: str
    validators: Validators


@dataclass(frozen=True, slots=True)
class Moved:
    """The page is on another domain, where the caller has no slot yet."""

    url: str
    domain: str
    hops: int


Fetched: TypeAlias = Page | Unchanged | Moved


@dataclass(frozen=True, slots=True)
class Step:
    """One decision on the way to a page, for who wants to watch: `what` is robots, redirect, status …"""

    what: str
    url: str
    detail: str
    at_ms: float
