"""Kinds of fields that requests of several slices have."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, StringConstraints
from pydantic_core import PydanticCustomError

# Line breaks, and characters that reverse text or hide in it: people decide by what a name shows.
_UNFIT: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def _one_line(name: str) -> str:
    if any(unicodedata.category(character) in _UNFIT for character in name):
        raise PydanticCustomError("one_line", "a name is a single line of text")
    return name


def one_line(longest: int) -> tuple[StringConstraints, AfterValidator]:
    """The rules of a text that is shown on one line, as in `Annotated[str, *one_line(100)]`."""
    return (
        StringConstraints(
            strip_whitespace=True, min_length=1, max_length=longest, pattern=r"^[^\x00-\x1f]*$"
        ),
        AfterValidator(_one_line),
    )


Name = Annotated[str, *one_line(100)]


class Accepted(BaseModel):
    """Accepted; the work is done after the answer, or an email follows."""
