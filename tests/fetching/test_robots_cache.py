"""What is said when a site's rules can't be had, by the process that asked and by the next."""

from __future__ import annotations

import pytest

from mindhit.db import Database
from mindhit.fetching.answer import Answer
from mindhit.fetching.model import AddressForbidden, Permanent, Transient
from mindhit.fetching.robots.cache import Robots

URL = "https://example.org/page"


class Asked:
    """Asks nobody: fails or answers as it was told."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self.left = list(answers)

    async def __call__(self, _url: str, _most_bytes: int) -> Answer:
        answer = self.left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (Permanent(reason="its certificate is not valid"), "its certificate is not valid"),
        (Transient(reason="its name can't be resolved"), "its name can't be resolved"),
        (Answer("https://example.org/robots.txt", 503, {}), "robots.txt answered 503"),
    ],
)
async def test_the_cause_is_told_here_and_by_the_next_process(
    db: Database, failure: Answer | Exception, said: str
) -> None:
    first, second = Robots(db, Asked(failure)), Robots(db, Asked())
    for robots in (first, first, second):
        with pytest.raises(Transient) as error:
            await robots.rules_for(URL, None)
        assert said in error.value.reason
        assert "robots.txt" in error.value.reason


async def test_rules_behind_a_redirect_into_a_private_network_allow_nothing(db: Database) -> None:
    away = Answer("https://example.org/robots.txt", 302, {"Location": "https://in.example/r"})
    robots = Robots(db, Asked(away, AddressForbidden(reason="10.0.0.1")))
    with pytest.raises(Transient) as error:
        await robots.rules_for(URL, None)
    assert "private network" in error.value.reason
    assert "10.0.0.1" not in error.value.reason
