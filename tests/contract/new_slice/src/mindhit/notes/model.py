"""A note, and what can be wrong with one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.errors import Invalid


@dataclass(frozen=True, slots=True)
class Note:
    id: int
    text: str
    created_at: datetime


class NoteTooLong(Invalid):
    """A note is one short line."""
