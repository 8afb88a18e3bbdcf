"""Kinds of fields that several of the account routes have. Limits here only keep nonsense out; the
rules of addresses and passwords are in `mindhit.accounts`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, StringConstraints

Email = Annotated[str, StringConstraints(max_length=320, pattern=r"^[^\x00-\x1f]*$")]
Password = Annotated[str, StringConstraints(max_length=1000)]
Token = Annotated[str, StringConstraints(max_length=200)]


class Address(BaseModel):
    email: Email
