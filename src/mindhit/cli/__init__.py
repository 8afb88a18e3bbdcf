"""The command `mindhit`: the product's front door for people and for supervisors.

Every command that lists takes `--json`. Whatever goes wrong is one sentence with a way out on
stderr and a non-zero exit; a traceback is a bug.
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
