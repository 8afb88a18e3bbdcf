"""Error reports to Sentry, if a DSN is set, scrubbed of personal data.

The SDK's defaults send URL queries, local variables of every frame, headers and host names. Here a
report has the type of error, the stack without variables, and the facts we name; URLs lose their
query and fragment with the rest of the line; email addresses, tokens and values named like secrets
are replaced, anywhere in the report.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

# A path ends at the first space or semicolon; a quote may be part of it. A query ends with its line:
# an unencoded one may contain spaces, and nothing of it may survive. Repetitions are bounded, so
# that a megabyte of letters in an error does not take minutes.
_URL = re.compile(
    r"(?i)\b([a-z][a-z0-9+.-]{0,20}:(?:\\?/){2})(?:[^\s/?#]*@)?([^\s?#;]*)(?:;[^\s?#]*)?(?:[?#].*)?"
)
_QUERY = re.compile(r"\?\S.*")
_EMAIL = re.compile(r"\"[^\"\n]{1,64}\"@[\w.-]+|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_HEADER = re.compile(r"(?i)(authorization|cookie)[\s:='\"\\]+.*")
# Names that mark what follows as secret.
_NAMES = (
    r"bearer|basic|token|passw(?:or)?d|pwd|passphrase|secret|credential|(?:api|access|private)[_-]?key"
    r"|sess(?:ion)?[_-]?id|authorization|cookie"
)
# Also ordinary words: only a value assigned to them is secret, unless it is a status such as 503.
_WORDS = r"(?<![a-z])(?:auth|code|csrf|otp|pin|refresh|session|sid|signature|xsrf)(?![a-z])"
_SECRET = re.compile(
    rf"(?i)({_NAMES})(?:s|[_-][\w-]{{0,40}}+)?[\s:='\"\\]+\S+"
    rf"|({_WORDS})['\"\\]*\s*[:=][\s'\"\\]*+(?!\d{{1,3}}\b)\S+"
)
_SECRET_KEY = re.compile(rf"(?i){_NAMES}|{_WORDS}")
# JWTs and long random tokens without a name. Ids are hexadecimal and stay.
_TOKEN = re.compile(
    r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"
    r"|(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{32,}"
)
_HIDDEN = "[hidden]"
_HIDDEN_KEYS = {
    *("request", "user", "server_name", "modules", "vars", "env", "headers", "cookies"),
    "abs_path",  # home directories are named after people; `filename` says where in our code
}


_sdk: ModuleType | None = None  # imported by `start`: it would be nearly a tenth of every start


class NotReporting(RuntimeError):
    """Reports are configured but can't be sent."""


def start(dsn: str | None, *, release: str, transport: Callable[..., Any] | None = None) -> None:
    """Start reporting; without a DSN nothing ever leaves the machine."""
    global _sdk  # noqa: PLW0603
    if not dsn:
        return
    try:
        import sentry_sdk  # noqa: PLC0415
    except ImportError:
        raise NotReporting(
            "MINDHIT_SENTRY_DSN is set, but its package is not installed: pip install 'mindhit[sentry]'."
        ) from None
    try:
        sentry_sdk.utils.Dsn(dsn)
    except sentry_sdk.utils.BadDsn as wrong:
        raise NotReporting(f"MINDHIT_SENTRY_DSN is not a DSN: {wrong}.") from None
    sentry_sdk.init(
        dsn=dsn,
        release=release,
        include_local_variables=False,
        max_request_body_size="never",
        default_integrations=False,
        traces_sample_rate=0,
        before_send=lambda event, _: scrub(event),
        before_breadcrumb=lambda crumb, _: scrub(crumb),
        transport=transport,
    )
    _sdk = sentry_sdk


def failure(error: BaseException, **facts: object) -> None:
    """Report an error with facts that may leave the machine."""
    if _sdk is None or not _sdk.is_initialized():
        return
    with _sdk.new_scope() as scope:
        for name, value in facts.items():
            scope.set_tag(name, str(value))
        _sdk.capture_exception(error)


def breadcrumb(message: str, **facts: object) -> None:
    if _sdk is not None and _sdk.is_initialized():
        _sdk.add_breadcrumb(category="job", message=message, data=dict(facts))


def scrub(value: Any) -> Any:
    """The same structure with URLs cut, people and secrets replaced, risky keys removed."""
    if isinstance(value, str):
        return _scrub_text(value)
    if isinstance(value, dict):
        return {
            scrub(key): _HIDDEN if _is_secret(key) else scrub(each)
            for key, each in value.items()
            if key not in _HIDDEN_KEYS
        }
    if isinstance(value, list | tuple):
        return [scrub(each) for each in value]
    return value


def _is_secret(key: object) -> bool:
    return isinstance(key, str) and _SECRET_KEY.search(key) is not None


def _scrub_text(text: str) -> str:
    text = _URL.sub(lambda found: found[1] + found[2], text)
    text = _QUERY.sub("", text)
    text = _EMAIL.sub("[email]", text)
    text = _HEADER.sub(lambda found: f"{found[1]} {_HIDDEN}", text)
    text = _SECRET.sub(lambda found: f"{found[1] or found[2]} {_HIDDEN}", text)
    return _TOKEN.sub(_HIDDEN, text)
