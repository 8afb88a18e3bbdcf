"""The direction of imports, and that breaking it is noticed: faults are planted in a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.copies import copy_project, lint, run


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project as it is, to be broken."""
    copy_project(tmp_path, "src", "tests", "pyproject.toml")
    return tmp_path


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
    test = "test_slices_write_their_own_tables_and_read_downwards"
    done = run(copy, "-m", "pytest", "-n", "0", f"tests/contract/test_statements.py::{test}")
    assert done.returncode != 0
    assert "mindhit.api.about.PLANTED writes jobs, which is work's" in done.stdout


# Prints every import of a slice's store from outside the slice: importer, imported.
STORES = """
import grimp
graph = grimp.build_graph("mindhit", cache_dir=None)
stores = {m for m in graph.modules if m.split(".")[2:3] == ["store"]}
assert stores, "no slice has a store"
for store in sorted(stores):
    slice = store.rpartition(".store")[0]
    for importer in sorted(graph.find_modules_that_directly_import(store)):
        if importer != slice and not importer.startswith(slice + "."):
            print(importer, store)
"""


def foreign_imports(copy: Path) -> list[str]:
    done = run(copy, "-c", STORES)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_store_of_every_slice_is_its_own(copy: Path) -> None:
    assert foreign_imports(copy) == []


@pytest.mark.parametrize(
    ("module", "line", "found"),
    [
        (
            "api/about.py",
            "from mindhit.work import store",
            "mindhit.api.about mindhit.work.store",
        ),
        (
            "api/about.py",
            "import mindhit.tracking.store.sessions",
            "mindhit.api.about mindhit.tracking.store.sessions",
        ),
        (
            "tracking/__init__.py",
            "from mindhit.mail.store import KEEP",
            "mindhit.tracking mindhit.mail.store",
        ),
    ],
)
def test_a_planted_import_of_anothers_store_is_found(
    copy: Path, module: str, line: str, found: str
) -> None:
    plant(copy, module, line)
    assert foreign_imports(copy) == [found]


def test_the_store_of_a_new_slice_is_its_own_without_a_line_here(copy: Path) -> None:
    walking = copy / "src" / "mindhit" / "walking"
    walking.mkdir()
    (walking / "__init__.py").write_text('"""Planted."""\nfrom mindhit.walking import store\n')
    (walking / "store.py").write_text('"""Planted."""\n')
    assert foreign_imports(copy) == []
    plant(copy, "api/about.py", "import mindhit.walking.store")
    assert foreign_imports(copy) == ["mindhit.api.about mindhit.walking.store"]
