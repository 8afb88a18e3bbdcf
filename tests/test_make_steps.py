"""What `make up` prints: one line per step, and a command's own words only if it fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

STEP = Path(__file__).parents[1] / "tools" / "step.py"


def step(script: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(STEP), "Doing it", "--", sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_step_is_one_line_however_much_its_command_draws() -> None:
    done = step("import sys; print('spin' * 9999, sys.stdout.isatty(), file=sys.stderr)")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"  Doing it… \d+ s\n", done.stdout)


def test_a_step_that_fails_says_what_its_command_said_last() -> None:
    done = step("print('early\\n' * 500); print('the reason'); raise SystemExit(3)")
    assert (done.returncode, done.stdout) == (3, "  Doing it… failed\n")
    assert "the reason" in done.stderr
    assert done.stderr.count("early") < 100


def test_a_program_that_is_not_there_is_a_failure() -> None:
    done = subprocess.run(
        [sys.executable, STEP, "Doing it", "--", "no-such-program"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 127
    assert "no-such-program" in done.stderr
