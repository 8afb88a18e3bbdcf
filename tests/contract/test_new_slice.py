"""A slice is added to a copy of the project: what must be edited is what CONTRIBUTING says, and every
contract (statements, imports, isolation, export, erasure, settings, OpenAPI) covers the new one.

The example lies in `new_slice/`, as it would in the project: a table, a job, routes, a setting, an export.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.copies import ROOT, copy_project, lint, run

EXAMPLE = Path(__file__).with_name("new_slice")

# Existing file → what a new slice changes in it. Generated files do not count.
EDITS: dict[str, Callable[[str], str]] = {
    "pyproject.toml": lambda text: text.replace('  "library",\n', '  "library",\n  "notes",\n'),
    "src/mindhit/wiring.py": lambda text: text.replace(
        "from mindhit import (\n", "from mindhit import (\n    notes,\n"
    ).replace("SLICES: Final = (\n", "SLICES: Final = (\n    notes.SLICE,\n"),
    "src/mindhit/api/app.py": lambda text: text.replace(
        "from mindhit.api import (\n", "from mindhit.api import (\n    notes,\n"
    ).replace("    about.router,\n", "    about.router,\n    notes.router,\n"),
    "ARCHITECTURE.md": lambda text: text.replace(
        "| `accounts` |", "| `notes` | one line of text each |\n| `accounts` |"
    ),
}
STATEMENTS = "tests/contract/test_statements.py"
ISOLATION = "tests/contract/test_isolation.py"
EXPORTS = "tests/contract/test_exports.py"
LEAVING = "tests/accounts/test_leaving.py::test_a_person_who_leaves_is_nowhere"
COPIED = ("src", "tests", "tools", "docs", "clients/ts", "pyproject.toml", "ARCHITECTURE.md")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with the slice in it."""
    copied = tmp_path_factory.mktemp("project")
    copy_project(copied, *COPIED)
    newest = max(
        int(file.name[:4]) for file in (copied / "src/mindhit/db/migrations").glob("*.sql")
    )
    for file in EXAMPLE.rglob("*.*"):
        if file.is_dir() or file.suffix == ".pyc":
            continue
        name = str(file.relative_to(EXAMPLE)).replace("NNNN", f"{newest + 1:04}")
        assert not (copied / name).exists(), f"{name} is no new file"
        (copied / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copied / name)
    for name, edit in EDITS.items():
        before = (copied / name).read_text(encoding="utf-8")
        assert edit(before) != before, f"the edit of {name} does not apply any more"
        (copied / name).write_text(edit(before), encoding="utf-8")
    done = run(copied, "-m", "tools.generated")
    assert done.returncode == 0, done.stdout + done.stderr
    return copied


def test_what_is_edited_is_what_contributing_says() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\d\. `([^`]+)`:", text, re.MULTILINE)
    assert listed == list(EDITS)
    assert len(listed) <= 5


def test_the_new_slice_keeps_the_direction_of_imports(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout


def test_every_contract_covers_the_new_slice(copy: Path) -> None:
    done = run_tests(
        copy,
        "tests/notes",
        f"{STATEMENTS}::test_every_statement_prepares_and_fills_its_row",
        f"{STATEMENTS}::test_slices_write_their_own_tables_and_read_downwards",
        f"{STATEMENTS}::test_statements_on_peoples_data_are_limited_to_one_person",
        f"{STATEMENTS}::test_every_table_has_an_owner_that_exists",
        f"{STATEMENTS}::test_statements_stand_where_the_rules_find_them",
        ISOLATION,
        EXPORTS,
        LEAVING,
        "tests/test_settings.py",
        "tests/test_slices.py",
    )
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize(
    ("file", "old", "new", "test"),
    [
        ("src/mindhit/notes/store.py", "delete from notes where user_id = $1", "delete from notes where user_id = $1 and false", LEAVING),
        ("src/mindhit/notes/store.py", "from notes where user_id = $1 and id > $2", "from notes where $1::uuid is not null and id > $2", f"{ISOLATION}::test_no_key_of_eves_opens_anything_of_adas"),
        ("src/mindhit/notes/__init__.py", '    exports={"notes": _store.EXPORT},\n', "", EXPORTS),
    ],
)  # fmt: skip
def test_what_the_new_slice_forgets_is_noticed(
    copy: Path, file: str, old: str, new: str, test: str
) -> None:
    text = (copy / file).read_text(encoding="utf-8")
    assert old in text
    (copy / file).write_text(text.replace(old, new), encoding="utf-8")
    try:
        assert run_tests(copy, test).returncode == 1
    finally:
        (copy / file).write_text(text, encoding="utf-8")


def run_tests(copy: Path, *names: str) -> subprocess.CompletedProcess[str]:
    return run(copy, "-m", "pytest", "-n", "0", "-x", *names)
