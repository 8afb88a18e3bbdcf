"""Tests that mostly wait for leases and timeouts to pass, and a folder for their databases."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import keep_together

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """One after the other, beside others that compute."""
    for item in items:
        if item.path.is_relative_to(HERE):
            keep_together(config, item, "faults")


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that the database's own account can enter: pytest's tmp_path is for its owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="mh-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)
