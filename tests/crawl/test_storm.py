"""A short storm: workers killed while they work, PostgreSQL killed once. `make storm` has the long one."""

from __future__ import annotations

from tests.crawl.storm import Size, storm_of
from tests.faults.storm import new_storm


async def test_a_crawl_in_a_storm_ends_as_a_calm_one() -> None:
    with new_storm() as storm:
        ended, lost, twice = await storm_of(storm, Size(kills=6, restarts=1, shops=4, things=3))
    assert (lost, twice, ended.left, ended.stuck) == (0, 0, 0, set())
    assert ended.kills_at_work > 0
    assert ended.ended_by_themselves == 0
    assert ended.tasks > 0
