"""The product's flow chart: which slices there are, and which events lead to which jobs.

Nothing is decided or done here; slices export, this file puts them together.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mindhit import (
    accounts,
    billing,
    crawl,
    delivery,
    fetching,
    insight,
    language,
    library,
    mail,
    reminders,
    settings,
    tracking,
    work,
)
from mindhit.api.settings import ApiSettings
from mindhit.db.settings import DatabaseSettings
from mindhit.settings import Sections, Settings
from mindhit.slices import Product, Slice
from mindhit.work import Kind, Policy, Registry, Wires, WorkSettings

# The engine knows nothing of slices, so this one is put together here.
ENGINE: Final = Slice(
    "work",
    settings=WorkSettings,
    jobs=lambda _: work.JOBS,
    schedules=lambda product: work.schedules(product.settings[WorkSettings].job_retention),
    erase=work.erase,
)

# Highest first: a person's rows are deleted in this order, what refers to others' rows first.
SLICES: Final = (
    insight.SLICE,
    reminders.SLICE,
    library.SLICE,
    tracking.SLICE,
    crawl.SLICE,
    language.SLICE,
    delivery.SLICE,
    fetching.SLICE,
    billing.SLICE,
    accounts.SLICE,
    mail.SLICE,
    ENGINE,
)

# event → the jobs it leads to, one per line
SUBSCRIPTIONS: Final[Mapping[type[Any], Sequence[Any]]] = {
    billing.UsageReached: (delivery.usage_reached,),
    tracking.TimelineClosed: (insight.process, library.index_session),
    tracking.SessionDescribed: (library.index_description,),
    tracking.TextDescribed: (library.index_text,),
    tracking.HighlightNoted: (library.index_highlights,),
    tracking.TextMissing: (insight.crawl,),
}

SECTIONS: Final[Sections] = (
    ApiSettings,
    *(each.settings for each in SLICES if each.settings is not None),
    DatabaseSettings,
)


def load_settings() -> Settings:
    return settings.load(SECTIONS)


def make_settings(**values: Any) -> Settings:
    """Settings from values instead of a file; the environment still wins."""
    return settings.make(SECTIONS, values)


def product(settings: Settings) -> Product:
    return Product(settings, SLICES, SUBSCRIPTIONS)


def install(product: Product) -> None:
    """Make `publish` and `enqueue` of this process know the product."""
    work.install(
        Wires(
            subscriptions=SUBSCRIPTIONS,
            events=product.events,
            policies=lambda kind: policy(product.settings, kind),
            notify=product.settings[WorkSettings].worker_notify,
        )
    )


def registry(product: Product) -> Registry:
    return Registry(product.jobs, lambda kind: policy(product.settings, kind))


def policy(settings: Settings, kind: Kind) -> Policy:
    """The declared policy with what the operator changed."""
    changed = settings[WorkSettings].job_policies.get(kind.name)
    if changed is None:
        return kind.policy
    return dataclasses.replace(kind.policy, **changed.model_dump(exclude_none=True))
