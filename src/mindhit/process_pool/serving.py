"""The process's side: read a message, answer it, until the pipe ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import BinaryIO

from mindhit.process_pool.child import LENGTH


def serve(answer: Callable[[bytes], bytes]) -> None:
    messages, answers = _own_pipes()
    try:
        while (message := _read(messages)) is not None:
            answered = answer(message)
            answers.write(LENGTH.pack(len(answered)) + answered)
            answers.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """What a library prints must not end up among the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sys.stdin.buffer, answers


def _read(messages: BinaryIO) -> bytes | None:
    head = messages.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = messages.read(length)
    return body if len(body) == length else None
