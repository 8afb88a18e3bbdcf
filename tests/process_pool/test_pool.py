"""A pool of processes: calls end, whatever they do, and so do the processes."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mindhit.process_pool import CallFailed, ProcessDied, ProcessPool, TookTooLong
from tests.process_pool import calls

LONG_S = 60.0


@pytest.fixture
async def pool() -> AsyncIterator[ProcessPool]:
    async with ProcessPool(2, memory_mb=512) as made:
        yield made


async def test_a_call_returns_what_the_function_returns(pool: ProcessPool) -> None:
    assert await pool.run(calls.double, "ab", timeout_s=LONG_S) == "abab"
    assert await pool.run(calls.own_pid, timeout_s=LONG_S) != os.getpid()


async def test_a_process_is_used_again(pool: ProcessPool) -> None:
    first = await pool.run(calls.own_pid, timeout_s=LONG_S)
    assert await pool.run(calls.own_pid, timeout_s=LONG_S) == first


async def test_large_values_travel_both_ways(pool: ProcessPool) -> None:
    text = "한" * 1_000_000
    assert await pool.run(calls.double, text, timeout_s=LONG_S) == text * 2


async def test_what_the_function_raises_is_told(pool: ProcessPool) -> None:
    with pytest.raises(CallFailed, match="ValueError: not like this"):
        await pool.run(calls.fail, "not like this", timeout_s=LONG_S)
    with pytest.raises(CallFailed):
        await pool.run(calls.lambda_result, timeout_s=LONG_S)
    assert await pool.run(calls.double, "a", timeout_s=LONG_S) == "aa"


@pytest.mark.skipif(sys.platform != "linux", reason="finds its pipe in /proc")
async def test_a_process_that_was_taken_over_hands_us_values_and_never_code(
    pool: ProcessPool, tmp_path: Path
) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, ...]:
            return (Path.touch, (tmp_path / "ran",))

    for answer in (pickle.dumps((True, Trap())), b"\x92\x05\xc0", b"\xc1", b""):
        with pytest.raises((ProcessDied, CallFailed)):
            await pool.run(calls.answer_by_itself, answer, len(answer), timeout_s=LONG_S)
    assert not (tmp_path / "ran").exists()
    assert await pool.run(calls.double, "a", timeout_s=LONG_S) == "aa"


@pytest.mark.skipif(sys.platform != "linux", reason="finds its pipe in /proc")
async def test_an_answer_that_says_it_is_gigabytes_is_not_waited_for(pool: ProcessPool) -> None:
    with pytest.raises(ProcessDied):
        await pool.run(calls.answer_by_itself, b"", 2**31, timeout_s=LONG_S)


async def test_what_is_printed_does_not_disturb_the_results(pool: ProcessPool) -> None:
    assert await pool.run(calls.print_much, timeout_s=LONG_S) == "printed"


async def test_a_call_that_takes_too_long_is_stopped_with_its_process(pool: ProcessPool) -> None:
    pid = await pool.run(calls.own_pid, timeout_s=LONG_S)
    with pytest.raises(TookTooLong):
        await pool.run(calls.spin, timeout_s=0.05)
    assert not _is_alive(pid)
    assert await pool.run(calls.own_pid, timeout_s=LONG_S) != pid


async def test_a_process_that_dies_fails_its_own_call_only(pool: ProcessPool) -> None:
    with pytest.raises(ProcessDied):
        await pool.run(calls.die, timeout_s=LONG_S)
    assert await pool.run(calls.double, "a", timeout_s=LONG_S) == "aa"


async def test_memory_is_limited(pool: ProcessPool) -> None:
    assert await pool.run(calls.hoard, 10, timeout_s=LONG_S)
    with pytest.raises(ProcessDied):
        await pool.run(calls.hoard, 1000, timeout_s=LONG_S)


async def test_no_more_calls_than_processes_run_at_once(pool: ProcessPool) -> None:
    pids = await asyncio.gather(*(pool.run(calls.own_pid, timeout_s=LONG_S) for _ in range(20)))
    assert len(set(pids)) <= 2


async def test_a_cancelled_call_ends_its_process(pool: ProcessPool) -> None:
    running = asyncio.ensure_future(pool.run(calls.spin, timeout_s=LONG_S))
    while not pool.pids:
        await asyncio.sleep(0.01)
    (pid,) = pool.pids
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not _is_alive(pid)
    assert pool.pids == []


async def test_an_idle_process_ends_by_itself() -> None:
    async with ProcessPool(1, idle_s=0.0) as pool:
        pid = await pool.run(calls.own_pid, timeout_s=LONG_S)
        while _is_alive(pid):
            await asyncio.sleep(0.01)
        assert await pool.run(calls.own_pid, timeout_s=LONG_S) != pid


async def test_secrets_of_the_program_are_not_passed_on(
    pool: ProcessPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINDHIT_SMTP_PASSWORD", "secret")
    assert "PATH" in await pool.run(calls.variables, timeout_s=LONG_S)
    assert "MINDHIT_SMTP_PASSWORD" not in await pool.run(calls.variables, timeout_s=LONG_S)


PROGRAM = """
import asyncio
from mindhit.process_pool import ProcessPool
from tests.process_pool import calls
async def main():
    pool = ProcessPool(1)
    print(await pool.run(calls.own_pid, timeout_s=60), flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


async def test_processes_end_with_a_program_that_is_killed() -> None:
    program = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True
    )
    try:
        assert program.stdout is not None
        pid = int(await asyncio.to_thread(program.stdout.readline))
        assert _is_alive(pid)
    finally:
        program.kill()
        program.communicate()
    while _is_alive(pid):
        await asyncio.sleep(0.01)


def _is_alive(pid: int) -> bool:
    """A zombie, which nobody has waited for yet, is not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
