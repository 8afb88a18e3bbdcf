"""The word lists of `data/`: what the engine knows by heart."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def read(file: str) -> dict[str, frozenset[str]]:
    """Every list of a file, by name."""
    path = files("mindhit.language.builtin").joinpath("data").joinpath(f"{file}.toml")
    lists = tomllib.loads(path.read_text("utf-8"))
    return {name: frozenset(found.split()) for name, found in lists.items()}


def words(file: str, name: str) -> frozenset[str]:
    return read(file)[name]
