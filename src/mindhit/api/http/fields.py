"""Kinds of fields that requests of several slices have."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, StringConstraints
from pydantic_core import PydanticCustomError

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# Line breaks, and characters that reverse text or hide in it: people decide by what a name shows.
_UNFIT: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS: Final = "\u200c\u200d"  # Persian words and families of emoji have them


def _one_line(name: str) -> str:
    if any(unicodedata.category(each) in _UNFIT and each not in _JOINERS for each in name):
        raise PydanticCustomError("one_line", "use a single line of text")
    return name


def one_line(longest: int) -> tuple[StringConstraints, BeforeValidator, AfterValidator]:
    """The rules of a text that is shown on one line, as in `Annotated[str, *one_line(100)]`."""

    def as_sent(name: object) -> object:
        """Before white space is cut off the ends: a line break there is one too many, as documented. A text
        that is too long is not looked at: it is refused for that."""
        if isinstance(name, str) and len(name := name.strip(" ")) <= longest:
            return _one_line(name)
        return name

    return (
        StringConstraints(
            strip_whitespace=True, min_length=1, max_length=longest, pattern=r"^[^\x00-\x1f]*$"
        ),
        BeforeValidator(as_sent),
        AfterValidator(_one_line),
    )


def storable(text: str) -> str:
    """JSON can have unpaired surrogates, which no database stores."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise PydanticCustomError("surrogate", "this contains an unpaired surrogate") from None
    return text


def _as_day(value: object) -> object:
    """The library would also read a number, as seconds since 1970."""
    if not isinstance(value, date) and not (isinstance(value, str) and _DAY.fullmatch(value)):
        raise PydanticCustomError("not_a_day", "use a date such as 2026-01-31")
    return value


Day = Annotated[date, BeforeValidator(_as_day)]
LONGEST_NAME: Final = 100
Name = Annotated[str, *one_line(LONGEST_NAME)]


class Accepted(BaseModel):
    """Accepted; the work is done after the answer, or an email follows."""
