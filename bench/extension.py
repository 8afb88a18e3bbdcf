"""What the extension costs and how exact it is, in a real Chromium with a real server.

bundles                   gzipped size of the scripts
load_ms_added             what recording adds to the load time of a local page, median of 100
worker_heap_mb            the service worker's memory after these pages
boundary_p99_ms           between a visit's times and those its page measured itself
worker_kills_…            with the worker stopped 50 times: missing visits, and their times

Runs tests of tests/e2e with the promised bounds; in an ordinary test run the bounds are wider.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import gzip
import json
import os
import subprocess
import tempfile

from bench.figures import Goal, Report, at_most, exactly, read_options

OUTPUT = ROOT / "extension" / ".output"
BUNDLES = {
    "content_script": ("content-scripts/content.js", 60),
    "background": ("background.js", 30),
}
GOALS: dict[str, Goal] = {
    "boundary_p99_ms": at_most(100),
    "worker_kills_visits_missing": exactly(0),
    "load_ms_added": at_most(150),
    "worker_heap_mb": at_most(30),
}
SETTINGS = {"pages", "visits", "worker_kills"}
QUICK = ["tests/e2e/test_extension_timeline.py"]
ALL = [*QUICK, "tests/e2e/test_extension_cost.py", "tests/e2e/test_extension_crashes.py"]


def measure(*, is_quick: bool) -> dict[str, float]:
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures"
        tests = QUICK if is_quick else ALL
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *tests],
            cwd=ROOT,
            env={
                **os.environ,
                "MINDHIT_EXTENSION_FIGURES": str(figures),
            },
            check=False,
        )
        for line in figures.read_text(encoding="utf-8").splitlines() if figures.exists() else []:
            found |= json.loads(line)
    if done.returncode != 0:
        print("some bounds were missed; the figures follow", file=sys.stderr)
    return found


def main() -> None:
    options = read_options(__doc__ or "")
    report = Report("the extension")
    for browser in ("chrome", "firefox"):
        for name, (file, most) in BUNDLES.items():
            size = len(gzip.compress((OUTPUT / f"{browser}-mv3" / file).read_bytes(), 9))
            report.add(f"{name}_kb_{browser}", round(size / 1000, 1), at_most(most))
    for name, value in measure(is_quick=options.quick).items():
        if name in SETTINGS:
            report.settings[name] = value
        else:
            report.add(name, value, GOALS.get(name))
    report.close(options)


if __name__ == "__main__":
    main()
