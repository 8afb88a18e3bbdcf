"""Logs: one event a line, JSON for machines or colour for people, ids in every line.

`bind(request_id=…)` and `bind(job_id=…)` put a fact into every line written by the same task
from then on, also into lines that libraries write through the standard library's logging.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Literal, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor

Format = Literal["auto", "json", "console"]
Level = Literal["debug", "info", "warning", "error"]

_NONE: dict[str, object] = {}
_facts: ContextVar[dict[str, object]] = ContextVar("facts", default=_NONE)


def configure(output: Format = "auto", level: Level = "info") -> None:
    """Send our events and the libraries' records to stderr in one form.

    `auto` means colour on a terminal and JSON elsewhere.
    """
    human = sys.stderr.isatty() if output == "auto" else output == "console"
    shared = _shared_processors(human=human)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(_number(level)),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _for_people() if human else structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(_number(level))


def get(name: str) -> FilteringBoundLogger:
    return cast("FilteringBoundLogger", structlog.get_logger(name))


class bind:  # noqa: N801  used as a verb: with log.bind(job_id=…)
    """Put facts into every line of the block, across awaits, and take them out again.

    Every job passes here: structlog's own block costs eight times as much.
    """

    __slots__ = ("_before", "_facts")

    def __init__(self, **facts: object) -> None:
        self._facts = facts

    def __enter__(self) -> None:
        self._before = _facts.set(_facts.get() | self._facts)

    def __exit__(self, *_: object) -> None:
        _facts.reset(self._before)


def bound() -> Mapping[str, object]:
    """The facts that a line written now would have."""
    return _facts.get()


def _add_facts(_logger: object, _method: str, event: EventDict) -> EventDict:
    return {**_facts.get(), **event}


def _shared_processors(*, human: bool) -> list[Processor]:
    processors: list[Processor] = [
        _add_facts,
        structlog.stdlib.add_logger_name,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.StackInfoRenderer(),
    ]
    # The console renderer draws tracebacks itself; JSON needs them as one string.
    return processors if human else [*processors, structlog.processors.format_exc_info]


def _for_people() -> Processor:
    # The pretty traceback prints every frame's variables: slow, and full of other people's data.
    return structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)


def _number(level: Level) -> int:
    return logging.getLevelNamesMapping()[level.upper()]
