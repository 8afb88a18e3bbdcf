"""Looking up names: slow ones hold up nobody but themselves. No test asks a real resolver."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from threading import Event, Lock, Semaphore

import pytest

from mindhit.fetching import Fetcher, FetchSettings, Guard, Page, Transient
from mindhit.fetching.names import NAMES, THREADS, Found, Names
from mindhit.fetching.sessions import SystemResolver
from mindhit.language.providers import guarded_http
from tests.fetching.kit import LOOPBACK, Site, html, server

SILENT = (
    12  # names whose server does not answer: twice the threads of the default pool on two cores
)


class Lookups:
    """Names under `silent.example` are answered when the test says, others at once."""

    def __init__(self) -> None:
        self.answers = Event()
        self.running = self.most_running = 0
        self.asked: list[str] = []
        self._lock = Lock()
        self._begun = Semaphore(0)

    async def have_begun(self, count: int) -> None:
        for _ in range(count):
            await asyncio.to_thread(self._begun.acquire)

    def __call__(self, host: str, _family: int) -> Found:
        with self._lock:
            self.asked.append(host)
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        self._begun.release()
        try:
            if host.endswith("silent.example"):
                self.answers.wait()
            if host.startswith("unknown"):
                raise socket.gaierror(socket.EAI_NONAME, "no such name")
            host.encode("idna")
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
        finally:
            with self._lock:
                self.running -= 1


@pytest.fixture
def lookups() -> Iterator[Lookups]:
    made = Lookups()
    yield made
    made.answers.set()


async def test_silent_names_hold_up_neither_other_names_nor_other_threads(lookups: Lookups) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    names = Names(lookups, deadline_s=60)
    waiting = [asyncio.create_task(names.resolve(f"{n}.silent.example", 80)) for n in range(SILENT)]
    found = await names.resolve("quick.example", 443)
    assert found[0][4] == ("127.0.0.1", 443)
    assert await asyncio.to_thread(lambda: "free") == "free"
    assert not any(task.done() for task in waiting)
    lookups.answers.set()
    assert len(await asyncio.gather(*waiting)) == SILENT


async def test_pages_of_other_sites_are_fetched_meanwhile(lookups: Lookups) -> None:
    resolver = SystemResolver(Names(lookups, deadline_s=60))
    settings = FetchSettings(fetch_timeout=60, fetch_first_byte_timeout=60)
    fetcher = Fetcher(None, settings, guard=Guard([LOOPBACK]), resolver=resolver)
    async with server(Site("127.0.0.1", pages={"*": html()})) as site:
        waiting = [
            asyncio.create_task(fetcher.fetch(f"http://{n}.silent.example:{site.port}/"))
            for n in range(SILENT)
        ]
        page = await fetcher.fetch(f"http://quick.example:{site.port}/")
        assert isinstance(page, Page)
        assert not any(task.done() for task in waiting)
        lookups.answers.set()
        assert len(await asyncio.gather(*waiting)) == SILENT
    await fetcher.close()


async def test_nobody_waits_longer_than_the_deadline(lookups: Lookups) -> None:
    resolver = SystemResolver(Names(lookups, deadline_s=0.05))
    fetcher = Fetcher(None, FetchSettings(), guard=Guard([LOOPBACK]), resolver=resolver)
    with pytest.raises(Transient) as failed:
        await fetcher.fetch("http://a.silent.example/")
    assert "name can't be resolved" in failed.value.reason
    await fetcher.close()
    assert not lookups.answers.is_set()


async def test_a_name_holds_one_thread_however_often_it_is_asked_for(lookups: Lookups) -> None:
    names = Names(lookups, deadline_s=60)
    patient = asyncio.create_task(names.resolve("a.silent.example", 80))
    await lookups.have_begun(1)
    names.deadline_s = 0.01
    for _ in range(3):
        with pytest.raises(OSError, match="in time"):
            await names.resolve("a.silent.example", 80)
    assert lookups.asked == ["a.silent.example"]
    assert not patient.done()  # those who stopped waiting left the lookup to the others
    lookups.answers.set()
    assert (await patient)[0][4] == ("127.0.0.1", 80)


async def test_a_host_holds_one_thread_whatever_its_ports(lookups: Lookups) -> None:
    names = Names(lookups, deadline_s=60)
    waiting = [asyncio.create_task(names.resolve("a.silent.example", port)) for port in (80, 8080)]
    await lookups.have_begun(1)
    await names.resolve("quick.example", 80)
    assert lookups.asked == ["a.silent.example", "quick.example"]
    lookups.answers.set()
    found = await asyncio.gather(*waiting)
    assert [each[0][4] for each in found] == [("127.0.0.1", 80), ("127.0.0.1", 8080)]


async def test_silent_names_of_many_jobs_hold_up_nobody_where_room_was_made(
    lookups: Lookups,
) -> None:
    jobs, deadlines = 12, 7  # as long as a resolver takes to give up, and the current one
    names = Names(lookups, deadline_s=60)
    names.make_room(jobs)
    silent = [f"{n}.silent.example" for n in range(jobs * deadlines)]
    waiting = [asyncio.create_task(names.resolve(name, 80)) for name in silent]
    assert await names.resolve("quick.example", 80)
    assert not lookups.answers.is_set()
    lookups.answers.set()
    assert len(await asyncio.gather(*waiting)) == len(silent) > THREADS


async def test_models_are_reached_when_sites_hold_every_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(NAMES, "_most", 0)
    assert await guarded_http.resolve("127.0.0.1", 80) == [ip_address("127.0.0.1")]


async def test_the_threads_are_bounded_and_what_nobody_waits_for_is_not_looked_up(
    lookups: Lookups,
) -> None:
    names = Names(lookups, threads=2, deadline_s=60)
    first = [asyncio.create_task(names.resolve(f"{n}.silent.example", 80)) for n in range(2)]
    await lookups.have_begun(2)
    names.deadline_s = 0.01
    late = [names.resolve(f"{n}.silent.example", 80) for n in range(2, 6)]
    failed = await asyncio.gather(*late, return_exceptions=True)
    assert {type(each) for each in failed} == {OSError}
    names.deadline_s = 60
    lookups.answers.set()
    await asyncio.gather(*first, *(names.resolve(f"{n}.example", 80) for n in range(50)))
    assert lookups.most_running == 2
    silent = [name for name in lookups.asked if name.endswith("silent.example")]
    assert sorted(silent) == ["0.silent.example", "1.silent.example"]


@pytest.mark.parametrize(
    ("name", "error"), [("unknown.example", socket.gaierror), ("a" * 70 + ".example", UnicodeError)]
)
async def test_what_the_system_says_is_told_to_everybody_who_asked(
    lookups: Lookups, name: str, error: type[Exception]
) -> None:
    names = Names(lookups)
    for _ in range(2):
        with pytest.raises(error):
            await names.resolve(name, 80)
    assert await names.resolve("quick.example", 80)  # the thread lives on


async def test_everybody_who_asked_is_told_by_an_error_of_their_own(lookups: Lookups) -> None:
    names = Names(lookups, deadline_s=60)
    asked = [asyncio.create_task(names.resolve("unknown.silent.example", 80)) for _ in range(2)]
    await lookups.have_begun(1)
    lookups.answers.set()
    one, other = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(one, socket.gaierror)
    assert isinstance(other, socket.gaierror)
    assert one is not other
    assert one.args == other.args == (socket.EAI_NONAME, "no such name")
