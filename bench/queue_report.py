"""The figures of bench/queue.py, out of what its runs showed."""

import statistics
from itertools import chain
from typing import TypeAlias

from bench.figures import Report, at_least, at_most
from bench.queue_stage import Drain

SIZES = (10, 100, 500)
Shown: TypeAlias = dict[str, list[Drain]]


def middle(shown: list[Drain], what: str) -> float:
    return statistics.median(getattr(one, what) for one in shown)


def report_drains(report: Report, shown: Shown) -> None:
    for size in SIZES:
        ratio = ratio_of(shown, f"ours_{size}", f"pgqueuer_{size}")
        report.add(f"drain_vs_pgqueuer_{size}", ratio, at_least(3) if size > 10 else None)
    ratio = ratio_of(shown, "ours_100", "procrastinate_100")
    report.add("drain_vs_procrastinate_100", ratio, at_least(50))
    for size in (100, 500):
        ratio = ratio_of(shown, f"ours_{size}", f"sql_{size}")
        report.add(f"drain_vs_sql_limit_{size}", ratio, at_least(0.6))
    for size in SIZES:
        _add(report, f"drain_jobs_per_s_{size}", shown, size, "jobs_per_s")
    for size in SIZES:
        _add(report, f"worker_us_per_job_{size}", shown, size, "worker_us")
        _add(report, f"postgres_us_per_job_{size}", shown, size, "postgres_us")
    for sort in ("hosted", "settled"):
        report.add(f"drain_jobs_per_s_{sort}", middle(shown[sort], "jobs_per_s"))
        report.add(f"worker_us_per_job_{sort}", middle(shown[sort], "worker_us"))
        report.add(f"postgres_us_per_job_{sort}", middle(shown[sort], "postgres_us"))
    enqueued = {
        name: statistics.median(
            one.enqueued_per_s for key in shown if key.startswith(name) for one in shown[key]
        )
        for name in ("ours", "pgqueuer", "procrastinate")
    }
    report.add("enqueued_per_s", enqueued.pop("ours"), **enqueued)


def _add(report: Report, figure: str, shown: Shown, size: int, what: str) -> None:
    """One number of everybody's who has it at this size; the loop in SQL has no worker."""
    numbers = {
        name: middle(shown[f"{name}_{size}"], what)
        for name in ("ours", "pgqueuer", "sql", "procrastinate")
        if f"{name}_{size}" in shown and not (name == "sql" and what == "worker_us")
    }
    report.add(figure, numbers.pop("ours"), **numbers)


def ratio_of(shown: Shown, ours: str, other: str) -> float:
    """The median of the rounds' ratios: a noisy minute is in both numbers of a round."""
    pairs = zip(shown[ours], shown[other], strict=True)
    return statistics.median(a.jobs_per_s / b.jobs_per_s for a, b in pairs)


def report_pickups(report: Report, waits: dict[str, list[list[float]]]) -> None:
    medians = {name: [statistics.median(one) for one in rounds] for name, rounds in waits.items()}
    pairs = zip(medians["ours"], medians["pgqueuer"], strict=True)
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    report.add("pickup_p50_vs_pgqueuer", ratio, at_most(1))
    p50 = {name: statistics.median(all_of) for name, all_of in medians.items()}
    p99 = {
        name: statistics.quantiles(chain.from_iterable(rounds), n=100)[98]
        for name, rounds in waits.items()
    }
    report.add("pickup_p50_ms", p50.pop("ours"), **p50)
    report.add("pickup_p99_ms", p99.pop("ours"), **p99)
