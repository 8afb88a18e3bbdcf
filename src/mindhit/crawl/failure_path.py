"""Failures of what writes failures down: counted and logged, so that none is silent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from mindhit import log
from mindhit.crawl import metrics
from mindhit.work import LeaseLost

_log = log.get(__name__)


@contextmanager
def counted(where: str, **ids: UUID) -> Iterator[None]:
    """What fails in here is raised all the same: the job fails with it, and runs again."""
    try:
        yield
    except LeaseLost:
        raise  # whoever has the job now writes it down
    except Exception:
        metrics.FAILURE_PATH.labels(where).inc()
        _log.exception(
            "failure not written down", where=where, **{name: str(id_) for name, id_ in ids.items()}
        )
        raise
