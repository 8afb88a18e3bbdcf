"""Two views of one session: what the pages saw, and the visits on the server."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from tests.e2e.extension_pages import Seen

# `bench/extension.py` names a file for the figures; then times must meet the promised bounds. In an
# ordinary test run on a busy machine, order must be exact and times roughly right.
FIGURES: Final = os.environ.get("MINDHIT_EXTENSION_FIGURES")
BOUNDARY_MS: Final = 100 if FIGURES else 1_000


@dataclass(frozen=True)
class Stay:
    path: str
    entered: int
    left: int


def stays_of(truth: list[Seen], hops: dict[str, str] | None = None) -> list[Stay]:
    """According to the pages: from shown to hidden. A redirecting page's stay belongs to its target.

    The next page is sometimes shown a few milliseconds before the previous one notices that it is hidden.
    """
    stays: list[Stay] = []
    since: dict[str, int] = {}
    for each in truth:
        if each.what == "shown":
            since.setdefault(each.path, each.t)
        elif each.path in since:
            stays.append(Stay(each.path, since.pop(each.path), each.t))
    stays.sort(key=lambda stay: stay.entered)
    for hop, target in (hops or {}).items():
        at = next(index for index, stay in enumerate(stays) if stay.path == hop)
        step, page = stays[at : at + 2]
        assert page.path == target
        stays[at : at + 2] = [Stay(target, step.entered, page.left)]
    return stays


def ms(moment: str) -> int:
    return round(datetime.fromisoformat(moment).timestamp() * 1000)


def path_of(url: str) -> str:
    return urlsplit(url).path


def visits_of(shown: dict[str, Any]) -> list[Stay]:
    return [
        Stay(path_of(visit["url"]), ms(visit["entered_at"]), ms(visit["left_at"]))
        for visit in sorted(shown["page_visits"], key=lambda each: each["visit_order"])
    ]


def tell(figures: str) -> None:
    """Shown with `pytest -s`."""
    sys.stdout.write(f"{figures}\n")


def note(**figures: float) -> None:
    """For `bench/extension.py`, if it runs this."""
    if FIGURES:
        with Path(FIGURES).open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(figures)}\n")


def spread(differences: list[int]) -> str:
    return f"p50 {sorted(differences)[len(differences) // 2]} ms, p99 {p99(differences)} ms"


def p99(differences: list[int]) -> int:
    ordered = sorted(differences)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
