"""One PostgreSQL for the whole run, one database of its own for every test that asks.

The controller starts the server and hands its address to the xdist workers; each worker migrates
one template and clones it per test (about 20 ms), so tests neither wait for nor see each other.
Files are kept in memory where there is enough of it: on a disk a clone takes ten times as long.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import shutil
import signal
import tempfile
import uuid
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import hypothesis
import pytest
import structlog

from mindhit import work
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server

# How long an example takes says how busy the machine is.
hypothesis.settings.register_profile("mindhit", deadline=None)
hypothesis.settings.load_profile("mindhit")
collect_ignore = ["contract/new_slice"]  # part of the project only in the copy its test makes
_servers: list[Server] = []
_folders: list[Path] = []
_spent_s: defaultdict[str, float] = defaultdict(float)
TESTS = Path(__file__).parent
# What `make quick` leaves out: browsers, killed processes, copies of the whole project.
SLOW = (
    "e2e/",
    "faults/",
    "db/embedded/",
    "billing/test_metering.py",
    "cli/",
    "crawl/test_commands.py",
    "crawl/test_faults.py",
    "crawl/test_storm.py",
    "contract/test_architecture.py",
    "contract/test_new_slice.py",
    "contract/test_openapi.py",
    "fetching/test_bombs.py",
    "fetching/test_command.py",
    "fetching/test_politeness.py",
    "work/test_watchdog.py",
    "work/test_nothing_left_undone.py",
)
MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 4 * 2**30
LIMIT_S = float(
    os.environ.get("MINDHIT_TEST_LIMIT_S", "300")
)  # of one test; the slowest takes a fifth


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ENOUGH_BYTES:
        scratch = _folder(MEMORY)
        os.environ["TMPDIR"] = str(scratch)  # of this process, the workers, and what they start
        tempfile.tempdir = None
    server = Server(_folder(None), min_free_bytes=0)
    server.start()
    _servers.append(server)
    os.environ["MINDHIT_TEST_SERVER"] = server.url


def _folder(within: Path | None) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="mindhit-tests-", dir=within))
    folder.chmod(0o755)
    _folders.append(folder)
    return folder


def pytest_unconfigure() -> None:
    while _servers:
        server = _servers.pop()
        if server.layout:
            _folders.append(server.layout.home)
        server.stop()
    while _folders:
        shutil.rmtree(_folders.pop(), ignore_errors=True)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: fault tests wait for leases and timeouts to pass."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Every item under a name of its own. Schemathesis gives all operations of a test one id, and
    a distributed run takes items with one id for one item: it ran the first of them and no other,
    without a word."""
    for item in items:
        if str(item.path.relative_to(TESTS)).startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        if type(item).__name__ == "SchemathesisFunction" and item.id.params is None:
            item._id = item.id.with_params(item.name.partition("[")[2].removesuffix("]"))
        if (group := item.get_closest_marker("xdist_group")) is not None:
            keep_together(config, item, group.args[0])
    twice = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    assert not twice, f"these would be run once and reported as all: {twice}"


def keep_together(config: pytest.Config, item: pytest.Item, group: str) -> None:
    """All of a group on one worker of a distributed run. The group is part of the name: pytest 9.2
    does not look where pytest-xdist 3.8 writes what `xdist_group` says."""
    if hasattr(config, "workerinput"):
        item._id = item.id.parse(f"{item.nodeid}@{group}")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    file = report.nodeid.partition("::")[0].removeprefix("tests/")
    folder, _, rest = file.partition("/")
    _spent_s[folder if rest else "other"] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Where the time goes: a part of the product has about 90 seconds."""
    terminalreporter.section("seconds by folder, of all workers together")
    for folder, spent_s in sorted(_spent_s.items(), key=lambda item: -item[1]):
        terminalreporter.write_line(f"{spent_s:8.0f}  {folder}")


def with_database(url: str, name: str) -> str:
    return url.replace("@/mindhit?", f"@/{name}?")


async def execute(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def drop(url: str, name: str) -> None:
    """Autovacuum may be working on it for a moment, and we cannot end that."""
    while True:
        try:
            await execute(url, f"drop database {name} with (force)")
        except (asyncpg.InsufficientPrivilegeError, asyncpg.ObjectInUseError):
            await asyncio.sleep(0.1)
        else:
            return


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """A test may send logs elsewhere. Left so, they'd go to a stream that is closed by then."""
    root = logging.getLogger()
    handlers, level, config = root.handlers[:], root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**config)


@pytest.fixture(scope="session")
def server_url() -> str:
    """The run's PostgreSQL, its maintenance database."""
    return os.environ["MINDHIT_TEST_SERVER"]


@pytest.fixture(scope="session")
def template(server_url: str) -> str:
    """Name of a migrated database that nobody is connected to."""
    name = f"template_{uuid.uuid4().hex[:12]}"
    asyncio.run(execute(server_url, f"create database {name}"))
    asyncio.run(migrate.migrate(with_database(server_url, name)))
    return name


@contextmanager
def clone(server_url: str, template: str) -> Iterator[str]:
    name = f"test_{uuid.uuid4().hex[:12]}"
    # Copied file by file: through the log, which is PostgreSQL's own choice, takes six times as long.
    make = f"create database {name} template {template} strategy file_copy"
    asyncio.run(execute(server_url, make))
    yield with_database(server_url, name)
    asyncio.run(drop(server_url, name))


@pytest.fixture
def database_url(server_url: str, template: str) -> Iterator[str]:
    """A fresh migrated database for one test."""
    with clone(server_url, template) as url:
        yield url


@pytest.fixture(scope="module")
def module_database_url(server_url: str, template: str) -> Iterator[str]:
    """One for a whole module, for tests that start a server on it."""
    with clone(server_url, template) as url:
        yield url


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    database = await Database.open(database_url, name="test", size=10)
    yield database
    await database.close()


@contextmanager
def time_limit() -> Iterator[None]:
    """Fails a test that hangs, and says where. An exception may end up in a task that nobody awaits:
    then there is another a few seconds later. What not even that can interrupt, ends the worker."""

    def fail(_number: int, _frame: object) -> None:
        pytest.fail(f"still running after {LIMIT_S:.0f} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S, 5)
    faulthandler.dump_traceback_later(LIMIT_S + 60, exit=True)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    with time_limit():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    with time_limit():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    with time_limit():
        yield


@pytest.fixture(autouse=True)
def _no_wiring() -> Iterator[None]:
    """Tests load the wiring they mean; none leaks into the next."""
    work.install(None)
    yield
    work.install(None)
