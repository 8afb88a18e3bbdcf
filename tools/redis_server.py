"""Find the Redis server of the crawler's tests, or install the distribution's.

    python tools/redis_server.py      print where it is, installing it where that is allowed

Where it cannot be had its tests say so and are skipped; with CI=true they fail.
"""

import os
import shutil
import subprocess
import sys
from typing import Final

VARIABLE: Final = "MINDHIT_TEST_REDIS"
PROGRAMS: Final = ("redis-server", "valkey-server")
PACKAGE: Final = "redis-server"


def find() -> str | None:
    """Where it is, if it is anywhere."""
    return os.environ.get(VARIABLE) or next(filter(None, map(shutil.which, PROGRAMS)), None)


def install() -> str | None:
    """Install it by apt-get, as root and nowhere else. Tells what went wrong, if anything."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return f"Not here: {PACKAGE}; install it (or set {VARIABLE}) to run its tests."
    # Without its service: the tests start servers of their own.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    get = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    for step in ([*get, "update"], [*get, "install", "-y", "--no-install-recommends", PACKAGE]):
        done = subprocess.run(step, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"{' '.join(step)} failed: {done.stderr.strip()[-500:]}"
    return None


def main() -> int:
    problem = None if find() else install()
    print(find() or "no redis-server")
    if find() is None:
        print(problem, file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
