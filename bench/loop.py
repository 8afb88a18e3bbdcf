"""How long one request of each route holds the API's event loop, with the largest input that is accepted.

routes              how many routes of the OpenAPI document were asked
longest_hold_ms     the longest hold by one request, as the loop itself measured it
over_100_ms         routes that held it for more than 100 ms

Each route is asked in its largest forms: every text of its body and its query as long as it may be, every list as
full, and the longest body there can be of values that mean nothing. The person has recorded a session with very many
visits, and saved very many bookmarks. The application runs in this process, without a network.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from time import perf_counter
from typing import Any

import httpx2

from bench.figures import Report, at_least, at_most, read_options
from mindhit import accounts, log, wiring
from mindhit.accounts import Person
from mindhit.api.app import build_routes, create_app
from mindhit.api.http.middleware.body_limit import MOST_PARTS, ORDINARY_BYTES
from mindhit.api.loop_watch import LoopWatch
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from mindhit.work.testing import drain
from tests.accounts.kit import HERE, URL, add_owner, cookie_of, settings
from tests.contract.slices import DOCUMENT, Contract, Route, contracts, live, routes, slice_of

LONGEST_QUERY = 60_000  # characters; all headers together have 96 KiB
TEXT = "가나다 abc "
ROUNDS = 2
ANSWER_S = 30.0
# After these the key is good for nothing: asked last. What deletes something, before them.
LAST = ("POST /v1/auth/sign-out", "POST /v1/me/erase")
VISITS = """
insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at, left_at,
                         duration_ms, is_focused, title, transition)
select s.id, 1000 + n, 1000 + n, (select url_id from page_visits where session_id = s.id limit 1), 1,
       s.started_at + n * interval '1 ms', s.started_at + (n + 1) * interval '1 ms', 1, true,
       'A title of some length about topic ' || n, 'link'
  from sessions s, generate_series(1, $2::int) n
 where s.id = $1::text::uuid"""


class Inflater:
    """The largest value that a schema accepts, from one that it does."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._schemas: Mapping[str, Any] = document["components"]["schemas"]
        self._left = 0

    def largest(self, schema: Mapping[str, Any], example: Any) -> Any:
        self._left = ORDINARY_BYTES // 2
        return self._grown(schema, example)

    def _grown(self, schema: Mapping[str, Any], example: Any) -> Any:
        schema = self._resolved(schema, example)
        if isinstance(example, dict):
            fields = schema.get("properties", {})
            return {name: self._grown(fields.get(name, {}), each) for name, each in example.items()}
        if isinstance(example, list):
            return self._list(schema, example)
        if isinstance(example, str) and not {"format", "enum", "const", "pattern"} & schema.keys():
            return self._text(schema.get("maxLength"), example)
        return example

    def _list(self, schema: Mapping[str, Any], example: list[Any]) -> list[Any]:
        item = example[0] if example else TEXT
        each = self._grown(schema.get("items", {}), item)
        size = len(json.dumps(each)) + 2
        most = min(schema.get("maxItems", MOST_PARTS // 2), max(self._left // size, 1))
        self._left -= size * most
        return [each] * most

    def _text(self, most: int | None, example: str) -> str:
        wanted = min(most or self._left // 4, max(self._left // 4, 1))
        if "@" in example or "://" in example or wanted <= len(example):
            return example
        self._left -= 4 * wanted
        return (TEXT * (wanted // len(TEXT) + 1))[:wanted]

    def _resolved(self, schema: Mapping[str, Any], example: Any) -> Mapping[str, Any]:
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rpartition("/")[2]]
        for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            found = self._resolved(choice, example)
            if found.get("type") == _type_of(example):
                return found
        return schema


def _type_of(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer"}
    return names.get(type(value), "null")


def forms(
    route: Route, operation: Mapping[str, Any], contract: Contract, inflater: Inflater
) -> Iterator[tuple[str, dict[str, str], bytes | None]]:
    """Name, query and body of each request."""
    query = dict(contract.queries.get(route.name, {}))
    long_query = dict(query)
    for parameter in operation.get("parameters", ()):
        schema = parameter["schema"]
        kinds = [schema, *schema.get("anyOf", ())]
        text = next((each for each in kinds if each.get("type") == "string"), None)
        if (
            parameter["in"] != "query"
            or text is None
            or {"enum", "format", "pattern"} & text.keys()
        ):
            continue
        length = min(text.get("maxLength", LONGEST_QUERY), LONGEST_QUERY)
        long_query[parameter["name"]] = ("ab " * length)[:length]
    if not route.has_body:
        yield "as it is", query, None
        if long_query != query:
            yield "longest query", long_query, None
        return
    body = contract.bodies[route.name]
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    yield "as it is", query, raw
    content = operation["requestBody"]["content"]
    if "application/json" in content and not isinstance(body, bytes):
        largest = inflater.largest(content["application/json"]["schema"], body)
        yield "largest", long_query, json.dumps(largest).encode()
    yield "values", query, b'{"events":[' + b"0," * (MOST_PARTS - 2) + b"0]}"
    yield "text", query, b'{"events":"' + b"%" * (ORDINARY_BYTES - 20) + b'"}'
    yield "nested", query, b"[" * (ORDINARY_BYTES // 2) + b"]" * (ORDINARY_BYTES // 2)


@asynccontextmanager
async def watching() -> AsyncIterator[LoopWatch]:
    watch = LoopWatch()
    task = asyncio.create_task(watch.run({asyncio.current_task()}))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    try:
        yield watch
        await asyncio.sleep(0.03)  # it wakes, and notes what has held it
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def hold_ms(
    client: httpx2.AsyncClient, method: str, path: str, query: dict[str, str], body: bytes | None
) -> tuple[float, int, float]:
    """How long the loop was held, what was answered, and in how many milliseconds."""
    headers = {} if body is None else {"Content-Type": "application/json"}
    async with watching() as watch:
        began = perf_counter()
        status = 0  # no answer in time
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                answer = await client.request(
                    method, path, params=query, content=body, headers=headers
                )
                status = answer.status_code
        took = perf_counter() - began
    return 1000 * watch.longest_s, status, 1000 * took


async def prepare(db: Database, visits: int, bookmarks: int) -> tuple[Person, dict[str, str]]:
    person = await add_owner(db)
    ids = await live(db, person, "canary")
    async with db.transaction() as tx:
        await tx._connection.execute(VISITS, ids["session_id"], visits)  # noqa: SLF001
    cookie = await cookie_of(db, person)
    links = "".join(
        f'<DT><H3>{n}</H3><DL><p><DT><A HREF="https://saved.example/{n}">{n}</A></DL><p>\n'
        for n in range(bookmarks)
    )
    async with client_of(db, cookie) as client:
        file = f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n{links}</DL><p>\n".encode()
        assert (await client.post("/v1/imports", content=file)).status_code == 202
    product = wiring.product(settings())
    await drain(
        db, {args: do for args, do in product.jobs.items() if args.__name__ == "ImportFile"}
    )
    return person, ids


def client_of(db: Database, cookie: str, app: Any = None) -> httpx2.AsyncClient:
    app = app or create_app(wiring.product(settings()), db)
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    headers = {"Cookie": f"mindhit={cookie}", "Origin": URL}
    return httpx2.AsyncClient(transport=transport, base_url=URL, headers=headers, timeout=120)


async def measure(report: Report, url: str, visits: int, bookmarks: int) -> None:
    db = await Database.open(url)
    wiring.install(wiring.product(settings()))
    person, ids = await prepare(db, visits, bookmarks)
    async with db.transaction() as tx:
        await accounts.ask_export(tx, person.id, HERE)
    app = create_app(wiring.product(settings()), db)
    build_routes(app)
    document, of = json.loads(DOCUMENT.read_text(encoding="utf-8")), contracts()
    worst: dict[str, tuple[float, str, int, float]] = {}
    cookie = await cookie_of(db, person)
    for route in sorted(routes(), key=_order):
        contract = of[slice_of(route, of) or ""]
        operation = document["paths"][route.path][route.method.lower()]
        if "text/event-stream" in json.dumps(operation["responses"]):
            continue  # has no end
        async with client_of(db, cookie, app) as client:
            for name, query, body in forms(route, operation, contract, Inflater(document)):
                for _ in range(ROUNDS):
                    path = route.at({**contract.no_ids, **ids})
                    held, status, took = await hold_ms(client, route.method, path, query, body)
                    if held > worst.get(route.name, (-1.0,))[0]:
                        worst[route.name] = (held, name, status, took)
    await db.close()
    for name, (held, form, status, took) in sorted(worst.items(), key=lambda each: -each[1][0]):
        print(f"{held:8.1f} ms  {name}  ({form}: {status} in {took:.0f} ms)")
    longest = max(worst, key=lambda name: worst[name][0])
    report.add("routes", len(worst), at_least(150))
    report.add("longest_hold_ms", worst[longest][0], at_most(100))
    report.add("over_100_ms", sum(each[0] > 100 for each in worst.values()), at_most(0))
    report.settings |= {"longest": longest, "visits": visits, "bookmarks": bookmarks}


def _order(route: Route) -> int:
    return 2 if route.name in LAST else int(route.method == "DELETE")


def main() -> None:
    options = read_options(str(__doc__))
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    report = Report("One request: how long it holds the event loop")
    report.settings |= {"load_at_start": round(os.getloadavg()[0], 1)}
    log.configure("console", "error")
    try:
        access = server.start()
        asyncio.run(migrate.migrate(access.url))
        visits, bookmarks = (20_000, 2_000) if options.quick else (100_000, 20_000)
        asyncio.run(measure(report, access.url, visits, bookmarks))
    finally:
        server.stop()
        for home in {folder, server.layout.home if server.layout else folder}:
            shutil.rmtree(home, ignore_errors=True)
    report.close(options)


if __name__ == "__main__":
    main()
