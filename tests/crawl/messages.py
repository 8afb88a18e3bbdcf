"""100,000 messages that come several times, late and shuffled, beside a serial run; `make storm`.

    python -m tests.crawl.messages [--quick] [--json FILE]

crawl_messages     that were delivered, of one crawl of all shops (wire.py)
crawl_differences  rows of products with their options, history, notices and tasks that differ from those of a
                   serial run, and tasks that succeeded twice
"""

from __future__ import annotations

import asyncio
import random
import sys
import time

from bench.figures import Options, Report, exactly, read_options
from mindhit import log
from mindhit.db import Database
from tests.crawl.farm import Shop
from tests.crawl.kit import open_shops, run
from tests.crawl.storm import Ended, calm, shops, watch_all
from tests.crawl.wire import Wire, crawl_over
from tests.faults.storm import Storm, new_storm

AT_ONCE = 2000


async def differences(storm: Storm, farm: list[Shop], wire: Wire) -> int:
    serial = await calm(storm, farm, 1)
    db = await Database.open(await storm.database("wire"), size=4)
    ada, schedules = await watch_all(db, farm)
    for each in schedules:
        await run(db, ada, each)
    await crawl_over(db, wire)
    ended = Ended(1)
    await ended.look(db)
    await db.close()
    differing = (serial.rows - ended.rows) + (ended.rows - serial.rows)
    return differing.total() + ended.twice


async def main(options: Options) -> None:
    log.configure("console", "error")
    began = time.monotonic()
    farm = shops(4, 5) if options.quick else shops(20, 10)
    wire = Wire(random.Random(7), copies=4 if options.quick else 160, at_once=AT_ONCE)
    with new_storm() as storm:
        async with open_shops(*farm):
            differing = await differences(storm, farm, wire)
    report = Report("Crawl messages")
    report.settings |= {"shops": len(farm), "things": len(farm[0].things)}
    report.settings["minutes"] = round((time.monotonic() - began) / 60, 1)
    report.add("crawl_messages", wire.delivered)
    report.add("crawl_differences", differing, exactly(0))
    report.close(options)


if __name__ == "__main__":
    asyncio.run(main(read_options(sys.modules[__name__].__doc__ or "")))
