"""Kinds of jobs, declared once: a type for the arguments, and the policy that goes with it.

@job("library:enrich", attempts=2, backoff_s=(300,), key="link_id", domain="domain")
@dataclass(frozen=True, slots=True)
class EnrichLink:
    link_id: UUID
    domain: str

JOBS = {EnrichLink: enrich_link}          # exported by the slice, listed in wiring
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import msgspec

from mindhit.work.model import Lane, UnknownKind

Args = TypeVar("Args")
Handler = Callable[..., Awaitable[Any]]

ATTEMPTS = 3
BACKOFF_S = (30.0, 300.0, 1800.0)
TIMEOUT_S = 600.0  # the seed's ten minutes: the limit on one run of a handler


@dataclass(frozen=True, slots=True)
class Policy:
    """How often a kind is tried, how long it waits in between, how long one run may last."""

    attempts: int = ATTEMPTS
    backoff_s: tuple[float, ...] = BACKOFF_S
    timeout_s: float = TIMEOUT_S


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of job.

    `batch` > 1: its handler is given up to that many claimed jobs at once. `discard_on`: errors
    after which another try would be pointless; the job is dead at once.
    """

    name: str
    args: type[Any]
    policy: Policy
    queue: str = "default"
    lane: Lane = Lane.DEFAULT
    key: tuple[str, ...] = ()
    domain: str | None = None
    batch: int = 1
    discard_on: tuple[type[Exception], ...] = ()

    def key_of(self, args: object) -> str | None:
        """What makes two jobs of this kind the same one; None where they never are: without a key,
        and, as in SQL, where a part of it is not there."""
        values = [getattr(args, field) for field in self.key]
        if not values or None in values:
            return None
        parts = list(map(str, values))
        # Escaped, so that ("a/b", "c") and ("a", "b/c") stay two keys.
        return parts[0] if len(parts) == 1 else "/".join(map(_escaped, parts))

    def domain_of(self, args: object) -> str | None:
        return getattr(args, self.domain) if self.domain else None


def job(
    name: str,
    *,
    attempts: int = ATTEMPTS,
    backoff_s: Sequence[float] = BACKOFF_S,
    timeout_s: float = TIMEOUT_S,
    queue: str = "default",
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
            raise ValueError(f"{name} has to be tried at least once")
        if not dataclasses.is_dataclass(args):
            raise TypeError(f"{args.__name__} has to be a dataclass to be a kind of job")
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
    """A kind that a worker can run: who does it, and how its arguments are read."""

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

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(known.kind for known in self._by_name.values())


def _escaped(part: str) -> str:
    return part.replace("%", "%25").replace("/", "%2F")


_declared: dict[type[Any], Kind] = {}
