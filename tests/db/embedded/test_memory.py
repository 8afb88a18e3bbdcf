"""The database keeps its pages in a share of the memory there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindhit.db.embedded import memory
from mindhit.db.embedded.memory import LEAST, MB, MOST


@pytest.mark.parametrize(
    ("there_is", "kept"),
    [(0, LEAST), (512 * MB, LEAST), (2_048 * MB, 256 * MB), (4_096 * MB, 512 * MB), (2**40, MOST)],
)
def test_it_is_an_eighth_of_the_memory_within_bounds(
    monkeypatch: pytest.MonkeyPatch, there_is: int, kept: int
) -> None:
    monkeypatch.setattr(memory, "memory", lambda: there_is)
    assert memory.shared_buffers() == kept


def test_a_container_has_what_it_may_use(tmp_path: Path) -> None:
    whole = memory.memory(())
    assert whole > 0
    said = tmp_path / "memory.max"
    for text, expected in (("268435456\n", 256 * MB), ("max\n", whole), (f"{whole * 2}\n", whole)):
        said.write_text(text)
        assert memory.memory((said, tmp_path / "missing")) == expected
