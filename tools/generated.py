"""Write, or with --check compare, the files that are generated from the code.

docs/configuration.md        the settings
docs/events.md               the tables in it: the event protocol
clients/ts/openapi.json      the API (npm generates its TypeScript types from this)
clients/ts/src/protocol.ts   the event protocol
clients/ts/src/limits.ts     limits that the server checks
src/mindhit/db/schema.sql    what the migrations add up to, as pg_dump prints it
"""

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from mindhit import wiring
from mindhit.api.app import create_app
from mindhit.db import migrate
from mindhit.db.embedded import Server
from mindhit.settings import reference
from tools import event_protocol, limits

ROOT = Path(__file__).resolve().parent.parent


def openapi() -> str:
    return (
        json.dumps(
            create_app(wiring.product(wiring.make_settings())).openapi(),
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )


def schema() -> str:
    """Migrate an empty database of its own and ask pg_dump; takes about five seconds."""
    folder = Path(tempfile.mkdtemp(prefix="mindhit-schema-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    try:
        access = server.start()
        asyncio.run(migrate.migrate(access.url))
        dumped = subprocess.run(
            [
                access.installation.program("pg_dump"),
                "--schema-only",
                "--no-owner",
                "--no-privileges",
                access.url,
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    finally:
        server.stop()
        for home in {folder, server.layout.home if server.layout else folder}:
            shutil.rmtree(home, ignore_errors=True)
    return _tidy(dumped)


def _tidy(dumped: str) -> str:
    """Only what describes the schema: no session settings, no versions, no one-time keys."""
    noise = re.compile(
        r"^(--.*|SET .*|SELECT pg_catalog\.set_config.*|\\(un)?restrict .*)$", re.MULTILINE
    )
    body = re.sub(r"\n{3,}", "\n\n", noise.sub("", dumped)).strip()
    return f"-- What the migrations add up to. Made by `make openapi`; not for editing.\n\n{body}\n"


GENERATED: dict[str, Callable[[], str]] = {
    "docs/configuration.md": lambda: reference(wiring.SECTIONS),
    "docs/events.md": event_protocol.document,
    "clients/ts/openapi.json": openapi,
    "clients/ts/src/protocol.ts": event_protocol.typescript,
    "clients/ts/src/limits.ts": limits.typescript,
    "src/mindhit/db/schema.sql": schema,
}


def main(arguments: list[str]) -> int:
    stale = []
    named = [argument for argument in arguments if argument in GENERATED]
    for name in named or GENERATED:
        make = GENERATED[name]
        file, text = ROOT / name, make()
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in arguments:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    if "--check" in arguments:
        for name in stale:
            print(f"{name} is not what the code says: run `make openapi`", file=sys.stderr)
        return int(bool(stale))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
