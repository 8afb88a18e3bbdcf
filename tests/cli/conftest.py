"""Data directories for processes, gone again afterwards wherever their database ended up."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindhit.db import embedded


@pytest.fixture
def data_dir() -> Iterator[Path]:
    # Not tmp_path: its parents are 0700, and then root's database goes to /var/lib.
    folder = Path(tempfile.mkdtemp(prefix="mindhit-up-"))
    folder.chmod(0o755)
    yield folder / "data"
    cluster = embedded.status(folder / "data").cluster
    for leftover in {folder, cluster.parent if cluster else folder}:
        shutil.rmtree(leftover, ignore_errors=True)
