"""A peer's side of bench/urls.py, run by the Python of the peer's own environment.

It imports nothing of ours, and no peer but the one it is named. It speaks lines of JSON: the first
one read is the work, answered with how the peer did; each further one asks for a turn over the
corpus, answered when that is done.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any
from urllib.parse import urljoin

Spell = Callable[[str], Any]


def calls_of(peer: str) -> tuple[Spell, Spell]:
    """The peer's call that only parses and writes, and its call that makes spellings one."""
    if peer == "w3lib":
        w3lib = import_module("w3lib.url")
        return w3lib.safe_url_string, w3lib.canonicalize_url
    courlan = import_module("courlan")
    return courlan.normalize_url, courlan.clean_url


def outcome(spell: Spell, text: str, base: str | None = None) -> object:
    """What the peer makes of `text`; a refusal, whatever its type, equals nothing expected."""
    try:
        return spell(urljoin(base, text) if base else text)
    except Exception as refusal:  # noqa: BLE001 - peers refuse with types of every kind
        return refusal


def main() -> None:
    parse, normalise = calls_of(sys.argv[1])
    work = json.loads(sys.stdin.readline())
    right = [outcome(parse, text, base) == href for text, base, href in work["cases"]]
    equal = [len({str(outcome(normalise, s)) for s in group}) == 1 for group in work["groups"]]
    print(json.dumps([sum(right) / len(right), sum(equal) / len(equal)]), flush=True)
    for _ in sys.stdin:
        for text in work["corpus"]:
            outcome(normalise, text)
        print("{}", flush=True)


if __name__ == "__main__":
    main()
