"""Procrastinate's side of bench/queue.py, at the settings that were fastest here.

It claims one job at a time, so that 2, 10 or 50 at once, and jobs kept or deleted, are all the
same; not listening while it drains is a little faster.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

from procrastinate import App, PsycopgConnector
from procrastinate.tasks import Task

from bench.queue_side import Arrivals, Question, add_in_chunks, add_one_by_one, answer, play


def app_with_task(question: Question) -> tuple[App, Task]:
    connector = PsycopgConnector(
        conninfo=question.dsn, min_size=5, max_size=20, kwargs={"options": "-c jit=off"}
    )
    app = App(connector=connector)
    arrivals = Arrivals(question.jobs)

    @app.task(name="note")
    async def note(sent: float) -> None:
        arrivals.note(sent)

    return app, note


async def install(question: Question) -> None:
    app, _ = app_with_task(question)
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
    answer(installed=True)


async def add(question: Question) -> None:
    app, note = app_with_task(question)
    async with app.open_async():
        await add_in_chunks(question, lambda size: note.batch_defer_async(*[{"sent": 0.0}] * size))


async def work(question: Question) -> None:
    app, _ = app_with_task(question)
    async with app.open_async():
        await app.run_worker_async(**question.settings)


async def produce(question: Question) -> None:
    app, note = app_with_task(question)
    async with app.open_async():
        await add_one_by_one(question, lambda sent: note.defer_async(sent=sent))


if __name__ == "__main__":
    play({"install": install, "enqueue": add, "work": work, "produce": produce})
