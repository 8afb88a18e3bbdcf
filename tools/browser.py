"""Find Chromium for the end-to-end tests, or install the distribution's.

    python tools/browser.py           print where it is, installing it where that is allowed

Where it cannot be had the tests say so and are skipped; with CI=true they fail.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PACKAGES = ("chromium",)


def find() -> str | None:
    """Where Chromium is; `MINDHIT_TEST_CHROMIUM` names one that is not on the path."""
    named = os.environ.get("MINDHIT_TEST_CHROMIUM")
    if named:
        return named
    return next(filter(None, map(shutil.which, NAMES)), None)


def install() -> str | None:
    """Install it by apt-get, as root and nowhere else. Tells what went wrong, if anything."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return "Chromium is not here; install it (or set MINDHIT_TEST_CHROMIUM) to run tests/e2e."
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    get = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    for step in ([*get, "update"], [*get, "install", "-y", "--no-install-recommends", *PACKAGES]):
        done = subprocess.run(step, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"{' '.join(step)} failed: {done.stderr.strip()[-500:]}"
    return None


def main() -> int:
    problem = None if find() else install()
    found = find()
    if found is None:
        print(problem, file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 0
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
