"""A provider to ask, what it is asked and what it answers; the errors of asking.

ModelFailed            no usable answer; the next provider or the built-in engine serves
  reason               cost
  ──────────────────── ──────────────────────────────────────────────
  address-forbidden    none: the server is in a private network, or not the one that was chosen
  unreachable          none: nobody accepted the connection
  rate-limited         none: the provider says later (429)
  unavailable          none: the provider failed (5xx)
  key-refused          none: 401, 403
  model-unknown        none: 404
  request-refused      none: another 4xx
  connection-cut       unknown: sent, and no answer read
  timed-out            unknown
  unreadable           unknown: an answer that is not the provider's protocol
  refused              recorded: the model declined
  invalid              recorded: an answer that can't be used, also after it was asked again
  tokens-used-up       none: nothing was sent
  too-large-for-plan   none: nothing was sent, and smaller questions still fit
  not-in-plan          none: the person's plan has no models
  too-many-pages       none: nothing was sent, more than one question takes
  not-installed        none: the extra `models` is missing
  key-unreadable       none: the person's key was encrypted with another key
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from mindhit.billing import Payer, Tokens
from mindhit.errors import Conflict, Forbidden, Invalid, NotFound, Upstream
from mindhit.language.providers.kinds import ProviderKind


class Reason(StrEnum):
    ADDRESS_FORBIDDEN = "address-forbidden"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate-limited"
    UNAVAILABLE = "unavailable"
    KEY_REFUSED = "key-refused"
    MODEL_UNKNOWN = "model-unknown"
    REQUEST_REFUSED = "request-refused"
    CONNECTION_CUT = "connection-cut"
    TIMED_OUT = "timed-out"
    UNREADABLE = "unreadable"
    REFUSED = "refused"
    INVALID = "invalid"
    TOKENS_USED_UP = "tokens-used-up"
    TOO_LARGE_FOR_PLAN = "too-large-for-plan"
    NOT_IN_PLAN = "not-in-plan"
    TOO_MANY_PAGES = "too-many-pages"
    NOT_INSTALLED = "not-installed"
    KEY_UNREADABLE = "key-unreadable"


UNKNOWN_COST = frozenset({Reason.CONNECTION_CUT, Reason.TIMED_OUT, Reason.UNREADABLE})


@dataclass(frozen=True, slots=True)
class Provider:
    """One model, with what it takes to call it."""

    kind: ProviderKind
    model: str
    base_url: str
    payer: Payer
    key: str | None = field(repr=False)
    # Private addresses that may be connected to; None is any: the operator chose the server.
    allowed_hosts: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked: instructions of ours, and a text that is data."""

    operation: str
    version: str
    instructions: str
    text: str
    schema: Mapping[str, Any]
    # An unusable answer and what was wrong with it, when it is asked again.
    earlier: tuple[str, str] | None = None

    @property
    def bytes(self) -> int:
        parts = (self.instructions, self.text, str(self.schema), *(self.earlier or ()))
        return sum(len(part.encode("utf-8", "replace")) for part in parts)


@dataclass(frozen=True, slots=True)
class Answer:
    """`tokens` is None where the provider did not say."""

    text: str
    is_refusal: bool
    tokens: Tokens | None
    request_id: str | None


@dataclass(frozen=True, slots=True)
class OwnProvider:
    """A person's own, as it may be shown."""

    provider: str
    model: str
    base_url: str | None
    has_key: bool
    tested_at: datetime | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a text is read, and in which session; nobody for public texts. `again` names a request to
    make something again: its answers are its own, and a stored one from before doesn't serve."""

    user_id: UUID | None = None
    session_id: UUID | None = None
    again: str = ""


class ModelFailed(Upstream):
    """The language model gave no usable answer."""

    def __init__(
        self, reason: Reason, *, retry_after_s: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(reason=str(reason), status=status)
        self.reason = reason
        self.retry_after_s = retry_after_s


class OwnProviderNotFound(NotFound):
    """You haven't chosen a provider of your own."""


class OwnProvidersOff(Forbidden):
    """This server doesn't let people use providers of their own."""


class BadProvider(Invalid):
    """This provider can't be used."""


class KeyUnreadable(Conflict):
    """Your provider key can't be decrypted any more. Enter it again."""
