"""Fail when package-lock.json would not install everywhere, or names a registry.

Two defects that npm lets pass in silence:

- npm leaves an optional platform package out of the lock when the registry in use lacks it;
  `npm ci` on another machine then stops with "Missing: ... from lock file". So every optional
  dependency that is named must be in the lock.
- A `resolved` address binds every clone to the registry of whoever wrote the lock. Workspace
  links, whose `resolved` is a folder, are fine.
"""

import json
import sys
from pathlib import Path
from typing import Any

LOCK = Path(__file__).resolve().parent.parent / "package-lock.json"


def faults(lock: dict[str, Any]) -> list[str]:
    packages: dict[str, dict[str, Any]] = lock["packages"]
    names = {path.rpartition("node_modules/")[2] for path in packages}
    found = []
    for path, package in packages.items():
        shown = path or "the workspace root"
        if str(package.get("resolved", "")).startswith(("http:", "https:")):
            found.append(f"{shown} has a registry address in `resolved`")
        found += [
            f"{shown} wants the optional package {name}, which is not in the lock"
            for name in package.get("optionalDependencies", {})
            if name not in names
        ]
    return found


def main() -> int:
    found = faults(json.loads(LOCK.read_text(encoding="utf-8")))
    for fault in found:
        print(f"{LOCK.name}: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
