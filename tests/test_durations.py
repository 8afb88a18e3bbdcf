"""Durations in words, as the web app says them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.durations import MINUTE_MS, in_hours

WEB = Path(__file__).parents[1] / "web/src/ui/time/durations.json"
CASES: list[dict[str, Any]] = json.loads(WEB.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["ms"]))
def test_the_command_line_says_what_the_web_app_says(case: dict[str, Any]) -> None:
    assert in_hours(case["ms"]) == case["hours"]


@given(st.integers(0, 10**10))
def test_words_are_never_more_than_half_a_minute_off(ms: int) -> None:
    words = in_hours(ms)
    if words == "< 1 min":
        assert 0 < ms < MINUTE_MS // 2
        return
    units = words.split()[1::2]
    numbers = [int(number) for number in words.split()[::2]]
    minutes = sum(
        number * (60 if unit == "h" else 1) for number, unit in zip(numbers, units, strict=True)
    )
    assert abs(minutes * MINUTE_MS - ms) <= MINUTE_MS // 2
    assert "60 min" not in words
