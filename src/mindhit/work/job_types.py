"""Job types: each kind of job is declared once, as the type of its arguments and its policy.

@job("library:enrich", attempts=2, backoff_s=(300,), key="link_id", domain="domain")
@dataclass(frozen=True, slots=True)
class EnrichLink:
    link_id: UUID
    domain: str

JOBS = {EnrichLink: enrich_link}          # exported by the slice
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import msgspec

from mindhit.work.lanes import Lane
from mindhit.work.model import UnknownKind
from mindhit.work.retry_policy import ATTEMPTS, BACKOFF_S, TIMEOUT_S, Policy

Args = TypeVar("Args")
Handler = Callable[..., Awaitable[Any]]
DEFAULT_QUEUE = "default"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of job.

    `batch` > 1: its handler gets up to that many claimed jobs at once. `discard_on`: errors after
    which a retry would be pointless; the job is dead at once.
    """

    name: str
    args: type[Any]
    policy: Policy
    queue: str = DEFAULT_QUEUE
    lane: Lane = Lane.DEFAULT
    key: tuple[str, ...] = ()
    domain: str | None = None
    batch: int = 1
    discard_on: tuple[type[Exception], ...] = ()

    def key_of(self, args: object) -> str | None:
        """Two jobs of this kind with the same key are one job. None never equals another: the kind
        has no key, or, as in SQL, a part of it is None."""
        values = [getattr(args, field) for field in self.key]
        if not values or None in values:
            return None
        parts = list(map(str, values))
        # Escaped: ("a/b", "c") and ("a", "b/c") are different keys.
        return parts[0] if len(parts) == 1 else "/".join(map(_escaped, parts))

    def domain_of(self, args: object) -> str | None:
        return getattr(args, self.domain) if self.domain else None


def job(
    name: str,
    *,
    attempts: int = ATTEMPTS,
    backoff_s: Sequence[float] = BACKOFF_S,
    timeout_s: float = TIMEOUT_S,
    queue: str = DEFAULT_QUEUE,
    lane: Lane = Lane.DEFAULT,
    key: str | Sequence[str] = (),
    domain: str | None = None,
    batch: int = 1,
    discard_on: Sequence[type[Exception]] = (),
) -> Callable[[type[Args]], type[Args]]:
    """Declare a frozen dataclass of arguments as a kind of job."""
    policy = Policy(attempts, tuple(backoff_s), timeout_s)
    keys = (key,) if isinstance(key, str) else tuple(key)

    def declare(args: type[Args]) -> type[Args]:
        if attempts < 1:
            raise ValueError(f"{name} needs at least one attempt")
        if not dataclasses.is_dataclass(args):
            raise TypeError(f"{args.__name__} must be a dataclass to be a kind of job")
        fields = {field.name for field in dataclasses.fields(args)}
        if missing := {*keys, *([domain] if domain else [])} - fields:
            raise TypeError(f"{args.__name__} has no field {', '.join(sorted(missing))}")
        _declared[args] = Kind(
            name, args, policy, queue, lane, keys, domain, batch, tuple(discard_on)
        )
        return args

    return declare


def kind_of(args: type[Any]) -> Kind:
    try:
        return _declared[args]
    except KeyError:
        raise UnknownKind(f"{args.__name__} was never declared with @job") from None


class Known(NamedTuple):
    """A kind that a worker can run, its handler, and the decoder of its arguments."""

    kind: Kind
    handler: Handler
    decode: Callable[[str], Any]


class Registry:
    """The kinds a worker can run, by name, each with its handler."""

    def __init__(
        self,
        jobs: Mapping[type[Any], Handler],
        policies: Callable[[Kind], Policy] = lambda kind: kind.policy,
    ) -> None:
        self._by_name: dict[str, Known] = {}
        for args, handler in jobs.items():
            kind = dataclasses.replace(kind_of(args), policy=policies(kind_of(args)))
            if kind.name in self._by_name:
                raise ValueError(f"two handlers for the kind {kind.name}")
            self._by_name[kind.name] = Known(kind, handler, msgspec.json.Decoder(args).decode)

    def find(self, name: str) -> Known | None:
        return self._by_name.get(name)

    async def close(self) -> None:
        """Release what handlers hold beyond a job: processes, connections. Those have a `close`."""
        for known in self._by_name.values():
            close = getattr(known.handler, "close", None)
            if close is not None:
                await close()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(known.kind for known in self._by_name.values())


def _escaped(part: str) -> str:
    return part.replace("%", "%25").replace("/", "%2F")


_declared: dict[type[Any], Kind] = {}
