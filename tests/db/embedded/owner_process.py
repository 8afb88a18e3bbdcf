"""Owns a server until its standard input ends: the process that the tests kill.

    owner_process.py DATA_DIR [option=value …]

Says in one line of JSON either that the server is ready or why not.
"""

import json
import sys
from pathlib import Path

from mindhit.db.embedded import Server, upgrade
from mindhit.errors import MindHitError

KINDS = {"elsewhere": Path, "min_free_bytes": int}


def say(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def main() -> int:
    options = dict(word.split("=", 1) for word in sys.argv[2:])
    old_programs = options.pop("upgrade", None)
    known = {name: KINDS[name](value) for name, value in options.items()}
    try:
        if old_programs:
            upgrade(
                Path(sys.argv[1]),
                old_programs=Path(old_programs),
                progress=lambda text: say(progress=text),
                **known,
            )
            return 0
        server = Server(Path(sys.argv[1]), **known)
        server.start()
    except MindHitError as error:
        say(error=type(error).__name__, message=str(error), way_out=error.way_out)
        return 3
    process = server.process
    say(url=server.url, pid=process.pid if process else None)
    sys.stdin.read()
    server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
