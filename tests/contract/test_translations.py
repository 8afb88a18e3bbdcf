"""The web app has a sentence of its own, in every language, for whatever the API can answer.

That Korean has the same keys as English, the web app's own tests compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

from mindhit import wiring
from mindhit.api.agents import device_name
from mindhit.api.app import create_app
from mindhit.api.problems import slug, status_of
from mindhit.errors import MindHitError, TooMany

WEB = Path(__file__).parents[2] / "web" / "src"
ENGLISH = WEB / "i18n" / "en" / "problems.ts"
# What only the command line says: no request is answered by these.
ELSEWHERE = ("mindhit.cli.", "mindhit.db.embedded.", "mindhit.db.migrate")
# What the router answers by itself, and what is not HTTP at all.
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
        and status_of(kind) != 500  # all of them are said in one sentence
        and not issubclass(kind, TooMany)  # it says how long to wait
    }
    answered |= {slug(status.phrase) for status in ROUTERS} | {"broken"}
    assert len(answered) > 40
    assert sorted(answered - keys_of("problems")) == []
    assert sorted(keys_of("problems") - answered) == []


def test_whatever_is_wrong_with_a_field_has_a_sentence() -> None:
    source = Path(__file__).parents[2] / "src" / "mindhit"
    code = "\n".join(path.read_text() for path in source.rglob("*.py"))
    ours = set(re.findall(r'PydanticCustomError\(\s*"(\w+)"', code))
    ours |= {f"bad_{name}" for name in re.findall(r'\bsetting="(\w+)"', code)}
    assert len(ours) >= 4
    assert sorted(ours - keys_of("wrongs")) == []


def test_a_browser_that_does_not_say_what_it_is_is_known_by_one_word() -> None:
    assert f'"{device_name("")}"' in (WEB / "account" / "device.ts").read_text()
