"""A folder that the database's own account can enter: pytest's tmp_path is for its owner alone."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def place() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="mh-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)
