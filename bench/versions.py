"""This version beside an earlier one: the same quick programs in turn, on one machine.

python bench/versions.py --earlier DIR

DIR is a checkout of the earlier version in which `make bench`'s prerequisites were made. Of every figure the
medians of all rounds are compared; ratios are written so that above 1 is better. What was added since is paid
for too: the first script of a web app with more screens in it is larger.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import json
import statistics
import subprocess
import tempfile
from collections import defaultdict

from bench.figures import Report, at_least, read_options

ROUNDS = 3
GOAL = 0.9
# Of each program, the figures in which more is better, and those in which less is.
MORE = {
    "queue": ("drain_jobs_per_s_10", "drain_jobs_per_s_100", "drain_jobs_per_s_500"),
    "ingest": ("events_per_s",),
}
LESS = {
    "queue": ("pickup_p50_ms",),
    "ingest": ("batch_p50_ms_c1", "api_cpu_ms_per_batch"),
    "reads": ("list_p50_ms", "list_p99_ms", "detail_p50_ms", "detail_p99_ms", "detail_cpu_ms"),
    "web": ("script_kb_gzip", "dashboard_ms", "session_ms"),
}
PROGRAMS = ("queue", "ingest", "reads", "web")


def figures(tree: Path, program: str, written: Path) -> dict[str, float]:
    python = tree / ".venv" / "bin" / "python"
    command = [str(python), f"bench/{program}.py", "--quick", "--json", str(written)]
    subprocess.run(command, check=True, cwd=tree, stdout=subprocess.DEVNULL)
    found: dict[str, float] = json.loads(written.read_text(encoding="utf-8"))["figures"]
    return found


def main() -> None:
    options = read_options("This version beside an earlier one", earlier=True)
    assert options.earlier is not None
    trees = {"now": ROOT, "earlier": options.earlier.resolve()}
    rounds = 1 if options.quick else ROUNDS
    report = Report("This version beside an earlier one")
    with tempfile.TemporaryDirectory() as folder:
        for program in PROGRAMS:
            measured: dict[str, dict[str, list[float]]] = {
                name: defaultdict(list) for name in trees
            }
            for _ in range(rounds):
                for name, tree in trees.items():
                    for figure, value in figures(tree, program, Path(folder, "figures")).items():
                        measured[name][figure].append(value)
            _compare(report, program, measured)
    report.settings |= {"rounds": rounds, "earlier": _commit(trees["earlier"])}
    report.close(options)


def _compare(report: Report, program: str, measured: dict[str, dict[str, list[float]]]) -> None:
    for figure in (*MORE.get(program, ()), *LESS.get(program, ())):
        now, earlier = (statistics.median(measured[name][figure]) for name in ("now", "earlier"))
        ratio = now / earlier if figure in MORE.get(program, ()) else earlier / now
        report.add(f"{program}_{figure}", now, earlier=earlier)
        report.add(f"{program}_{figure}_ratio", ratio, at_least(GOAL))


def _commit(tree: Path) -> str:
    asked = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(
        asked, check=True, cwd=tree, capture_output=True, text=True
    ).stdout.strip()


if __name__ == "__main__":
    main()
