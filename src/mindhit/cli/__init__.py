"""The command `mindhit`, for people and for process supervisors.

Every command that lists something takes `--json`. An error is one sentence and a hint on stderr,
with a non-zero exit code; a traceback is a bug.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    try:
        # Half a second of imports, during which Ctrl-C must not look like a crash.
        from mindhit.cli.app import run  # noqa: PLC0415

        sys.exit(run())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
