"""How much a model is sent and may answer, and how long that may take."""

from __future__ import annotations

from typing import Final

CALL_S: Final = 60.0  # one answer
CALLS_AT_ONCE: Final = 5  # of one process
OUTPUT_TOKENS: Final = 2000  # of one answer, thinking included

TEXT_CHARACTERS: Final = 20_000  # of one document; what a summary of a few sentences can take in
PAGE_TITLE_CHARACTERS: Final = 500
PAGE_CHARACTERS: Final = 600  # of each document where there are many
PAGES: Final = 120  # documents of one question; the built-in engine takes more
RESPONSE_BYTES: Final = 4 * 2**20  # of one HTTP answer
FRAMING_TOKENS: Final = 300  # a chat's own markers, beside the bytes of what it says

ASKING_SLACK_S: Final = 15.0  # for loading a library, before others may ask the same
RESERVATION_SLACK_S: Final = 60.0  # between the longest answer and calling it lost
PATIENCE_S: Final = 120.0  # for tokens that other calls hold
ANSWERS_KEPT_DAYS: Final = 7
