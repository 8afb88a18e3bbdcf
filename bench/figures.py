"""What every program here shares: options, figures, one table, one file.

A program adds figures to a `Report` and closes it. The file is `{"figures": {name: number},
"settings": {…}, "measured_at": …}`; a peer's number stands under `{name}_{peer}`. Nothing in it
says whose machine it was: no host name, no user, no path.
"""

import argparse
import hashlib
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

from rich.console import Console
from rich.table import Table

Setting: TypeAlias = str | int | float | bool

_PEERS = Path(__file__).parent / ".peers"


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line. `quick` promises to be done within 60 s."""

    quick: bool
    json: Path | None
    data: Path | None
    keep: Path | None = None
    earlier: Path | None = None


def read_options(
    description: str,
    *,
    data: str | None = None,
    needs_data: bool = True,
    keep: str | None = None,
    earlier: bool = False,
) -> Options:
    """Read the command line. `data` says what the folder holds that `--data` names, `keep` what is left in
    that of `--keep` and used again."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="be done within 60 s")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    if data is not None:
        parser.add_argument("--data", type=Path, metavar="DIR", required=needs_data, help=data)
    if keep is not None:
        parser.add_argument("--keep", type=Path, metavar="DIR", help=keep)
    if earlier:
        parser.add_argument(
            "--earlier",
            type=Path,
            metavar="DIR",
            required=True,
            help="a checkout of another version",
        )
    given = parser.parse_args()
    folders = (getattr(given, name, None) for name in ("data", "keep", "earlier"))
    return Options(given.quick, given.json, *folders)


@dataclass(frozen=True, slots=True)
class Goal:
    """The bound a figure has to keep."""

    sign: Literal["≥", "≤", "="]
    bound: float

    def is_met(self, value: float) -> bool:
        if self.sign == "≥":
            return value >= self.bound
        return value <= self.bound if self.sign == "≤" else value == self.bound

    def __str__(self) -> str:
        return f"{self.sign} {_readable(self.bound)}"


def at_least(bound: float) -> Goal:
    return Goal("≥", bound)


def at_most(bound: float) -> Goal:
    return Goal("≤", bound)


def exactly(bound: float) -> Goal:
    return Goal("=", bound)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of ours, beside the same number of each peer that has it."""

    name: str
    ours: float
    goal: Goal | None
    peers: Mapping[str, float]


@dataclass(slots=True)
class Report:
    """The figures of one run, in the order in which they were added."""

    title: str
    settings: dict[str, Setting] = field(default_factory=lambda: dict(_machine()))
    figures: list[Figure] = field(default_factory=list)

    def add(self, name: str, ours: float, goal: Goal | None = None, **peers: float) -> None:
        self.figures.append(Figure(name, ours, goal, peers))

    def close(self, options: Options) -> None:
        """Print the table and, if asked for, write the file."""
        self.show()
        self.write(options)

    def show(self) -> None:
        # A pipe has no width, and rich would cut numbers short to fit what it supposes.
        console = Console() if sys.stdout.isatty() else Console(width=160)
        console.print(self._table())

    def write(self, options: Options) -> None:
        if options.json is not None:
            options.json.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(self._document(options), ensure_ascii=False, indent=2)
            options.json.write_text(f"{text}\n", encoding="utf-8")

    def _table(self) -> Table:
        peers = list(dict.fromkeys(peer for figure in self.figures for peer in figure.peers))
        table = Table(title=self.title, title_justify="left")
        table.add_column("figure", no_wrap=True)
        for heading in ["ours", *peers, *(f"ours / {peer}" for peer in peers), "goal"]:
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("met")
        for figure in self.figures:
            table.add_row(*_cells(figure, peers))
        return table

    def _document(self, options: Options) -> dict[str, object]:
        numbers: dict[str, float] = {}
        for figure in self.figures:
            numbers[figure.name] = figure.ours
            numbers |= {f"{figure.name}_{peer}": value for peer, value in figure.peers.items()}
        return {
            "figures": numbers,
            "settings": {"quick": options.quick, "command": _command(options)} | self.settings,
            "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }


def _cells(figure: Figure, peers: Sequence[str]) -> list[str]:
    theirs = [figure.peers.get(peer) for peer in peers]
    ratios = [figure.ours / value if value else None for value in theirs]
    met = "" if figure.goal is None else ("yes" if figure.goal.is_met(figure.ours) else "NO")
    numbers = [_readable(value) for value in [figure.ours, *theirs, *ratios]]
    return [figure.name, *numbers, str(figure.goal or ""), met]


def _readable(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def _command(options: Options) -> str:
    """What to type to measure it again; where the data is differs from machine to machine."""
    module = sys.modules["__main__"].__spec__  # where it was started with -m
    words = ["python", f"-m {module.name}" if module else f"bench/{Path(sys.argv[0]).name}"]
    words += ["--data DIR"] if options.data else []
    words += ["--keep DIR"] if options.keep else []
    words += ["--earlier DIR"] if options.earlier else []
    return " ".join([*words, *(["--quick"] if options.quick else [])])


def _machine() -> dict[str, Setting]:
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count() or 1,
    }


def interleaved(rounds: int, runs: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The median seconds of each run, over rounds in which every one has its turn.

    Side by side, a noisy minute of the machine is everybody's. One turn before the first is not
    counted.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds + 1):
        for name, run in runs.items():
            started = time.perf_counter()
            run()
            if turn:
                seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def peer_environment(name: str, requirements: Sequence[str]) -> Path:
    """The Python of an environment that holds `requirements` and nothing of ours.

    Built once for each list of requirements, kept in `bench/.peers/`, which git ignores. One that
    was left half built is built again.
    """

    def install(home: Path) -> None:
        venv.create(home, with_pip=True)
        pip = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *requirements], check=True)

    home = peer_folder(name, [platform.python_version(), *sorted(requirements)], install)
    return home / "bin" / "python"


def peer_folder(name: str, wanted: Sequence[str], install: Callable[[Path], None]) -> Path:
    """A folder that `install` has filled with what is wanted."""
    digest = hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:12]
    home = _PEERS / f"{name}-{digest}"
    ready = home / "ready"
    if not ready.exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        install(home)
        ready.touch()
    return home
