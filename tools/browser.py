"""Find the browsers of the end-to-end tests, or install the distribution's.

    python tools/browser.py           print where they are, installing them where that is allowed

Where one cannot be had its tests say so and are skipped; with CI=true they fail.
"""

import os
import shutil
import subprocess
import sys
from typing import Final, Literal, NamedTuple

Name = Literal["chromium", "firefox"]


class Browser(NamedTuple):
    programs: tuple[str, ...]
    variable: str  # of the environment: one that is not on the path
    package: str


BROWSERS: Final[dict[Name, Browser]] = {
    "chromium": Browser(
        ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"),
        "MINDHIT_TEST_CHROMIUM",
        "chromium",
    ),
    "firefox": Browser(("firefox-esr", "firefox"), "MINDHIT_TEST_FIREFOX", "firefox-esr"),
}


def find(name: Name = "chromium") -> str | None:
    """Where it is, if it is anywhere."""
    browser = BROWSERS[name]
    named = os.environ.get(browser.variable)
    if named:
        return named
    return next(filter(None, map(shutil.which, browser.programs)), None)


def install(names: list[Name]) -> str | None:
    """Install them by apt-get, as root and nowhere else. Tells what went wrong, if anything."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        variables = ", ".join(BROWSERS[name].variable for name in names)
        return f"Not here: {', '.join(names)}; install them (or set {variables}) to run tests/e2e."
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    get = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    packages = [BROWSERS[name].package for name in names]
    for step in ([*get, "update"], [*get, "install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(step, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"{' '.join(step)} failed: {done.stderr.strip()[-500:]}"
    return None


def main() -> int:
    missing = [name for name in BROWSERS if find(name) is None]
    problem = install(missing) if missing else None
    for name in BROWSERS:
        print(find(name) or f"no {name}")
    if any(find(name) is None for name in BROWSERS):
        print(problem, file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
