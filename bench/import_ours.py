"""Our side of bench/import.py, in a process of its own: one import into an empty library.

python bench/import_ours.py DSN FILE     prints {"seconds", "peak_mb", "distinct", "pages"}
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import json
import resource
import time
from collections.abc import AsyncIterator
from uuid import UUID

import uvloop

from mindhit import accounts, library, log, wiring
from mindhit.accounts import Origin
from mindhit.db import Database, Query

COUNTS = Query(
    int, "select count(distinct url_id) from pages where user_id = $1 and url_id is not null"
)


async def parts(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as body:
        while part := body.read(library.PART_BYTES):
            yield part


async def main(dsn: str, file: Path) -> None:
    log.configure("json", "warning")
    wiring.install(wiring.product(wiring.make_settings()))
    db = await Database.open(dsn, size=4)
    async with db.transaction() as tx:
        person = await accounts.add_person(
            tx, f"{time.time_ns()}@example.org", password_hash=None, origin=Origin()
        )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    user_id: UUID = person.id
    async with db.transaction() as tx:
        job = await library.receive(tx, user_id, parts(file))
    await library.run_import(db, user_id, library.ImportId(job.id))
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    [distinct] = await db.alone(COUNTS, user_id)
    async with db.read() as tx:
        done = await library.show_import(tx, user_id, library.ImportId(job.id))
    await db.close()
    told = {
        "seconds": seconds,
        "peak_mb": (after - before) / 1024,
        "distinct": distinct,
        "pages": done.added_items,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], Path(sys.argv[2])))
