"""Copies of the project that a test may break, and Python inside them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_LEFT_OUT: Final = shutil.ignore_patterns("static", "node_modules", "new_slice")


def copy_project(to: Path, *names: str) -> None:
    """Folders and files of the project, by their names; what is compiled already need not be compiled again."""
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=_LEFT_OUT)
        else:
            shutil.copy(ROOT / name, to / name)


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in the copy, with the copy's package in front of the installed one."""
    left_out = ("PYTEST_", "PYTHONDONTWRITEBYTECODE")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**environment, "PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def lint(copy: Path) -> subprocess.CompletedProcess[str]:
    """The import contracts."""
    return run(
        copy, "-c", "from importlinter.cli import lint_imports_command as c; c(['--no-cache'])"
    )
