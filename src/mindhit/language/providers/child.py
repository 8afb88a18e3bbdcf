"""The child process of `testing.py`: reads what to ask from standard input, writes what was answered."""

from __future__ import annotations

import asyncio
import sys

import msgspec

from mindhit.language.providers.calling import call
from mindhit.language.providers.model import ModelFailed
from mindhit.language.providers.testing import Answered, Asked


def main() -> None:
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Asked)
    try:
        answer = asyncio.run(
            call(asked.provider, asked.question, timeout_s=asked.timeout_s, most=asked.most)
        )
        said = Answered(answer=answer)
    except ModelFailed as failed:
        said = Answered(reason=str(failed.reason))
    sys.stdout.buffer.write(msgspec.json.encode(said))


if __name__ == "__main__":
    main()
