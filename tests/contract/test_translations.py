"""The web app has a sentence of its own, in every language, for whatever the API can answer.

The web app's own tests (web/src/i18n) check that Korean has the keys of English and that every key is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

from mindhit import wiring
from mindhit.accounts.model import TooManyAttempts
from mindhit.api.app import create_app
from mindhit.api.http.problems import slug, status_of
from mindhit.api.http.user_agents import device_name
from mindhit.errors import MindHitError, TooMany

WEB = Path(__file__).parents[2] / "web" / "src"
ENGLISH = WEB / "problems" / "en.ts"
# Only jobs and the command line raise these; no request is answered by them.
ELSEWHERE = (
    "mindhit.accounts.leaving.",
    "mindhit.cli.",
    "mindhit.crawl.transport.",
    "mindhit.db.embedded.",
    "mindhit.db.migrate",
    "mindhit.db.statements",
    "mindhit.delivery.senders.",
    "mindhit.fetching.",
    "mindhit.process_pool.",
)
# What the router answers by itself.
ROUTERS = {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}


def kinds(parent: type[MindHitError] = MindHitError) -> Iterator[type[MindHitError]]:
    for kind in parent.__subclasses__():
        yield kind
        yield from kinds(kind)


def keys_of(group: str) -> set[str]:
    [block] = re.findall(
        rf"^  {group}: \{{$(.*?)^  \}},$", ENGLISH.read_text(), re.MULTILINE | re.DOTALL
    )
    return set(re.findall(r"^    \"?([\w-]+)\"?:", block, re.MULTILINE))


def test_every_problem_has_a_sentence() -> None:
    product = wiring.product(wiring.make_settings())
    wiring.install(product)
    create_app(product)
    answered = {
        slug(kind.__name__)
        for kind in kinds()
        if kind.__module__.startswith("mindhit.")
        and not kind.__module__.startswith(ELSEWHERE)
        and status_of(kind) != 500  # all of them share one sentence
        and kind not in {TooMany, TooManyAttempts}  # they say how long to wait
    }
    answered |= {slug(status.phrase) for status in ROUTERS} | {"broken"}
    assert len(answered) > 40
    assert sorted(answered - keys_of("types")) == []
    assert sorted(keys_of("types") - answered) == []


def test_every_error_of_a_field_has_a_sentence() -> None:
    source = Path(__file__).parents[2] / "src" / "mindhit"
    code = "\n".join(path.read_text() for path in source.rglob("*.py"))
    ours = set(re.findall(r'PydanticCustomError\(\s*"(\w+)"', code))
    ours |= {f"bad_{name}" for name in re.findall(r'\bsetting="(\w+)"', code)}
    assert len(ours) >= 4
    assert sorted(ours - keys_of("fields")) == []


def test_the_web_app_knows_the_name_of_an_unknown_device() -> None:
    assert f'"{device_name("")}"' in (WEB / "account" / "device-name.ts").read_text()
