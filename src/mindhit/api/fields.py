"""What several routes are sent, and how much of it is let in before anybody looks closer."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, StringConstraints
from pydantic_core import PydanticCustomError

# Line ends, and what turns text around or hides in it: a name is shown to be agreed to.
_UNFIT: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def _one_line(name: str) -> str:
    if any(unicodedata.category(letter) in _UNFIT for letter in name):
        raise PydanticCustomError("one_line", "a name is one line of letters")
    return name


Email = Annotated[str, StringConstraints(max_length=320, pattern=r"^[^\x00-\x1f]*$")]
Password = Annotated[str, StringConstraints(max_length=1000)]
Token = Annotated[str, StringConstraints(max_length=200)]
Name = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]*$"
    ),
    AfterValidator(_one_line),
]


# What a person calls a session: one line, as the seed's VARCHAR(255) has it.
Title = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=255, pattern=r"^[^\x00-\x1f]*$"
    ),
    AfterValidator(_one_line),
]


class Address(BaseModel):
    email: Email


class Accepted(BaseModel):
    """Taken; what follows happens behind the answer, or comes by mail."""
