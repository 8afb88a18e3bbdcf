"""What runs in a process of the pool: `python -m mindhit.process_pool.process MEMORY_MB`.

A call names a function and its arguments, an answer is its result or what it raised, both as MessagePack
of the types that the function declares.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any, Final, get_type_hints

import msgspec

from mindhit.process_pool.serving import serve


class Call(msgspec.Struct, array_like=True):
    module: str
    function: str
    arguments: list[Any]


class Result(msgspec.Struct, array_like=True):
    """Of the two, one; `value` is decoded as what the function declares."""

    value: msgspec.Raw = msgspec.Raw(b"\xc0")
    error: str | None = None


_ENCODER: Final = msgspec.msgpack.Encoder()


def types_of(function: Callable[..., Any]) -> tuple[list[Any], Any]:
    """What a function takes and what it returns, as it declares."""
    hints = get_type_hints(function)
    returned = hints.pop("return")
    return list(hints.values()), returned


def answer(message: bytes) -> bytes:
    call = msgspec.msgpack.decode(message, type=Call)
    try:
        function = getattr(importlib.import_module(call.module), call.function)
        taken, _ = types_of(function)
        arguments = map(msgspec.convert, call.arguments, taken)
        result = Result(msgspec.Raw(_ENCODER.encode(function(*arguments))))
    except MemoryError:
        os._exit(1)  # nothing can be trusted after it
    except Exception as error:  # noqa: BLE001  the caller decides what it means
        result = Result(
            error=f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()
        )
    return _ENCODER.encode(result)


def limit_memory(memory_mb: int) -> None:
    try:
        import resource  # noqa: PLC0415  not on every platform
    except ImportError:
        return
    limit = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    if memory_mb := int(sys.argv[1]):
        limit_memory(memory_mb)
    serve(answer)
