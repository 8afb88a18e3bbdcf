"""What leaves the house: nobody's queries, credentials, addresses or tokens, wherever they stand.

Every canary is made at run time, so that no line of source can carry one by accident.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import sentry_sdk
from hypothesis import given
from hypothesis import strategies as st
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from mindhit.db import Database
from mindhit.errors import Upstream
from mindhit.log import reports
from mindhit.work import Discard, Work
from mindhit.work.testing import drain
from tests.work.kit import Picky, Plain, put

DSN = "https://public@sentry.example/1"

# No letters that make words: a canary must not be found in text that stays.
letters = st.text("qxz0123456789", min_size=12, max_size=20).map("7q{}".format)
# Each a sentence with a slot for the canary that must not be readable afterwards.
TEMPLATES = [
    "GET https://a.example/p?q={} failed",
    "GET https://a.example/p?x=1&q={}",
    "see <https://a.example/#{}>",
    "HTTPS://A.EXAMPLE/P?Q={}",
    "'https://a.example/it's?q={}' refused",
    "https://a.example/?q='{}'",
    'https://a.example/?q="{}"',
    '{{"url": "https:\\/\\/a.example\\/?q={}"}}',
    "https://{}@a.example/",
    "https://user:{}@a.example/path",
    "postgresql://mindhit:{}@db.example:5432/mindhit",
    "wss://a.example/socket?ticket={}",
    "mail to {}@a.example bounced",
    "mail to first.{}+tag@mail.a.example",
    "/search?q={} took too long",
    "a.example/search?q={}",
    "Authorization: Bearer {}",
    "authorization: Basic {}",
    "bearer {}",
    "token={}",
    "access_token={}&x=1",
    "refresh-token: {}",
    '{{"token": "{}"}}',
    "{{'password': '{}'}}",
    "client_secret={}",
    "X-Api-Key: {}",
    "apikey {}",
    "Set-Cookie: session={}",
    "Cookie: theme=dark; session={}",
    "{{'Authorization': 'Bearer {}'}}",
    '{{\\"token\\": \\"{}\\"}}',
    "password: {}",
    "https://a.example/p?q=hello {} failed",
    "/search?q=hello {} failed",
    "https://a.example/#:~:text=hello {}",
    "https://a.example/p;sid={}?q=1",
    "https://a.example/p;v=1;{}/rest",
    'mail to "{}"@a.example bounced',
    'mail to "first {}"@localhost bounced',
    '{{\\"{}\\"@a.example}}',
    "pwd={}",
    "session_id={}",
    "PHPSESSID={}",
    "access_key={}",
    "AWS_ACCESS_KEY_ID={}",
    "code={}",
    "auth_code: {}",
    '{{"code": "{}"}}',
    "refresh: {}",
    "session = '{}'",
    "connect.sid={}",
]


def nested(leaf: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaf,
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3)
            | st.tuples(inner, st.none() | st.integers())
            | st.dictionaries(st.sampled_from(["a", "data", "values"]), inner, min_size=1)
        ),
        max_leaves=5,
    )


@given(st.data(), letters)
def test_no_secret_survives_anywhere_in_a_nested_report(data: st.DataObject, canary: str) -> None:
    text = st.sampled_from(TEMPLATES).map(lambda template: template.format(canary))
    report = data.draw(nested(text | st.dictionaries(text, st.just("value"), min_size=1)))
    assert canary not in repr(reports.scrub(report))


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_kind_of_secret_is_scrubbed_from_a_sentence(template: str) -> None:
    canary = secrets.token_hex(8)
    scrubbed = reports.scrub(template.format(canary))
    assert canary not in scrubbed


@pytest.mark.parametrize(
    "key",
    [
        *("token", "access_token", "Authorization", "password", "api_key", "client-secret"),
        *("pwd", "session_id", "access-key", "code", "refresh", "sid"),
    ],
)
def test_what_a_secret_name_stands_for_is_hidden(key: str) -> None:
    canary = secrets.token_hex(8)
    assert canary not in repr(reports.scrub({"data": {key: canary, "deep": [{key: [canary]}]}}))


def test_a_bare_token_is_hidden_wherever_it_stands() -> None:
    opaque = secrets.token_urlsafe(32) + "aB3"
    signed = f"eyJhbGciOi.{secrets.token_urlsafe(12)}.{secrets.token_urlsafe(12)}"
    scrubbed = reports.scrub(f"refused {opaque} and {signed}")
    assert opaque not in scrubbed
    assert signed not in scrubbed


def test_what_helps_to_mend_a_fault_is_kept() -> None:
    kept = {
        "event_id": uuid4().hex,
        "release": "0.1.0",
        "value": "FetchFailed: https://a.example/path/page answered 503",
        "message": "status code: 503, exit code 1 in this session; decode: no refresh of the pin board",
        "tags": {"kind": "library:enrich", "job_id": "17"},
        "frames": [{"function": "enrich_link", "module": "mindhit.library.jobs", "lineno": 12}],
    }
    assert reports.scrub(kept) == kept


def test_a_long_message_is_scrubbed_in_no_time() -> None:
    # Quadratic patterns would need minutes for this, and the run's time limit would say so.
    long = "a" * 500_000 + "a.b-c+" * 100_000
    assert reports.scrub(long) == long


class Captured(Transport):
    """A transport that keeps what would have been sent."""

    sent: list[bytes]

    def capture_envelope(self, envelope: Envelope) -> None:
        self.sent.append(envelope.serialize())


@pytest.fixture
def sent() -> Iterator[list[bytes]]:
    """Real reports, from our own start to the transport."""
    Captured.sent = []
    reports.start(DSN, release="0.1.0", transport=Captured)
    yield Captured.sent
    sentry_sdk.get_client().close()
    sentry_sdk.get_global_scope().set_client(None)
    sentry_sdk.get_isolation_scope().clear()


def test_no_canary_leaves_in_a_report(sent: list[bytes]) -> None:
    canary = secrets.token_hex(8)

    def fail() -> None:
        local_variable = {"url": canary, "plain": canary}
        try:
            fail_first(local_variable)
        except OSError as error:
            raise Upstream(f"GET https://u:{canary}@a.example/p?q={canary}#x-{canary}") from error

    def fail_first(facts: dict[str, str]) -> None:
        raise OSError(f"https://a.example/?inner={facts['url']}")

    reports.breadcrumb(f"mail {canary}@a.example", token=canary, url=f"https://a.example/#{canary}")
    try:
        fail()
    except Upstream as error:
        reports.failure(error, kind="test:plain", url=f"https://a.example/?tag={canary}")

    [report] = sent
    assert b"Upstream" in report
    assert b"https://a.example/p" in report
    assert b"test:plain" in report
    assert b"breadcrumbs" in report
    assert canary.encode() not in report


def test_a_report_names_neither_the_machine_nor_its_packages(sent: list[bytes]) -> None:
    reports.failure(ValueError("x"))
    [report] = sent
    for private in (b'"server_name"', b'"modules"', b'"vars"', b'"abs_path"', b'"argv"'):
        assert private not in report


async def test_a_failing_handler_is_reported_without_its_canaries(
    db: Database, sent: list[bytes]
) -> None:
    canary = secrets.token_hex(8)

    async def fail(work: Work[Plain]) -> None:
        raise RuntimeError(f"https://a.example/read?page={canary} by {canary}@a.example")

    async def die(work: Work[Picky]) -> Discard:
        return Discard(f"https://a.example/?q={canary}")

    await put(db, Picky())
    await drain(db, {Picky: die})
    await put(db, Plain())
    await drain(db, {Plain: fail})
    [report] = sent
    assert b"RuntimeError" in report
    assert b"job is dead" in report  # the breadcrumb of the one before
    assert b"test:plain" in report
    assert canary.encode() not in report


def test_nothing_is_reported_where_no_dsn_is_set() -> None:
    reports.start(None, release="0.1.0")
    assert not sentry_sdk.is_initialized()
    reports.failure(ValueError("x"))
    reports.breadcrumb("x")
