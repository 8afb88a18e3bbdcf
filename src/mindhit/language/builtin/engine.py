"""Which engine this is: its version, and what it can't do on this machine."""

from __future__ import annotations

from mindhit.language.builtin.words.korean import has_model
from mindhit.language.model import Engine

NAME = "builtin"
# Changed whenever the same text gives another result.
VERSION = "2"
WITHOUT_MORPHEMES = "korean-without-morphemes"
TIME_LIMIT = "time-limit"
FAILED = "engine-failed"


def engine_for(language: str) -> Engine:
    is_limited = language == "ko" and not has_model()
    return Engine(NAME, VERSION, WITHOUT_MORPHEMES if is_limited else None)
