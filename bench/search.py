"""Searching everything one reader has, over HTTP on loopback.

search_p95_ms      of a mix of queries, each kind as often: a rare word, a word that most documents have, two
                   words, the beginning of a word, a wrong letter, Korean, a phrase, a word on one site
search_cpu_p95_ms  the same in processor time, of the API and the database together
recall_typo_en     how often a page is among the first 20 for a word of its title with one wrong letter, of those
                   that are for the word as it should be: what half of all titles have is found newest first
recall_typo_ko     the same with one wrong syllable
recall_text        how often a page is found for three words of its recorded text, none of the 200 that are most
                   frequent: those stand for what no one searches by; recall_text_20: among the first 20
index_bytes_per_text
                   the table and its indexes, for each recorded text
indexed_per_s      documents, by one process
ingest_p50_vs_idle a batch of events while a worker back-fills, divided by one while it has nothing to do;
                   ingest_mean_vs_idle: of the means
backfilled_per_s   documents that the worker indexes meanwhile
first_result_s     from stopping a recording until its text is found

With `--keep`, the stage is built in that folder if it is not there yet, and left there; then only times and
recalls are measured. With `--data` (a folder of gzipped articles), 50 questions of ours are asked instead, over the articles and
the demo: questions_top3 is how often the page that was meant is among the first three.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import json
import os
import random
import shutil
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import asyncpg
import httpx2

from bench import search_ingest, search_processor, search_relevance, search_stage
from bench.figures import Report, at_least, at_most, read_options
from bench.search_stage import Page, Size, Stage
from mindhit import accounts, wiring
from mindhit.accounts import Origin, Scope
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from mindhit.library.search import indexing
from mindhit.work.testing import drain
from tests import servers

SHOWN = 20
AT_ONCE = 2  # sessions that are indexed at the same time, as a worker does of a back-fill
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


async def prepare(url: str, stage: Stage) -> tuple[str, uuid.UUID, float]:
    """A reader with everything, indexed; their key, and the seconds that indexing took."""
    await migrate.migrate(url)
    wiring.install(wiring.product(wiring.make_settings(fetching=False)))
    db = await Database.open(url, size=4)
    try:
        async with db.transaction() as tx:
            person = await accounts.add_person(
                tx, "reader@example.org", password_hash=None, origin=Origin()
            )
            _, token = await accounts.make_token(
                tx, person.id, "bench", [Scope.API, Scope.EXTENSION], None, Origin()
            )
        await stage.fill(url, person.id)
        began = time.perf_counter()
        waiting = iter(stage.sessions)

        async def index() -> None:
            for session_id in waiting:
                await indexing.index_session(db, person.id, session_id)

        await asyncio.gather(*(index() for _ in range(AT_ONCE)))
        while await indexing.index_bookmarks(db, person.id):
            pass
        return token, person.id, time.perf_counter() - began
    finally:
        await db.close()


async def size_of_index(url: str) -> tuple[int, int]:
    """Bytes of the table with its indexes, and the documents in it."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("vacuum analyze search_docs")
        size = await connection.fetchval("select pg_total_relation_size('search_docs')")
        return int(size), int(await connection.fetchval("select count(*) from search_docs"))
    finally:
        await connection.close()


class Queries:
    """What is asked, of each kind."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.rng = random.Random(11)
        self.english = [page for page in stage.pages if not page.is_korean]
        self.korean = [page for page in stage.pages if page.is_korean]

    def rare(self) -> str:
        return self.rng.choice(self.english).title.split()[-1].lower()

    def common(self) -> str:
        return self.rng.choice(self.stage.english.words[:8])

    def two(self) -> str:
        return " ".join(self.rng.sample(self.rng.choice(self.english).text.split(), 2))

    def beginning(self) -> str:
        long = [word for word in self.rng.choice(self.english).title.split() if len(word) > 5]
        return (long[-1] if long else self.rare())[:5].lower()

    def wrong_letter(self) -> str:
        return misspelled(self.rng, long_word(self.rng, self.english))

    def hangul(self) -> str:
        return self.rng.choice(self.rng.choice(self.korean).text.split())

    def phrase(self) -> str:
        words = self.rng.choice(self.english).text.split()
        at = self.rng.randrange(len(words) - 3)
        return f'"{" ".join(words[at : at + 3])}"'

    def on_site(self) -> str:
        page = self.rng.choice(self.english)
        return f"{self.rng.choice(page.text.split())} site:{page.domain}"

    def kinds(self) -> dict[str, Callable[[], str]]:
        return {
            "rare_word": self.rare,
            "common_word": self.common,
            "two_words": self.two,
            "beginning": self.beginning,
            "wrong_letter": self.wrong_letter,
            "korean": self.hangul,
            "phrase": self.phrase,
            "site": self.on_site,
        }


def long_word(rng: random.Random, pages: list[Page]) -> str:
    """One that few titles have: the last words are drawn from the whole vocabulary."""
    while True:
        word = rng.choice(pages).title.split()[-1].lower()
        if len(word) >= 5:
            return word


def misspelled(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word))
    how = rng.randrange(3)
    other = rng.choice([letter for letter in _LETTERS if letter != word[at]])
    if how == 0:
        return word[:at] + other + word[at + 1 :]
    return word[:at] + other + word[at:] if how == 1 else word[:at] + word[at + 1 :]


def ask(client: httpx2.Client, typed: str, limit: int = SHOWN) -> tuple[float, list[str]]:
    began = time.perf_counter()
    answer = client.get("/v1/search", params={"q": typed, "limit": limit})
    taken = (time.perf_counter() - began) * 1000
    assert answer.status_code == 200, answer.text
    return taken, [hit["url"] for hit in answer.json()["hits"]]


def rank_of(client: httpx2.Client, wanted: str, typed: str) -> int:
    """At which place it is among all that was found; 0 where it is not."""
    rank, cursor = 0, None
    while True:
        more = {} if cursor is None else {"cursor": cursor}
        answer = client.get("/v1/search", params={"q": typed, "limit": 50, **more}).json()
        urls = [hit["url"] for hit in answer["hits"]]
        if wanted in urls:
            return rank + urls.index(wanted) + 1
        rank, cursor = rank + len(urls), answer["next"]
        if cursor is None:
            return 0


def measure_times(report: Report, client: httpx2.Client, queries: Queries, tries: int) -> None:
    everything = []
    kinds = queries.kinds()
    for _ in range(3):
        for make in kinds.values():
            ask(client, make())
    taken: dict[str, list[float]] = {name: [] for name in kinds}
    used = []
    for _ in range(tries):
        for name, make in kinds.items():
            typed, before = make(), search_processor.used_ms()
            taken[name].append(ask(client, typed)[0])
            used.append(search_processor.used_ms() - before)
    for name, times in taken.items():
        report.add(f"{name}_p50_ms", statistics.median(times))
        report.add(f"{name}_p95_ms", statistics.quantiles(times, n=20)[18])
        everything += times
    report.add("search_p50_ms", statistics.median(everything))
    report.add("search_p95_ms", statistics.quantiles(everything, n=20)[18], at_most(50))
    report.add("search_cpu_p50_ms", statistics.median(used))
    report.add("search_cpu_p95_ms", statistics.quantiles(used, n=20)[18])


def address(page: Page) -> str:
    return f"https://{page.domain}/{page.number}"


def measure_recall(report: Report, client: httpx2.Client, queries: Queries, tries: int) -> None:
    rng = queries.rng

    def share(pages: list[Page], typed_of: Callable[[Page], str | None]) -> float:
        found: list[bool] = []
        for page in rng.sample(pages, min(8 * tries, len(pages))):
            typed = typed_of(page)
            right = page.title.split()[-1].lower()
            if typed and len(found) < tries and address(page) in ask(client, right)[1]:
                found.append(address(page) in ask(client, typed)[1])
        return sum(found) / len(found)

    def wrong_letter(page: Page) -> str | None:
        word = page.title.split()[-1].lower()
        return misspelled(rng, word) if len(word) >= 5 else None

    def wrong_syllable(page: Page) -> str | None:
        word = page.title.split()[-1]
        at = rng.randrange(len(word))
        return f"{word[:at]}뷁{word[at + 1 :]}" if len(word) >= 4 else None

    common = {*queries.stage.english.words[:200], *queries.stage.korean.words[:200]}

    def three_words(page: Page) -> str | None:
        telling = sorted(set(page.text.split()) - common)
        return " ".join(rng.sample(telling, 3)) if len(telling) >= 3 else None

    report.add("recall_typo_en", share(queries.english, wrong_letter), at_least(0.95))
    report.add("recall_typo_ko", share(queries.korean, wrong_syllable), at_least(0.95))
    asked = [(page, three_words(page)) for page in rng.sample(queries.stage.pages, tries)]
    ranks = [rank_of(client, address(page), typed) for page, typed in asked if typed]
    report.add("recall_text", sum(rank > 0 for rank in ranks) / len(ranks), at_least(0.98))
    report.add("recall_text_20", sum(0 < rank <= SHOWN for rank in ranks) / len(ranks))


def measure(size: Size, tries: int) -> Report:
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    report = Report("Search")
    try:
        access = server.start()
        stage = Stage(size)
        token, user_id, seconds = asyncio.run(prepare(access.url, stage))
        bytes_, documents = asyncio.run(size_of_index(access.url))
        describe(report, size, documents, tries)
        report.add("indexed_per_s", documents / seconds)
        report.add("index_bytes_per_text", bytes_ / size.pages)
        with asking(folder, access.url, token) as client:
            queries = Queries(stage)
            measure_times(report, client, queries, tries)
            measure_recall(report, client, queries, tries)
            search_ingest.measure(
                report, client, folder, access.url, user_id, stage.sessions, is_short=tries < 50
            )
    finally:
        server.stop()
        for home in {folder, server.layout.home if server.layout else folder}:
            shutil.rmtree(home, ignore_errors=True)
    return report


def describe(report: Report, size: Size, documents: int, tries: int) -> None:
    report.settings |= {
        "documents": documents,
        "texts": size.pages,
        "bookmarks": size.bookmarks,
        "highlights": size.highlights,
        "years": search_stage.YEARS,
        "tries_of_each_kind": tries,
        # Of all that the machine does: two processors are busy at 2.
        "load_at_start": round(os.getloadavg()[0], 1),
    }


@contextmanager
def asking(folder: Path, database_url: str, token: str) -> Iterator[httpx2.Client]:
    key = {"Authorization": f"Bearer {token}"}
    with (
        servers.api(folder / "api.log", database_url, rate_limit=0) as url,
        httpx2.Client(base_url=url, headers=key, timeout=60) as client,
    ):
        yield client


def measure_kept(folder: Path, size: Size, tries: int) -> Report:
    """On a stage that is built once. What changes it is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    report, stage, known = Report("Search"), Stage(size), folder / "stage.json"
    with Server(folder, min_free_bytes=0) as server:
        if not known.exists():
            token, _, _ = asyncio.run(prepare(server.url, stage))
            asyncio.run(size_of_index(server.url))
            known.write_text(json.dumps({"token": token}))
        stage.write_pages()
        describe(report, size, size.documents, tries)
        with asking(folder, server.url, json.loads(known.read_text())["token"]) as client:
            queries = Queries(stage)
            measure_times(report, client, queries, tries)
            measure_recall(report, client, queries, tries)
    return report


async def prepare_questions(url: str, api: str, data: Path) -> str:
    """A reader who has read the articles and the demo, and what the jobs make of it; their cookie."""
    product = wiring.product(wiring.make_settings(fetching=False))
    wiring.install(product)
    db = await Database.open(url, size=4)
    try:
        async with db.transaction() as tx:
            person = await accounts.add_person(
                tx, "reader@example.org", password_hash=None, origin=Origin()
            )
            _, cookie = await accounts.open_browser(tx, person.id, Origin())
        with browser(api, cookie) as client:
            await asyncio.to_thread(search_relevance.record, client, data)
            demo = await asyncio.to_thread(client.post, "/v1/demo")
            assert demo.status_code in {200, 201}, demo.text
        await drain(db, product.jobs)
        return cookie
    finally:
        await db.close()


def browser(api: str, cookie: str) -> httpx2.Client:
    return httpx2.Client(
        base_url=api, headers={"Origin": api}, cookies={"mindhit": cookie}, timeout=60
    )


def measure_questions(data: Path) -> Report:
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    report = Report("Fifty questions")
    try:
        access = server.start()
        asyncio.run(migrate.migrate(access.url))
        with servers.api(folder / "api.log", access.url, rate_limit=0) as api:
            cookie = asyncio.run(prepare_questions(access.url, api, data))
            with browser(api, cookie) as client:
                search_relevance.ask(report, client)
    finally:
        server.stop()
        for home in {folder, server.layout.home if server.layout else folder}:
            shutil.rmtree(home, ignore_errors=True)
    return report


def main() -> None:
    options = read_options(
        str(__doc__), data="gzipped articles", needs_data=False, keep="build the stage there once"
    )
    if options.data is not None:
        measure_questions(options.data).close(options)
        return
    size, tries = (search_stage.QUICK, 40) if options.quick else (search_stage.FULL, 60)
    report = measure_kept(options.keep, size, tries) if options.keep else measure(size, tries)
    report.close(options)


if __name__ == "__main__":
    main()
