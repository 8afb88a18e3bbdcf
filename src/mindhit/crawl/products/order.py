"""In which order raws are applied: MINI_SHOP, DETAIL, OPTION, of the same run or a later one. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from mindhit.crawl.model import Stage

ORDER: Final = (Stage.MINI_SHOP, Stage.DETAIL, Stage.OPTION)


class Raw(Protocol):
    @property
    def type(self) -> str: ...
    @property
    def follows(self) -> str | None: ...
    @property
    def run_at(self) -> datetime: ...
    @property
    def created_at(self) -> datetime: ...


AnyRaw = TypeVar("AnyRaw", bound=Raw)


class Turn(StrEnum):
    NOW = "now"
    WAITS = "waits"  # for what it follows
    OLD = "old"  # something newer of its kind was applied


@dataclass(slots=True)
class Applied:
    """When the newest raw of each kind that was applied had come; None: none yet."""

    mini_shop_at: datetime | None = None
    detail_at: datetime | None = None
    option_at: datetime | None = None

    def of(self, stage: str) -> datetime | None:
        at: datetime | None = getattr(self, f"{stage.lower()}_at")
        return at

    def apply(self, raw: Raw) -> None:
        setattr(self, f"{raw.type.lower()}_at", raw.created_at)


def in_order(raws: Iterable[AnyRaw]) -> list[AnyRaw]:
    return sorted(raws, key=lambda each: (ORDER.index(Stage(each.type)), each.created_at))


def turn_of(raw: Raw, applied: Applied) -> Turn:
    """A raw waits until one of the kind it follows was applied that is not older than its own run."""
    newest = applied.of(raw.type)
    if newest is not None and newest > raw.created_at:
        return Turn.OLD
    if raw.follows is not None:
        before = applied.of(raw.follows)
        if before is None or before < raw.run_at:
            return Turn.WAITS
    return Turn.NOW
