"""Kinds of fields that several of the library's routes have."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field, StringConstraints

from mindhit.api.http.fields import storable
from mindhit.library.model import (
    LONGEST_ADDRESS,
    LONGEST_NAME,
    LONGEST_NOTE,
    LONGEST_TAG,
    LONGEST_TITLE,
    MOST_TAGS,
)

_NO_NUL: Final = r"^[^\x00]*$"


def _line(text: str) -> str:
    return " ".join(text.split())


_Text = AfterValidator(storable)
FolderName = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=LONGEST_NAME, pattern=_NO_NUL
    ),
    _Text,
    AfterValidator(_line),
]
Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_TITLE, pattern=_NO_NUL),
    _Text,
    AfterValidator(_line),
]
Note = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_NOTE, pattern=_NO_NUL),
    _Text,
    AfterValidator(lambda text: "\n".join(text.splitlines())),
]
Address = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=LONGEST_ADDRESS, pattern=_NO_NUL
    ),
    _Text,
]
Tag = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=LONGEST_TAG, pattern=r"^[^\x00,]*$"
    ),
    _Text,
    AfterValidator(_line),
]
Tags = Annotated[
    list[Tag],
    Field(max_length=MOST_TAGS),
    AfterValidator(lambda tags: list(dict.fromkeys(tags))),
]
Position = Annotated[
    float,
    Field(
        ge=-1e15,
        le=1e15,
        allow_inf_nan=False,
        description="Among the folders and pages of one folder: between those of its neighbours.",
    ),
]
