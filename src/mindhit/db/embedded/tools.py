"""Running PostgreSQL's programs: as the right account, with a clean environment, in English.

The environment is built from scratch: PG* variables of the machine must not affect our server,
MindHit's secrets don't belong in it, and LC_ALL=C keeps messages in the words we search for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from mindhit.db.embedded.model import Access, Account
from mindhit.errors import Broken

_RUN_AS = Path(__file__).with_name("run_as.py")
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

Finished = subprocess.CompletedProcess[str]
Result = TypeVar(
    "Result", bound=subprocess.CompletedProcess[str] | subprocess.CompletedProcess[bytes]
)


class SqlFailed(Broken):
    """The database did not accept a statement of the launcher."""


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {"PATH": os.defpath, **kept, "LC_ALL": "C", "TZ": "UTC", **(more or {})}


def run(command: list[str], *, stdin: str = "", env: Mapping[str, str] | None = None) -> Finished:
    """As ourselves, to its end; the caller looks at the return code."""

    def once() -> Finished:
        return subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env=environment(env),
            cwd="/",
            check=False,
            start_new_session=True,  # Ctrl-C in a terminal is for MindHit, which ends in order
        )

    return _unless_interrupted(once)


def _unless_interrupted(once: Callable[[], Result]) -> Result:
    """Run again what Ctrl-C hit between its fork and its own session: it had not begun.

    Otherwise the wheel's `postgres --version` seems broken, and a database is created by whatever
    older PostgreSQL the machine has.
    """
    done = once()
    return once() if done.returncode == -signal.SIGINT else done


def as_account(account: Account, program: Path, *arguments: str) -> list[str]:
    """The command that runs a program as `account`, ending when this process ends."""
    identity = (str(os.getpid()), str(account.uid), str(account.gid))
    return [sys.executable, "-I", "-S", str(_RUN_AS), *identity, str(program), *arguments]


def works_for(account: Account, command: list[str]) -> bool:
    """Whether `account` can run this command; the only test that knows ACLs and mounts too."""
    change = {} if account.is_self else {"user": account.uid, "group": account.gid}

    def once() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(  # type: ignore[call-overload,no-any-return]  # the keywords vary with the account
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment(),
            cwd="/",
            check=False,
            start_new_session=True,
            **change,
            **({} if account.is_self else {"extra_groups": []}),
        )

    try:
        return _unless_interrupted(once).returncode == 0
    except OSError:
        return False


def can_enter(account: Account, folder: Path) -> bool:
    return works_for(account, ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)])


def without_password(url: str) -> tuple[str, dict[str, str]]:
    """The URL as it may appear in a process list, and the environment that completes it."""
    parts = urlsplit(url)
    user, colon, password = parts.netloc.rpartition("@")[0].partition(":")
    host = parts.netloc.rpartition("@")[2]
    options = parse_qsl(parts.query, keep_blank_values=True)
    hidden = [value for name, value in options if name == "password"]
    kept = urlencode([(n, v) for n, v in options if n != "password"], quote_via=quote, safe="/")
    secret = unquote(password) if colon else (hidden[0] if hidden else None)
    shown = f"{parts.scheme}://{user}{'@' if user else ''}{host}{parts.path}"
    shown += f"?{kept}" if kept else ""
    return shown, {} if secret is None else {"PGPASSWORD": secret}


def database_of(url: str) -> str:
    return unquote(urlsplit(url).path.removeprefix("/")) or "postgres"


def with_database(url: str, database: str) -> str:
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}/{quote(database, safe='')}{query}"


def client(access: Access, program: str, *arguments: str, stdin: str = "") -> Finished:
    """Runs a client program on the access' database, the password out of sight."""
    shown, secret = without_password(access.url)
    command = [str(access.installation.program(program)), *arguments, f"--dbname={shown}"]
    return run(command, stdin=stdin, env={"PGCLIENTENCODING": "UTF8", **secret})


def query(access: Access, sql: str) -> list[list[str]]:
    """The rows of the statements, as text. Raises SqlFailed with the server's own words."""
    flags = ("-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=1", "-f", "-")
    done = client(access, "psql", *flags, stdin=sql)
    if done.returncode:
        raise SqlFailed(done.stderr.strip(), way_out="See the server's message above.")
    return [line.split("\x1f") for line in done.stdout.splitlines() if line]


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
