"""The product's flow chart: which slices there are, who runs what when, who hears whom.

Nothing is decided here and nothing is done; slices export, this file passes on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mindhit import accounts, mail, tracking, work
from mindhit.accounts import Slices
from mindhit.settings import Settings
from mindhit.work import Handler, Kind, Policy, Registry, Schedule, Wires

# What a person takes along, and how each slice forgets them; the account itself goes last.
SLICES: Final = Slices(
    export={**accounts.EXPORT, **mail.EXPORT, **tracking.EXPORT},
    erase=(tracking.erase, mail.erase, work.erase),
)

# event → what is to be done about it, one job per line
SUBSCRIPTIONS: Final[Mapping[type[Any], Sequence[Any]]] = {}


def jobs(settings: Settings) -> Mapping[type[Any], Handler]:
    return {
        **work.JOBS,
        **accounts.jobs(settings, SLICES.erase),
        **tracking.jobs(settings),
    }


def schedules(settings: Settings) -> tuple[Schedule, ...]:
    return (
        *work.schedules(settings.job_retention),
        *accounts.SCHEDULES,
        *tracking.SCHEDULES,
    )


def load(settings: Settings) -> None:
    """Make `publish` and `enqueue` of this process know the product."""
    work.install(
        Wires(
            subscriptions=SUBSCRIPTIONS,
            policies=lambda kind: _policy(settings, kind),
            notify=settings.worker_notify,
        )
    )


def registry(settings: Settings) -> Registry:
    return Registry(jobs(settings), lambda kind: _policy(settings, kind))


def _policy(settings: Settings, kind: Kind) -> Policy:
    """The declared policy with what the operator changed."""
    changed = settings.job_policies.get(kind.name)
    if changed is None:
        return kind.policy
    return dataclasses.replace(kind.policy, **changed.model_dump(exclude_none=True))
