"""The status of the embedded database, without starting or changing anything."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from mindhit.db.embedded import binaries, cluster, layout
from mindhit.db.embedded.model import ServerFailed
from mindhit.db.embedded.server import attach


@dataclass(frozen=True, slots=True)
class Status:
    data_dir: Path
    cluster: Path | None
    major: int | None
    origin: str | None
    created_at: str | None
    last_run_by: str | None
    running: bool
    kept: tuple[Path, ...]
    """Clusters that upgrades left behind; they can be removed once the new one has proved itself."""


def status(data_dir: Path) -> Status:
    data_dir = data_dir.expanduser().absolute()
    home = _home(data_dir)
    path = home / layout.CLUSTER
    found = path if layout.is_cluster(path) else None
    known = {} if found is None else cluster.origin_of(found)
    return Status(
        data_dir=data_dir,
        cluster=found,
        major=None if found is None else _major(found),
        origin=_text(known.get("origin")),
        created_at=_text(known.get("created_at")),
        last_run_by=_text(known.get("last_run_by")),
        running=attach(data_dir) is not None,
        kept=tuple(sorted(home.glob("postgres-*-kept*"))) if home.is_dir() else (),
    )


def check(data_dir: Path) -> None:
    """Raise what a start would raise about the cluster: missing, damaged, another major version."""
    found = status(data_dir)
    if found.cluster is None and layout.record_of(found.data_dir).exists():
        layout.locate(found.data_dir)
    if found.cluster is not None:
        cluster.check_major(found.cluster, binaries.find())


def _home(data_dir: Path) -> Path:
    try:
        return Path(json.loads(layout.record_of(data_dir).read_text("utf-8"))["home"])
    except (OSError, ValueError, KeyError):
        return data_dir


def _major(found: Path) -> int | None:
    try:
        return cluster.major_of(found)
    except ServerFailed:
        return None  # damaged; `check` says so


def _text(value: object) -> str | None:
    return None if value is None else str(value)
