"""What a transport is: at least once on the wire; consumers tell repeats by the message's key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from mindhit.db import Tx
from mindhit.errors import Upstream


class TransportFailed(Upstream):
    """The queue service did not answer as it should."""


@dataclass(frozen=True, slots=True)
class Message:
    """One attempt of one task."""

    key: str
    user_id: UUID
    task_id: UUID
    domain: str


@dataclass(frozen=True, slots=True)
class Received:
    """A message as it came. `receipt` is what acknowledges it; `times`: how often it came."""

    body: str
    receipt: str
    times: int = 1


class Transport(Protocol):
    is_transactional: bool
    """Whether publishing belongs to the transaction it is called in."""

    async def publish(self, tx: Tx | None, messages: Sequence[Message]) -> Mapping[str, str]:
        """Key → why it was not taken, for those that were not."""
        ...

    async def close(self) -> None: ...


class Queue(Protocol):
    """What can be received from. The `postgres` transport has none: there the engine claims."""

    async def receive(self, most: int, wait_s: float) -> list[Received]: ...

    async def ack(self, received: Received) -> None: ...

    async def nack(self, received: Received, after_s: float) -> None: ...

    async def extend(self, received: Received, for_s: float) -> None: ...

    async def is_empty(self) -> bool: ...
