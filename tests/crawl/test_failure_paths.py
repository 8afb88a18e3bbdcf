"""Row 9 of the fault table: failures that can't be written down are counted, logged, and raise an alert."""

from __future__ import annotations

import re
import subprocess
import sys

from structlog.testing import capture_logs

from mindhit.accounts import Person
from mindhit.crawl import metrics
from mindhit.db import Database
from tests.crawl.crashing import ROOT
from tests.crawl.farm import Shop
from tests.crawl.kit import (
    config,
    crawl_all,
    later,
    open_shops,
    relay,
    rows,
    run,
    states,
    sweep,
    watch,
    work_off,
)

TOLD = "failure not written down"


async def refuse(db: Database, table: str, status: str) -> None:
    """The database refuses this change, for real."""
    await rows(
        db,
        """
        create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'no'; end $$""",
    )
    await rows(
        db,
        f"create trigger refuse before update on {table} for each row"
        f" when (new.status = '{status}') execute function refuse()",
    )


def failures(where: str) -> float:
    return float(metrics.FAILURE_PATH.labels(where)._value.get())


async def test_a_failure_that_cannot_be_written_down_is_counted_and_tried_again(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.39").add("clock")
    shop.fault = "500"
    await refuse(db, "crawl_tasks", "RETRY")
    before = failures("execute")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("clock"))
        await run(db, ada, schedule)
        with capture_logs() as logged:
            await work_off(db)
        assert failures("execute") == before + 1
        assert TOLD in [each["event"] for each in logged]
        assert await states(db) == {("DETAIL", "RUNNING"): 1}
        await rows(db, "drop trigger refuse on crawl_tasks")
        await later(db, seconds=61)
        await work_off(db)
    [task] = await rows(db, "select status, retry_count from crawl_tasks")
    assert tuple(task) == ("RETRY", 1)
    executions = await rows(db, "select status, error from crawl_executions order by started_at")
    assert [each["status"] for each in executions] == ["FAILED", "FAILED"]
    assert executions[0]["error"] == "the worker was killed"


async def test_a_failure_of_the_relay_that_cannot_be_written_down_is_counted(
    db: Database, ada: Person
) -> None:
    down = config(crawl_transport="sqs", sqs_task_queue="x", sqs_endpoint="no address")
    await run(db, ada, await watch(db, ada, "https://shop.example/product/clock"))
    await refuse(db, "crawl_task_outbox", "FAILED")
    before = failures("relay")
    with capture_logs() as logged:
        await relay(db, down)
    assert failures("relay") == before + 1
    assert TOLD in [each["event"] for each in logged]


async def test_a_raw_that_cannot_be_put_aside_is_counted_and_tried_again(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.39").add("clock")
    async with open_shops(shop):
        await crawl_all(db, ada, await watch(db, ada, shop.product("clock")))
    await rows(
        db, "update crawled_raws set status = 'PENDING', processed_at = null, body = 'plain'"
    )
    await refuse(db, "crawled_raws", "FAILED")
    before = failures("apply")
    await later(db, seconds=200)
    with capture_logs() as logged:
        await sweep(db)
    assert failures("apply") == before + 1
    assert TOLD in [each["event"] for each in logged]
    await rows(db, "drop trigger refuse on crawled_raws")
    await later(db, seconds=200)
    await sweep(db)
    [raw] = await rows(db, "select status from crawled_raws")
    assert raw["status"] == "FAILED"


def test_what_alert_rules_count_is_there_before_it_happens() -> None:
    """Prometheus sees no increase in what appears with its first event."""
    rules = (ROOT / "deploy/prometheus-alerts.yaml").read_text()
    counted = (
        "import mindhit.crawl.metrics, prometheus_client as p; print(p.generate_latest().decode())"
    )
    shown = subprocess.run(
        [sys.executable, "-c", counted], capture_output=True, text=True, check=True
    ).stdout
    expressions = re.findall(r"expr: (.*)", rules)
    assert any("mindhit_crawl_failure_path_total" in each for each in expressions)
    for each in expressions:
        for name in re.findall(r"mindhit_\w+(?:\{[^}]*\})?", each):
            assert re.search(rf"^{re.escape(name)}.* 0\.0$", shown, re.MULTILINE), name
