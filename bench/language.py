"""The built-in language engine beside named baselines.

    python bench/language.py --data DIR

DIR, or the folders in it, hold whichever of these there are, one JSON object a line:

    keywords.jsonl   {text, keywords}                 summaries.jsonl  {lang, text, summary, title?}
    topics.jsonl     {session, title, text, label}

Where several folders have a file, their names stand in the figures (`keywords_f1_10_news`). A sample is also scored in halves,
every second text, in the settings of the results file: figures that hold in one half only are luck.

keywords_f1_10    exact match of Porter stems at 10 keywords; F1 of mean precision and mean recall.
                  Beside: RAKE and YAKE (packages), TF-IDF of words over the sample
summary_rouge1/2  F1 of morphemes (Korean) or words, three sentences. Beside: the first three
                  sentences, and TextRank as published (shared words by log length)
topics_nmi, _ari  against the labels, their number not given. Beside: k-means on TF-IDF, which is
                  given the number
topics_ms_80      reading, grouping and naming 80 pages: CPU time, as all times here
ms_p50, ms_p95    one text, in the engine's process
memory_mb         of an engine process; memory_korean_mb after it has read Korean
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import asyncio
import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

# As in the engine's processes; read when numpy is first imported.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from bench.figures import Report, at_least, at_most, peer_environment, read_options
from bench.language_scores import f1_at_10, group_scores, rouge
from mindhit.language.builtin import BuiltIn, reading
from mindhit.language.builtin.cleaning import clean
from mindhit.language.builtin.messages import Load
from mindhit.language.builtin.sentences import split
from mindhit.language.model import Document

PEERS = ["rake-nltk==1.0.6", "yake==0.7.3", "scikit-learn==1.9.1", "nltk==3.10.4"]
QUICK_TEXTS = 60
TOPICS_MS = 100
GOALS = {"abstracts": 0.24, "news": 0.17}

Row = dict[str, Any]


def read_rows(folder: Path, name: str, most: int | None) -> Iterator[tuple[str, list[Row]]]:
    """The rows of each file of that name, with the ending of its figures if there are several."""
    files = sorted([*folder.glob(name), *folder.glob(f"*/{name}")])
    for file in files:
        lines = file.read_text(encoding="utf-8").split("\n")[:most]
        ending = f"_{file.parent.name}" if len(files) > 1 else ""
        yield ending, [json.loads(line) for line in lines if line]


def ask_peers(what: str, rows: Sequence[Row]) -> dict[str, Any]:
    """What each package says of the rows, from an environment of their own."""
    try:
        python = peer_environment("language", PEERS)
    except subprocess.CalledProcessError:
        print("the packages could not be installed and are left out", file=sys.stderr)
        return {}
    done = subprocess.run(
        [python, "-P", ROOT / "bench" / "language_peers.py", what],
        input=json.dumps(rows),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return dict(json.loads(done.stdout))


def timed(read: Callable[[Row], Any], rows: Sequence[Row], taken: list[float]) -> list[Any]:
    results = []
    for row in rows:
        started = time.process_time()
        results.append(read(row))
        taken.append((time.process_time() - started) * 1000)
    return results


def note_halves(report: Report, name: str, score: Callable[[slice], float]) -> None:
    for half, part in (("first", slice(0, None, 2)), ("second", slice(1, None, 2))):
        report.settings[f"{name}_{half}_half"] = round(score(part), 4)


def bench_keywords(report: Report, ending: str, rows: list[Row], taken: list[float]) -> None:
    truth = [row["keywords"] for row in rows]
    ours = timed(
        lambda row: reading.extract_keywords(Document(row["text"]), 10).keywords, rows, taken
    )
    peers = ask_peers("keywords", [{"text": clean(row["text"])} for row in rows])
    name = f"keywords_f1_10{ending}"
    goal = GOALS.get(ending.removeprefix("_"))
    theirs = {peer: round(f1_at_10(said, truth), 4) for peer, said in peers.items()}
    report.add(name, round(f1_at_10(ours, truth), 4), at_least(goal) if goal else None, **theirs)
    note_halves(report, name, lambda part: f1_at_10(ours[part], truth[part]))


def bench_summaries(report: Report, ending: str, rows: list[Row], taken: list[float]) -> None:
    truth = [_joined(row["summary"]) for row in rows]
    said = {
        "ours": timed(
            lambda row: reading.summarise(Document(row["text"], row.get("title", "")), 3).text,
            rows,
            taken,
        ),
        "lead3": [" ".join(split(clean(row["text"]))[:3]) for row in rows],
        "textrank": [reading_textrank(row) for row in rows],
    }
    for size, goal in ((1, 0.61), (2, 0.54)):
        means = {
            who: [rouge(text, true, row.get("lang", ""), size) for text, true, row in zip(texts, truth, rows, strict=True)]
            for who, texts in said.items()
        }  # fmt: skip
        name = f"summary_rouge{size}{ending}"
        peers = {who: round(statistics.fmean(each), 4) for who, each in means.items()}
        report.add(name, peers.pop("ours"), at_least(goal), **peers)
        ours = means["ours"]
        note_halves(report, name, lambda part, ours=ours: statistics.fmean(ours[part]))  # type: ignore[misc]


def reading_textrank(row: Row) -> str:
    from bench.language_scores import textrank  # noqa: PLC0415 - numpy, only where it is used

    return textrank(row["text"], row.get("lang", "en"))


def _joined(summary: str | list[str]) -> str:
    return summary if isinstance(summary, str) else " ".join(summary)


def bench_topics(report: Report, ending: str, rows: list[Row]) -> None:
    sessions: dict[Any, list[Row]] = {}
    for row in rows:
        sessions.setdefault(row["session"], []).append(row)
    taken: list[float] = []
    found = timed(topic_numbers, list(sessions.values()), taken)  # type: ignore[arg-type]
    peers = ask_peers("topics", list(sessions.values()))  # type: ignore[arg-type]
    truths = [[row["label"] for row in session] for session in sessions.values()]
    for place, (figure, goal) in enumerate((("nmi", 0.68), ("ari", 0.53))):
        ours = [group_scores(truth, made)[place] for truth, made in zip(truths, found, strict=True)]
        theirs = {
            peer: round(statistics.fmean(group_scores(t, m)[place] for t, m in zip(truths, made, strict=True)), 4)
            for peer, made in peers.items()
        }  # fmt: skip
        name = f"topics_{figure}{ending}"
        report.add(name, round(statistics.fmean(ours), 4), at_least(goal), **theirs)
        note_halves(report, name, lambda part, ours=ours: statistics.fmean(ours[part] or [0]))  # type: ignore[misc]
    pages = [Document(row["text"], row["title"]) for row in rows]
    pages = (pages * (80 // len(pages) + 1))[:80]
    runs: list[float] = []
    timed(lambda _: reading.find_topics(pages), [{}] * 9, runs)
    report.add("topics_ms_80", round(statistics.median(runs), 1), at_most(TOPICS_MS))


def topic_numbers(session: Any) -> list[int]:
    topics = reading.find_topics([Document(row["text"], row["title"]) for row in session])
    numbers = [0] * len(session)
    for number, topic in enumerate(topics.topics):
        for place in topic.members:
            numbers[place] = number
    return numbers


async def memory() -> dict[str, float]:
    """Resident megabytes of a process, ready to read; and after reading Korean."""
    import psutil  # noqa: PLC0415 - of the tests' set

    async with BuiltIn(1) as engine:
        await engine._pool.ask(Load())  # noqa: SLF001
        process = psutil.Process(engine._pool.pids[0])  # noqa: SLF001
        await engine.summarise(Document("Bees make honey. Honey is sweet. Bees fly. Bears eat it."))
        plain = process.memory_info().rss / 2**20
        await engine.summarise(Document("꿀벌이 꿀을 모은다. 꿀은 달다. 벌이 난다. 곰이 먹는다."))
        return {"memory_mb": plain, "memory_korean_mb": process.memory_info().rss / 2**20}


def main() -> None:
    options = read_options(__doc__ or "", data="keywords.jsonl, summaries.jsonl, topics.jsonl")
    assert options.data is not None
    most = QUICK_TEXTS if options.quick else None
    kinds = {name: Report(name) for name in ("keywords", "summaries", "topics", "cost")}
    taken: list[float] = []
    before = os.getloadavg()[0]
    for ending, rows in read_rows(options.data, "keywords.jsonl", most):
        bench_keywords(kinds["keywords"], ending, rows, taken)
    for ending, rows in read_rows(options.data, "summaries.jsonl", most):
        bench_summaries(kinds["summaries"], ending, rows, taken)
    for ending, rows in read_rows(options.data, "topics.jsonl", None):
        bench_topics(kinds["topics"], ending, rows)
    if taken:
        taken.sort()
        kinds["cost"].add("ms_p50", round(statistics.median(taken), 2))
        kinds["cost"].add("ms_p95", round(taken[int(len(taken) * 0.95)], 2))
    for name, megabytes in asyncio.run(memory()).items():
        kinds["cost"].add(name, round(megabytes))
    report = Report("the built-in language engine")
    # CPU time too is longer beside others, who share the caches.
    report.settings["load_before_and_after"] = [round(before, 1), round(os.getloadavg()[0], 1)]
    for kind in kinds.values():  # a table each: they have different peers
        kind.show()
        report.figures += kind.figures
        report.settings |= kind.settings
    report.write(options)


if __name__ == "__main__":
    main()
