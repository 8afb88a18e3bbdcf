"""A short storm: workers killed at random, PostgreSQL killed once. `make storm` has the long one."""

from __future__ import annotations

from tests.crawl.storm import storm_of
from tests.faults.storm import new_storm


async def test_a_crawl_in_a_storm_ends_as_a_calm_one() -> None:
    with new_storm() as storm:
        found = await storm_of(storm, kills=6, restarts=1, things=4)
    assert (found["lost"], found["twice"], found["left"]) == (0, 0, 0)
    assert found["tasks"] > 0
