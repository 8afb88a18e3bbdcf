"""`mindhit doctor`: checks everything that self-hosters trip over, and says how to fix it."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from mindhit import extension, wiring, work
from mindhit.api.settings import ApiSettings
from mindhit.cli.access import start
from mindhit.cli.already_running import check_port
from mindhit.cli.output import as_json, console
from mindhit.db import Database, DatabaseNotWritable, WriteCheck, embedded, inspect, migrate
from mindhit.db.settings import DatabaseSettings
from mindhit.errors import MindHitError
from mindhit.fetching import FetchSettings
from mindhit.language import LanguageSettings
from mindhit.language.builtin import has_korean_model, reads_korean_morphemes
from mindhit.settings import Settings, config_file, unknown_variables
from mindhit.work import WorkSettings


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    verdict: Literal["good", "note", "bad"]
    detail: str
    way_out: str | None = None


def doctor(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Check this installation and say how to fix what is wrong. Changes nothing."""
    settings = start()
    findings = [
        *_machine(settings),
        *_configuration(settings),
        *_fetching(settings[FetchSettings]),
        *_database(settings),
    ]
    if json:
        as_json(findings)
    else:
        _show(findings)
    if any(finding.verdict == "bad" for finding in findings):
        raise typer.Exit(1)


def _show(findings: list[Finding]) -> None:
    symbols = {"good": "[green]✓[/]", "note": "[yellow]![/]", "bad": "[bold red]✗[/]"}
    for finding in findings:
        console.print(
            f"{symbols[finding.verdict]} {finding.what:<14} {finding.detail}", soft_wrap=True
        )
        if finding.way_out:
            console.print(f"  [yellow]→[/] {finding.way_out}", soft_wrap=True)


def _machine(settings: Settings) -> Iterator[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "good", python)
    yield _data_directory(settings)
    if files("mindhit").joinpath("api", "static", "index.html").is_file():
        yield Finding("web app", "good", "built")
    else:
        yield Finding("web app", "note", "not built; the API works without it", "Run `make web`.")
    yield _korean()
    yield _models(settings)
    if all(map(extension.is_built, extension.Browser)):
        yield Finding("extension", "good", "built")
    else:
        yield Finding("extension", "note", "not built", "Run `make extension`.")
    yield _port(settings)


def _models(settings: Settings) -> Finding:
    names = settings[LanguageSettings].language_providers
    if not names:
        return Finding("models", "good", "none; the built-in engine is used")
    if find_spec("pydantic_ai") is not None:
        return Finding("models", "good", f"{', '.join(names)}, then the built-in engine")
    return Finding(
        "models",
        "bad",
        f"{', '.join(names)} can't be called: their libraries are missing",
        "Install them with `pip install 'mindhit[models]'`.",
    )


def _korean() -> Finding:
    if not has_korean_model():
        problem = "is not installed"
    elif asyncio.run(reads_korean_morphemes()):
        return Finding("korean", "good", "morphological analysis works")
    else:
        problem = "is installed but does not work"
    return Finding(
        "korean",
        "note",
        f"kiwipiepy {problem}: Korean summaries and keywords are less precise",
        "Install it with `pip install --force-reinstall 'mindhit[korean]'`."
        if has_korean_model()
        else "Install it with `pip install 'mindhit[korean]'`.",
    )


_FREE_SPACE: Final = "Free some disk space, or move the data with MINDHIT_DATA_DIR."


def _data_directory(settings: Settings) -> Finding:
    folder = settings.data_dir.expanduser().absolute()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    error = _write_error(existing)
    if error is not None and error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Finding("data", "bad", f"{existing} is full: {error.strerror}", _FREE_SPACE)
    if error is not None:
        return Finding(
            "data",
            "bad",
            f"{existing} is not writable: {error.strerror or error}",
            "Make it writable for this user, or set MINDHIT_DATA_DIR.",
        )
    free_mb = shutil.disk_usage(existing).free // 2**20
    if free_mb < settings[DatabaseSettings].database_min_free:
        return Finding(
            "data",
            "bad",
            f"{folder}: only {free_mb} MB free, needs {settings[DatabaseSettings].database_min_free}",
            _FREE_SPACE,
        )
    return Finding("data", "good", f"{folder}, {free_mb / 1024:.1f} GB free")


def _write_error(folder: Path) -> OSError | None:
    """Tried with a file that has no name: permission bits say nothing of root, of read-only file
    systems, or of folders such as /proc."""
    if not folder.is_dir():
        return NotADirectoryError(errno.ENOTDIR, "it is a file")
    try:
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return error


def _port(settings: Settings) -> Finding:
    try:
        check_port(settings)
    except embedded.DataDirectoryBusy as running:
        return Finding("port", "good", f"{running}")
    except MindHitError as error:
        return Finding("port", "bad", f"{error}", error.way_out)
    return Finding("port", "good", f"{settings.host}:{settings.port} is free")


def _configuration(settings: Settings) -> Iterator[Finding]:
    file = config_file()
    yield Finding("settings", "good", f"read from {file}" if file else "defaults and environment")
    for name in unknown_variables(wiring.SECTIONS, os.environ):
        yield Finding(
            "settings",
            "bad",
            f"unknown variable {name}",
            "docs/configuration.md lists all of them.",
        )
    kinds = {kind.name for kind in wiring.registry(wiring.product(settings)).kinds}
    for name in sorted(settings[WorkSettings].job_policies.keys() - kinds):
        yield Finding(
            "settings",
            "bad",
            f"job_policies: there is no job type {name}",
            "Correct the name in job_policies.",
        )
    is_open = settings.host not in {"127.0.0.1", "::1", "localhost"}
    if is_open and not settings.public_url.startswith("https://"):
        yield Finding(
            "network",
            "note",
            f"listens on {settings.host} without TLS: others on the network can read the traffic",
            "Set up a reverse proxy (docs/self-hosting.md) and MINDHIT_BASE_URL=https://…",
        )
    if settings.public_url.startswith("https://") and not settings[ApiSettings].trusted_proxies:
        yield Finding(
            "network",
            "bad",
            "no trusted proxy: every request seems to come from the proxy itself",
            "Set MINDHIT_TRUSTED_PROXIES to the proxy's address.",
        )


def _fetching(settings: FetchSettings) -> Iterator[Finding]:
    if not settings.fetching:
        yield Finding(
            "fetching",
            "note",
            "off: MindHit does not fetch any pages",
            "Set MINDHIT_FETCHING=true to fetch pages again.",
        )
    elif settings.allowed_networks:
        yield Finding(
            "fetching",
            "note",
            f"may connect to {', '.join(settings.allowed_networks)}:"
            " anyone who can give MindHit an address can reach HTTP services there",
            "Keep MINDHIT_ALLOWED_NETWORKS as small as possible.",
        )
    else:
        yield Finding("fetching", "good", "public addresses only")


def _database(settings: Settings) -> Iterator[Finding]:
    url = settings[DatabaseSettings].url
    if url is None:
        try:
            programs = embedded.find()
        except MindHitError as error:
            yield Finding("postgresql", "bad", f"{error}", error.way_out)
            return
        yield Finding("postgresql", "good", f"{programs.version} ({programs.origin})")
        attached = embedded.attach(settings.data_dir)
        if attached is None:
            try:
                embedded.check(settings.data_dir)
            except MindHitError as error:
                yield Finding("database", "bad", f"{error}", error.way_out)
                return
            yield Finding(
                "database", "note", "not running", "Start it with `mindhit up` (or `make up`)."
            )
            return
        url = attached.url
    yield from asyncio.run(_running(url))


async def _running(url: str) -> list[Finding]:
    try:
        schema = await migrate.status(url)
        async with _opened(url) as db, db.read() as tx:
            findings = [*_server(await inspect.facts(tx))]
            if not schema.pending:
                findings += await _writing(db)
                findings += _queue(await work.stats(tx))
    except MindHitError as error:
        return [Finding("database", "bad", f"{error}", error.way_out)]
    if schema.pending:
        behind = f"{len(schema.pending)} pending migration{'' if len(schema.pending) == 1 else 's'}"
        findings.append(Finding("schema", "bad", behind, "Run `mindhit db migrate`."))
    else:
        findings.append(Finding("schema", "good", f"version {schema.current}"))
    return findings


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Database]:
    db = await Database.open(url, name="mindhit doctor", size=2)
    try:
        yield db
    finally:
        await db.close()


async def _writing(db: Database) -> list[Finding]:
    try:
        await WriteCheck(db).run(within_s=5)
    except DatabaseNotWritable as error:
        detail = f"{error} ({error.facts['reason']})"
        return [Finding("database", "bad", detail, error.way_out)]
    return []


def _server(facts: inspect.ServerFacts) -> Iterator[Finding]:
    size = f"{facts.database_bytes / 2**20:.1f} MB"
    yield Finding("database", "good", f"PostgreSQL {facts.version}, {size}")
    rules: list[tuple[bool, str, str]] = [
        (facts.version_num >= 150_000, f"PostgreSQL {facts.version}", "Use version 15 or newer."),
        (
            facts.encoding == "UTF8",
            f"encoding {facts.encoding}",
            "Create the database with the encoding UTF8.",
        ),
        (facts.fsync == "on", "fsync is off: a power cut can destroy the database", "Turn it on."),
        (
            facts.full_page_writes == "on",
            "full_page_writes is off: a power cut can corrupt data",
            "Turn it on.",
        ),
        (
            facts.synchronous_commit != "off",
            "synchronous_commit is off: a crash loses recently acknowledged data",
            "Turn it on.",
        ),
        (
            abs(facts.epoch_s - time.time()) < 5,
            f"its clock differs from this machine's by {facts.epoch_s - time.time():+.0f} s",
            "Synchronise both machines with NTP.",
        ),
        (
            (facts.oldest_transaction_s or 0) < 3600,
            f"a transaction has been open for {(facts.oldest_transaction_s or 0) / 3600:.1f} h: tables bloat",
            "Find it in pg_stat_activity and end it.",
        ),
    ]
    for is_fine, detail, way_out in rules:
        if not is_fine:
            yield Finding("database", "bad", detail, way_out)


def _queue(stats: work.Stats) -> Iterator[Finding]:
    dead = sum(depth.dead for depth in stats.depths)
    ready = sum(depth.ready for depth in stats.depths)
    oldest = max((depth.oldest_ready_s or 0 for depth in stats.depths), default=0)
    if oldest > 300:
        yield Finding(
            "queue",
            "bad",
            f"{ready} jobs are ready but not running, the oldest for {oldest / 60:.0f} min",
            "Make sure a worker serves each queue; `mindhit jobs stats` shows which one is stuck.",
        )
    else:
        yield Finding("queue", "good", f"{ready} jobs ready")
    if dead:
        yield Finding(
            "queue",
            "note",
            f"{dead} failed jobs",
            "`mindhit jobs list --status dead` shows why; `mindhit jobs retry-dead` retries them.",
        )
