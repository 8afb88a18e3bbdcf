"""`/metrics` for Prometheus: of all processes of this server, and of the queue.

Under `mindhit up` each process writes its metrics to files in one folder, and this route adds them
up; a process that runs alone has only its own. The queue's depth and the state of its table are
queried from the database.
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
from mindhit.api.http.authentication import OptionalCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.problems import documented
from mindhit.db import NOT_NOW
from mindhit.work import Stats, Upkeep

router = APIRouter(tags=["health"])


@router.get(
    "/metrics",
    summary="Show metrics for Prometheus",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
        **documented(OwnerOnly),
    },
)
async def metrics(request: Request, db: Db, caller: OptionalCaller) -> Response:
    if not _may_see(request, caller):
        raise OwnerOnly(
            way_out="Call from the same machine, or with a token that has the scope admin."
        )
    body = generate_latest(_processes())
    try:
        if await db.answers():
            async with db.read() as tx:
                body += generate_latest(_queue(await work.stats(tx), await work.upkeep(tx)))
    except NOT_NOW:
        pass  # the processes' own metrics matter all the more
    return Response(body, media_type=CONTENT_TYPE_LATEST)


def _may_see(request: Request, caller: Caller | None) -> bool:
    """The owner, and anybody on this machine. Metrics are not harmless: they tell, for example, how
    long an email to some address took."""
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
            "mindhit_oldest_ready_seconds",
            "Age of the oldest job that is ready to run.",
            labels=labels,
        )
        for depth in self._stats.depths:
            lane = [depth.queue, depth.lane]
            for state in ("ready", "waiting", "running", "dead"):
                jobs.add_metric([*lane, state], getattr(depth, state))
            oldest.add_metric(lane, depth.oldest_ready_s or 0.0)
        return [jobs, oldest]


class _Table:
    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep

    def collect(self) -> Iterable[GaugeMetricFamily]:
        return [
            GaugeMetricFamily(
                "mindhit_oldest_transaction_seconds",
                "Age of the oldest transaction that keeps vacuum from removing dead rows.",
                self._upkeep.oldest_transaction_s,
            ),
            GaugeMetricFamily(
                "mindhit_jobs_dead_tuples",
                "Dead rows of the queue's table that are not vacuumed yet.",
                self._upkeep.dead_tuples,
            ),
        ]
