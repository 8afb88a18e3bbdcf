"""What others wrote does nothing to the terminal on which it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from mindhit.cli import output

WRITTEN = "\x1b[2J \x9b31m \x07 \x7f \u202e [red]:boom:[/] \\[bold] 한글"
SHOWN = r"\u001b[2J \u009b31m \u0007 \u007f \u202e [red]:boom:[/] \[bold] 한글"
MOVES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


@pytest.mark.parametrize(
    "say",
    [
        lambda: output.table(("id", "last error"), [(7, WRITTEN)]),
        lambda: output.facts({"last_error": WRITTEN}),
        lambda: output.complain(WRITTEN),
        lambda: output.complain("no", WRITTEN),
        lambda: output.console.print(WRITTEN, markup=False),
    ],
    ids=["table", "facts", "complaint", "way out", "line"],
)
def test_control_characters_are_shown_by_their_numbers(
    say: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    say()
    said = "".join(capsys.readouterr())
    assert SHOWN in said
    assert not MOVES.search(said)


def test_a_program_reads_what_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    output.as_json({"last_error": WRITTEN})
    said = capsys.readouterr().out
    assert json.loads(said) == {"last_error": WRITTEN}
    assert not MOVES.search(said)
