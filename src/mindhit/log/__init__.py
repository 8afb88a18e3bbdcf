"""Logs: one event per line, JSON for machines or colour for people, ids in every line.

Text from pages and people can't break out of its line: control characters are escaped.
The environment variable `DEBUG` names loggers whose debug lines are wanted (`DEBUG=alarm`).
`bind(request_id=…)` and `bind(job_id=…)` add a fact to every line that the same task writes, also
to lines that libraries write through the standard library's logging.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from io import StringIO
from textwrap import indent
from typing import Literal, TextIO, cast

import structlog
from structlog.typing import EventDict, ExcInfo, FilteringBoundLogger, Processor

Format = Literal["auto", "json", "console"]
Level = Literal["debug", "info", "warning", "error"]

NAMESPACES = frozenset({"alarm"})  # of loggers that `DEBUG` can switch on
_NONE: dict[str, object] = {}
_facts: ContextVar[dict[str, object]] = ContextVar("facts", default=_NONE)


def configure(output: Format = "auto", level: Level = "info") -> None:
    """Send our events and the libraries' records to stderr in one format.

    `auto` means colour on a terminal and JSON elsewhere.
    """
    human = sys.stderr.isatty() if output == "auto" else output == "console"
    shared = _shared_processors(human=human)
    wanted = _debugged()
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(
            _number("debug") if wanted else _number(level)
        ),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *(_for_people() if human else [structlog.processors.JSONRenderer()]),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(_number(level))
    for name in NAMESPACES:
        logging.getLogger(name).setLevel(logging.DEBUG if name in wanted else logging.NOTSET)


def _debugged() -> frozenset[str]:
    return NAMESPACES & set(os.environ.get("DEBUG", "").replace(",", " ").split())


def get(name: str) -> FilteringBoundLogger:
    return cast("FilteringBoundLogger", structlog.get_logger(name))


class bind:  # noqa: N801  used as a verb: with log.bind(job_id=…)
    """Add facts to every line of the block, across awaits.

    Every job uses this: structlog's own context manager costs eight times as much.
    """

    __slots__ = ("_before", "_facts")

    def __init__(self, **facts: object) -> None:
        self._facts = facts

    def __enter__(self) -> None:
        self._before = _facts.set(_facts.get() | self._facts)

    def __exit__(self, *_: object) -> None:
        _facts.reset(self._before)


def bound() -> Mapping[str, object]:
    """The facts that a line written now would include."""
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


def _for_people() -> list[Processor]:
    return [_escape_controls, structlog.dev.ConsoleRenderer(exception_formatter=_traceback)]


def _escape_controls(_logger: object, _method: str, event: EventDict) -> EventDict:
    """The renderer prints strings as they are, and everything else by its `repr`."""
    return {
        name: _escaped(value, "\n" if name == "stack" else "") if isinstance(value, str) else value
        for name, value in event.items()
    }


def _traceback(output: TextIO, failure: ExcInfo) -> None:
    # The default one prints every frame's variables: slow, and full of personal data.
    plain = StringIO()
    structlog.dev.plain_traceback(plain, failure)
    # Indented, so that no line of an error's message can be mistaken for an event.
    output.write(indent(_escaped(plain.getvalue(), "\n"), "  "))


def _escaped(text: str, kept: str = "") -> str:
    """Without characters that move the cursor, set colours, end the line or change its direction."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in kept else each.encode("unicode_escape").decode()
        for each in text
    )


def _number(level: Level) -> int:
    return logging.getLevelNamesMapping()[level.upper()]
