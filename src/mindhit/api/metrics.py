"""`/metrics`: figures of every process of this tree, and of the queue itself.

Under `mindhit up` each process keeps its figures in files of one folder, and this route adds them
up; a process on its own has only its own. The queue's depth and the state of its table come from the
database when asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from ipaddress import ip_address

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.responses import Response

from mindhit import work
from mindhit.accounts import Caller, OwnerOnly, Role, Scope
from mindhit.api.access import Db, MaybeCaller
from mindhit.api.problems import documented
from mindhit.db import NOT_NOW
from mindhit.work import Stats, Upkeep

router = APIRouter(tags=["health"])


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
        **documented(OwnerOnly),
    },
)
async def metrics(request: Request, db: Db, caller: MaybeCaller) -> Response:
    if not _may_look(request, caller):
        raise OwnerOnly(way_out="Ask from the same machine, or with a token of the scope admin.")
    body = generate_latest(_processes())
    try:
        if await db.answers():
            async with db.read() as tx:
                body += generate_latest(_queue(await work.stats(tx), await work.upkeep(tx)))
    except NOT_NOW:
        pass  # the processes' own figures are worth having all the more
    return Response(body, media_type=CONTENT_TYPE_LATEST)


def _may_look(request: Request, caller: Caller | None) -> bool:
    """The owner, and whoever is on this very machine: figures tell more than they seem to, such as
    how long a mail to some address took."""
    if caller is not None and caller.role == Role.OWNER:
        return bool({Scope.WEB, Scope.ADMIN}.intersection(caller.scopes))
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _processes() -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def _queue(stats: Stats, upkeep: Upkeep) -> CollectorRegistry:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Depths(stats))
    registry.register(_Table(upkeep))
    return registry


class _Depths:
    def __init__(self, stats: Stats) -> None:
        self._stats = stats

    def collect(self) -> Iterable[GaugeMetricFamily]:
        labels = ["queue", "lane"]
        jobs = GaugeMetricFamily("mindhit_jobs", "Jobs by state.", labels=[*labels, "state"])
        oldest = GaugeMetricFamily(
            "mindhit_oldest_ready_seconds", "Age of the oldest job that could run.", labels=labels
        )
        for depth in self._stats.depths:
            place = [depth.queue, depth.lane]
            for state in ("ready", "waiting", "running", "dead"):
                jobs.add_metric([*place, state], getattr(depth, state))
            oldest.add_metric(place, depth.oldest_ready_s or 0.0)
        return [jobs, oldest]


class _Table:
    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep

    def collect(self) -> Iterable[GaugeMetricFamily]:
        return [
            GaugeMetricFamily(
                "mindhit_oldest_transaction_seconds",
                "Age of the oldest transaction that keeps vacuum from clearing up behind it.",
                self._upkeep.oldest_transaction_s,
            ),
            GaugeMetricFamily(
                "mindhit_jobs_dead_tuples",
                "Rows of the queue's table that are gone and not cleared away.",
                self._upkeep.dead_tuples,
            ),
        ]
