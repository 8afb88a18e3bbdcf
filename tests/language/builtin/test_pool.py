"""The processes: bounded, replaced when they hang or die, ended when they are idle."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from mindhit.language.builtin import BuiltIn
from mindhit.language.builtin.messages import Load, Ready, Summarise, Summarised
from mindhit.language.builtin.pool import Crashed, Pool, TooSlow
from mindhit.language.model import Document
from tests.language.builtin.texts import BEES, KOREAN, session

LONG_S = 120.0


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    made = Pool(1, seconds=LONG_S)
    yield made
    await made.close()


@pytest.fixture
async def engine() -> AsyncIterator[BuiltIn]:
    async with BuiltIn(1, seconds=LONG_S) as made:
        yield made


async def hung(pool: Pool) -> int:
    """The process, running and stopped: whatever it is asked, it won't answer."""
    await pool.ask(Load())
    (pid,) = pool.pids
    os.kill(pid, signal.SIGSTOP)
    return pid


async def until_started_again(pool: Pool, old: int) -> int:
    while not pool.pids or pool.pids == [old]:
        await asyncio.sleep(0.005)
    return pool.pids[0]


async def test_all_four_questions_are_answered(engine: BuiltIn) -> None:
    pages = session()
    assert len((await engine.summarise(BEES)).sentences) == 3
    assert len((await engine.extract_keywords(BEES, limit=4)).keywords) == 4
    topics = await engine.find_topics(pages)
    assert len(topics.topics) == 3
    title = await engine.suggest_title(pages, topics=topics)
    assert title.text == ", ".join(topic.label for topic in topics.topics)
    assert title.engine.name == "builtin"
    assert title.engine.limitation is None


async def test_a_text_that_takes_too_long_is_killed_with_its_process_and_the_next_is_read() -> None:
    pool = Pool(1, seconds=LONG_S)
    old = await hung(pool)
    pool._seconds = 0.05
    with pytest.raises(TooSlow):
        await pool.ask(Summarise(BEES, 3))
    assert not psutil.pid_exists(old)
    pool._seconds = LONG_S
    assert isinstance(await pool.ask(Summarise(BEES, 3)), Summarised)
    await pool.close()


async def test_a_text_that_takes_too_long_gets_its_first_sentences(engine: BuiltIn) -> None:
    await hung(engine._pool)
    engine._pool._seconds = 0.05
    summary = await engine.summarise(BEES, 2)
    assert summary.engine.limitation == "time-limit"
    assert BEES.text.startswith(summary.text)
    assert len(summary.sentences) == 2


async def test_the_other_questions_have_plain_answers_too(engine: BuiltIn) -> None:
    engine._pool._seconds = 0.0
    pages = session()
    assert (await engine.extract_keywords(BEES)).engine.limitation == "time-limit"
    topics = await engine.find_topics(pages)
    assert topics.topics[0].members == tuple(range(len(pages)))
    assert (await engine.find_topics([])).topics == ()
    assert (await engine.suggest_title(pages)).text == pages[0].title


async def test_a_process_that_was_killed_while_idle_is_replaced(pool: Pool) -> None:
    await pool.ask(Load())
    (old,) = pool.pids
    os.kill(old, signal.SIGKILL)
    assert isinstance(await pool.ask(Summarise(BEES, 3)), Summarised)
    assert pool.pids != [old]


async def test_a_text_whose_process_was_killed_is_read_by_the_next(pool: Pool) -> None:
    old = await hung(pool)
    asked = asyncio.create_task(pool.ask(Summarise(BEES, 3)))
    await asyncio.sleep(0)
    os.kill(old, signal.SIGKILL)
    assert isinstance(await asked, Summarised)


async def test_a_text_that_ends_two_processes_is_given_up(pool: Pool) -> None:
    old = await hung(pool)
    asked = asyncio.create_task(pool.ask(Summarise(BEES, 3)))
    await asyncio.sleep(0)
    os.kill(old, signal.SIGKILL)
    os.kill(await until_started_again(pool, old), signal.SIGKILL)
    with pytest.raises(Crashed):
        await asked
    assert isinstance(await pool.ask(Summarise(BEES, 3)), Summarised)


async def test_a_cancelled_question_leaves_no_answer_for_the_next(pool: Pool) -> None:
    old = await hung(pool)
    asked = asyncio.create_task(pool.ask(Summarise(BEES, 3)))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert not psutil.pid_exists(old)
    assert isinstance(await pool.ask(Load()), Ready)


async def test_no_more_processes_than_allowed_and_all_are_served() -> None:
    pool = Pool(2, seconds=LONG_S)
    answers = await asyncio.gather(*(pool.ask(Summarise(BEES, 3)) for _ in range(12)))
    assert len(pool.pids) == 2
    assert all(isinstance(answer, Summarised) for answer in answers)
    pids = pool.pids
    await pool.close()
    assert not any(psutil.pid_exists(pid) for pid in pids)


async def test_a_waiting_question_that_is_cancelled_keeps_no_process(pool: Pool) -> None:
    await hung(pool)
    first = asyncio.create_task(pool.ask(Summarise(BEES, 3)))
    second = asyncio.create_task(pool.ask(Summarise(BEES, 3)))
    await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert isinstance(await pool.ask(Load()), Ready)


async def test_only_the_first_process_loads_the_korean_model() -> None:
    pool = Pool(2, seconds=LONG_S)
    asked = [pool.ask(Summarise(KOREAN, 3), korean=True) for _ in range(3)]
    asked += [pool.ask(Summarise(BEES, 3)) for _ in range(3)]
    await asyncio.gather(*asked)
    first, second = (_loaded(pid) for pid in pool.pids)
    await pool.close()
    assert "kiwi" in first
    assert "kiwi" not in second


@pytest.mark.parametrize(
    "program",
    ["raise OSError('cut off')", "import os; os._exit(3)", "class Kiwi: pass"],
    ids=["cannot be loaded", "ends the process", "another version"],
)
async def test_a_korean_model_that_does_not_work_is_done_without(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kiwipiepy.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    async with BuiltIn(1, seconds=LONG_S) as engine:
        for _ in range(2):
            summary = await engine.summarise(KOREAN)
            assert len(summary.sentences) == 3
            assert summary.keywords
            assert summary.engine.limitation == "korean-without-morphemes"


async def test_processes_that_read_do_not_get_our_settings(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINDHIT_OPENAI_KEY", "sk-secret")
    await pool.ask(Load())
    assert "MINDHIT_OPENAI_KEY" not in psutil.Process(pool.pids[0]).environ()


def _loaded(pid: int) -> str:
    return " ".join(each.path for each in psutil.Process(pid).memory_maps())


async def test_an_idle_process_gives_its_memory_back() -> None:
    pool = Pool(1, seconds=LONG_S, idle_seconds=0.01)
    await pool.ask(Load())
    while pool.pids:
        await asyncio.sleep(0.005)
    assert isinstance(await pool.ask(Load()), Ready)
    await pool.close()


def test_no_process_outlives_its_owner() -> None:
    program = (
        "import asyncio, os, signal\n"
        "from mindhit.language.builtin.messages import Load\n"
        "from mindhit.language.builtin.pool import Pool\n"
        "async def main():\n"
        "    pool = Pool(1)\n"
        "    await pool.ask(Load())\n"
        "    print(pool.pids[0], flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == -signal.SIGKILL
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(int(done.stdout)).wait(60)


async def test_a_text_of_ten_megabytes_is_cut_before_it_is_sent(engine: BuiltIn) -> None:
    summary = await engine.summarise(Document("The bees fly. " * 750_000, "Bees"))
    assert summary.sentences
    assert summary.engine.limitation is None
