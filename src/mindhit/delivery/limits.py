"""How much of everything: channels of a person, lengths of texts, how long sending takes."""

from __future__ import annotations

from typing import Final

CHANNELS: Final = 20  # of one person
SUBSCRIPTIONS: Final = 20  # browsers of one person; of more, the oldest goes
TITLE: Final = 2000  # characters
BODY: Final = 2000
URL: Final = 4000
NAME: Final = 100

SEND_S: Final = 15.0  # until a service must have answered
ANSWER_BYTES: Final = 64 * 1024  # of an answer that is read
RETRY_S: Final = (60.0, 300.0, 1800.0, 7200.0)
