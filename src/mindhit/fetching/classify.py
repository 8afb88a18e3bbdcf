"""What an answer means: a page, or one of the errors of model.py. Pure.

A captcha is told by the marks of the services that show them. A page that only embeds one, in its
comment form, has most of those marks too: with the status of a page they count only where there is
hardly anything else.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from mindhit.fetching.answer import Answer
from mindhit.fetching.limits import SHORTEST_WAIT_S, USUAL_WAIT_S
from mindhit.fetching.model import (
    Blocked,
    CaptchaPage,
    FetchFailed,
    Permanent,
    Throttled,
    Transient,
)
from mindhit.fetching.retry_after import retry_after_s

# Content types that have text for somebody. Others are refused before their body is read.
_TEXT = re.compile(
    r"text/(?!css|javascript|calendar|vcard)[\w.+-]+"
    r"|application/(?:[\w.-]+\+)?(?:json|xml|ld\+json)|application/xhtml\+xml"
)
_TRY_AGAIN: Final = frozenset({408, 421, 425})
_NEVER: Final = frozenset({501, 505, 510, 511})  # servers that can't, and never will

# Whoever challenges says so in a header, or in the page.
_CHALLENGE_HEADERS: Final = (("cf-mitigated", "challenge"), ("x-amzn-waf-action", "captcha"))
_TITLES: Final = re.compile(
    rb"<title[^<>]{0,200}>\s{0,200}(?:Just a moment\.\.\.|Attention Required! \| Cloudflare|Robot Check"
    rb"|Are you a (?:robot|human)|Verify you are (?:a )?human|Human Verification|Security Check"
    rb"|Please verify|DDoS-Guard|Access to this page has been denied|Pardon Our Interruption)",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(
    rb"/cdn-cgi/challenge-platform/|cf-chl-|captcha-delivery\.com|px-captcha|_Incapsula_Resource"
    rb"|/\.well-known/sgcaptcha|geetest|awsWafCaptcha|challenges\.cloudflare\.com/turnstile"
    rb"|www\.google\.com/recaptcha|hcaptcha\.com/1/api\.js|arkoselabs\.com",
    re.IGNORECASE,
)
_STRONG_MARKS: Final = re.compile(
    rb"captcha-delivery\.com|px-captcha|_Incapsula_Resource|/\.well-known/sgcaptcha|awsWafCaptcha",
    re.IGNORECASE,
)
_LOOKED_AT_BYTES: Final = 64 * 1024
_BARE_PAGE_BYTES: Final = 16 * 1024


def failure_of(answer: Answer, now: datetime) -> FetchFailed | None:
    """Why an answer is no page; None where it is one."""
    status = answer.status
    facts: dict[str, Any] = {"status": status, "reason": f"the site answered {status}"}
    if "Retry-After" in answer.headers and (throttled := throttling_of(answer, now)):
        return throttled
    if is_captcha(answer):
        return CaptchaPage(**facts)
    if 200 <= status < 300:
        return None
    if throttled := throttling_of(answer, now):
        return throttled
    if status in _TRY_AGAIN or (status >= 500 and status not in _NEVER):
        return Transient(**facts)
    return Blocked(**facts) if status == 403 else Permanent(**facts)


def throttling_of(answer: Answer, now: datetime) -> Throttled | None:
    """For a site that asks for time: by 429, or by 503 with Retry-After."""
    status = answer.status
    if status != 429 and not (status == 503 and "Retry-After" in answer.headers):
        return None
    return Throttled(
        _waiting_time(answer, now), status=status, reason=f"the site answered {status}"
    )


def refusal_of_type(content_type: str) -> Permanent | None:
    """For a body that has no text; an answer that does not say what it is gets a look at its bytes."""
    if not content_type or _TEXT.fullmatch(content_type):
        return None
    return Permanent(reason=f"it is {content_type[:60]}, not text")


def type_of(body: bytes, content_type: str) -> str:
    """What a body is, as its site says or as it looks like. Raises `Permanent` for binary data."""
    if content_type:
        return content_type
    head = body[:1024].lstrip()
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Permanent(reason="it is not text")
    if head[:1] == b"<":
        return "application/xml" if head.startswith(b"<?xml") else "text/html"
    return "application/json" if head[:1] in {b"{", b"["} else "text/plain"


def is_captcha(answer: Answer) -> bool:
    if any(answer.headers.get(name, "").lower() == value for name, value in _CHALLENGE_HEADERS):
        return True
    body = answer.body[:_LOOKED_AT_BYTES]
    if answer.status in {401, 403, 405, 429, 503}:
        return bool(_TITLES.search(body) or _MARKS.search(body))
    if not 200 <= answer.status < 300 or len(answer.body) > _BARE_PAGE_BYTES:
        return False
    return bool(_STRONG_MARKS.search(body) or (_TITLES.search(body) and _MARKS.search(body)))


def _waiting_time(answer: Answer, now: datetime) -> float:
    said = retry_after_s(answer.headers.get("Retry-After"), now)
    return USUAL_WAIT_S if said is None else max(said, SHORTEST_WAIT_S)
