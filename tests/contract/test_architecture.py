"""The direction of imports, and that breaking it is noticed: faults are planted in a copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project as it is, to be broken."""
    for name in ("src", "tests"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("static", "__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in the copy, with the copy's package in front of the installed one."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**environment, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def lint(copy: Path) -> subprocess.CompletedProcess[str]:
    return run(
        copy, "-c", "from importlinter.cli import lint_imports_command as c; c(['--no-cache'])"
    )


def plant(copy: Path, module: str, line: str) -> None:
    file = copy / "src" / "mindhit" / module
    file.write_text(file.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")


def test_the_project_keeps_its_own_rules(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "line", "rule"),
    [
        ("work/lanes.py", "import mindhit.api", "imports point downwards"),
        ("urls/model.py", "import mindhit.errors", "imports point downwards"),
        ("work/lanes.py", "import asyncpg", "only db knows the driver"),
        ("cli/output.py", "import fastapi", "only api knows the web framework"),
        ("api/about.py", "from mindhit.work import store", "the store of work is its own"),
        ("api/about.py", "import mindhit.work.store.settling", "the store of work is its own"),
    ],
)
def test_a_planted_import_is_found(copy: Path, module: str, line: str, rule: str) -> None:
    plant(copy, module, line)
    done = lint(copy)
    assert done.returncode != 0
    assert f"{rule} BROKEN" in done.stdout


def test_a_new_top_level_module_needs_a_layer(copy: Path) -> None:
    (copy / "src" / "mindhit" / "helpers.py").write_text('"""Planted."""\n')
    done = lint(copy)
    assert done.returncode != 0
    assert "helpers" in done.stdout + done.stderr


def test_a_planted_statement_on_anothers_table_is_found(copy: Path) -> None:
    statement = (
        "PLANTED = __import__('mindhit.db').db.Write(int, 'delete from jobs returning id::int')"
    )
    plant(copy, "api/about.py", statement)
    done = run(copy, "-m", "pytest", "-n", "0", "-x", "tests/contract/test_statements.py")
    assert done.returncode != 0
    assert "mindhit.api.about.PLANTED writes jobs, which is work's" in done.stdout


def test_every_store_is_protected() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    protected = {
        module
        for contract in project["tool"]["importlinter"]["contracts"]
        for module in contract.get("protected_modules", ())
    }
    stores = {
        f"mindhit.{file.parent.name}.store"
        for file in (ROOT / "src" / "mindhit").glob("*/store*")
        if file.name == "store.py" or (file / "__init__.py").exists()
    }
    assert stores
    assert stores <= protected
