"""What one reader records tells no other reader anything."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import httpx2
import msgspec

from mindhit import tracking
from mindhit.db import Database, Tx
from mindhit.tracking import SessionId
from mindhit.tracking.protocol import SentEvent
from tests.accounts.kit import PASSWORD, browser_of, traces
from tests.tracking.kit import (
    START,
    Json,
    activate,
    alive,
    event,
    fetch,
    nav,
    recorder,
    rows_of,
    session_row,
    tidy,
    work_off,
)
from tests.tracking.readers import Reader, reader

SHARED = "https://example.org/mailbox"
HIS_SESSION = "b0b00000-0000-4000-8000-000000000001"
ROUTES = (
    "/v1/sessions",
    "/v1/sessions?search=mailbox",
    "/v1/sessions?search=example",
    "/v1/sessions/{id}",
    "/v1/sessions/{id}/mindmap",
    "/v1/sessions/{id}/export?format=md",
    "/v1/sessions/{id}/export?format=json",
    "/v1/totals?from=2025-06-01T00:00:00Z&to=2025-07-01T00:00:00Z",
)


def log(text: str, title: str) -> list[Json]:
    """The same pages; one reader's text of them, or one that could not be read."""
    return [
        activate(1, 0, SHARED, title=title),
        event(
            2,
            "CONTENT_EXTRACTED",
            10,
            tabId=1,
            url=SHARED,
            payload={"content": text, "meta": {"favicon": "https://example.org/f.ico"}},
        ),
        event(3, "HIGHLIGHT", 20, tabId=1, url=SHARED, payload={"text": text}),
        nav(4, 1_000, f"{SHARED}/unread"),
        event(
            5,
            "CONTENT_EXTRACTED",
            1_010,
            tabId=1,
            url=f"{SHARED}/unread",
            payload={"extractionOk": False},
        ),
        nav(6, 2_000, f"{SHARED}/never-tried"),
        alive(7, 3_000),
    ]


async def look(client: httpx2.AsyncClient, session: str) -> list[tuple[str, int, str]]:
    """Every answer about sessions that there is, word for word; ids of answers aside."""
    found = []
    for route in ROUTES:
        answer = await client.get(route.format(id=session))
        found.append((route, answer.status_code, answer.text))
    return found


async def all_that_bob_sees(db: Database, text: str) -> list[tuple[str, int, str]]:
    """What Bob is answered from his start to his end."""
    async with reader(db, "bob@example.org") as bob:
        answers = []
        for path, body in (
            ("start", {"session_id": HIS_SESSION, "started_at": START}),
            (f"{HIS_SESSION}/events:batch", {"events": log(text, "Inbox")}),
            (f"{HIS_SESSION}/stop", {"ended_at": START + 4_000, "last_seq": 7}),
        ):
            answer = await bob.records.client.post(f"/v1/sessions/{path}", json=body)
            answers.append((path, answer.status_code, answer.text))
        answers += await look(bob.browser, HIS_SESSION)
        await work_off(db)
        answers += await look(bob.browser, HIS_SESSION)
    return [(path, status, _without_ids(text)) for path, status, text in answers]


def _without_ids(text: str) -> str:
    """But for the ids of his device and of the answer, and the time of the day, all is given."""
    text = re.sub(r'"(device_?id|request_id)":"[\w-]+"', "", text, flags=re.IGNORECASE)
    return re.sub(r"\b20(?!25-06-15)\d\d-\d\d-\d\d(T[\d:.]+Z)?", "NOW", text)


async def test_what_bob_is_told_is_the_same_whether_or_not_ada_was_there(
    db: Database, module_database_url: str
) -> None:
    """Before him, she has been on all his pages: read them as he does, otherwise, and not at all."""
    async with reader(db) as ada:
        for text, title in (("The same text.", "Inbox"), ("Hers alone.", "Ada's inbox")):
            session = await ada.records.start(started_at=START)
            await ada.records.send(session, *log(text, title))
            await ada.records.stop(session, 5_000, 7)
        await work_off(db)
    alone = await Database.open(module_database_url, name="test", size=10)
    try:
        told = await all_that_bob_sees(db, "The same text.")
        assert told == await all_that_bob_sees(alone, "The same text.")
    finally:
        await alone.close()
    assert sum(status == 200 for _, status, _ in told) == 2 * len(ROUTES) + 1
    assert "The same text." in str(told)  # or nothing was put to the test


async def test_another_readers_session_is_answered_as_one_that_does_not_exist(db: Database) -> None:
    async with reader(db) as ada, reader(db, "bob@example.org") as bob:
        session = await ada.records.start(started_at=START, title="Private")
        await ada.records.send(session, *log("Hers alone.", "Ada's inbox"))

        async def ask(id_: str) -> list[tuple[int, str]]:
            calls = [("GET", route) for route in ROUTES if "{id}" in route]
            calls += [("GET", "/v1/sessions/{id}/progress"), ("DELETE", "/v1/sessions/{id}")]
            calls += [("POST", f"/v1/sessions/{{id}}/{verb}") for verb in ("stop", "reprocess")]
            calls += [("PATCH", "/v1/sessions/{id}"), ("POST", "/v1/sessions/{id}/events:batch")]
            answers = []
            for method, path in calls:
                body = {"PATCH": {"title": "x"}, "POST": {"events": [alive(1, 0)]}}.get(method)
                body = None if path.endswith("reprocess") else body
                answer = await bob.browser.request(method, path.format(id=id_), json=body)
                said = re.sub(r'"request_id":"\w+"', "", answer.text)
                answers.append((answer.status_code, said))
            return answers

        theirs, nobodys = await ask(session), await ask(str(uuid.uuid4()))
        assert theirs == nobodys
        assert {status for status, _ in theirs} == {404}
        row = await session_row(db, session)
        assert (row["title"], row["status"]) == ("Private", "recording")


async def test_equal_texts_of_two_readers_share_nothing(db: Database) -> None:
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        sessions = []
        for who in (ada, bob):
            for text in ("The same text.", f"Only {who.person.email}'s."):
                session = await who.start(started_at=START)
                await who.send(session, *log(text, "Inbox"))
                await who.stop(session, 4_000, 7)
                sessions.append(session)
        await work_off(db)
    texts = await fetch(db, "select id, user_id, content from page_contents")
    assert len({each["id"] for each in texts}) == len(texts) == 4
    assert len({each["user_id"] for each in texts if each["content"] == "The same text."}) == 2
    assert (
        await fetch(
            db,
            """
select 1 from sessions s join page_visits v on v.session_id = s.id
  join page_contents c on c.id = v.content_id where c.user_id <> s.user_id
union all
select 1 from reader_urls r join page_contents c on c.id = r.content_id where c.user_id <> r.user_id
union all
select 1 from sessions s join raw_events e on e.session_id = s.id
  join page_contents c on c.id = (e.payload->>'contentId')::uuid where c.user_id <> s.user_id""",
        )
        == []
    )
    # Nothing of a page's identity is anybody's, nor tells who came first or last.
    [page, *_] = await fetch(db, "select * from urls")
    assert set(page) == {"id", "url", "domain", "created_at"}


async def _with_both(db: Database) -> AsyncIterator[tuple[Reader, Reader, str, str]]:
    async with reader(db) as ada, reader(db, "bob@example.org") as bob:
        sessions = []
        for who, name in ((ada, "hers"), (bob, "his")):
            session = await who.records.start(started_at=START)
            await who.records.send(
                session,
                *log("The same text.", "Inbox"),
                nav(8, 4_000, f"https://only-{name}.example/"),
                event(
                    9,
                    "CONTENT_EXTRACTED",
                    4_010,
                    tabId=1,
                    url=f"https://only-{name}.example/",
                    payload={"content": f"Only {name}."},
                ),
                alive(10, 5_000),
            )
            await who.records.stop(session, 6_000, 10)
            sessions.append(session)
        await work_off(db)
        yield ada, bob, sessions[0], sessions[1]


with_both = asynccontextmanager(_with_both)

HIS = {
    "page_contents": "select c.* from page_contents c where user_id = '{0}'",
    "reader_urls": "select r.* from reader_urls r where user_id = '{0}'",
    "urls": "select u.* from urls u join reader_urls r on r.url_id = u.id where r.user_id = '{0}'",
    "page_visits": "select v.* from page_visits v join sessions s on s.id = v.session_id where s.user_id = '{0}'",
    "highlights": "select h.* from highlights h join sessions s on s.id = h.session_id where s.user_id = '{0}'",
    "raw_events": "select e.* from raw_events e join sessions s on s.id = e.session_id where s.user_id = '{0}'",
    "sessions": "select s.* from sessions s where user_id = '{0}'",
}


async def everything_of(db: Database, who: Reader) -> dict[str, list[str]]:
    found = {}
    for table, sql in HIS.items():
        found[table] = await rows_of(db, f"({sql.format(who.records.person.id)}) x")
    return found


async def test_who_erases_their_account_takes_along_what_only_they_had(db: Database) -> None:
    async with with_both(db) as (ada, bob, _, his):
        seen, kept = await look(bob.browser, his), await everything_of(db, bob)
        farewell = {"email": "ada@example.org", "password": PASSWORD}
        async with browser_of(db, ada.records.person) as browser:
            assert (await browser.post("/v1/me/erase", json=farewell)).status_code == 202
        await work_off(db)
        await tidy(db)
        assert await look(bob.browser, his) == seen
        assert await everything_of(db, bob) == kept
    assert await traces(db, "only-hers", "only hers") == {}
    for table in ("sessions", "page_contents", "reader_urls"):
        assert {each["user_id"] for each in await fetch(db, f"select user_id from {table}")} == {
            bob.records.person.id
        }
    assert not await fetch(
        db, "select 1 from raw_events where session_id not in (select id from sessions)"
    )
    urls = {each["url"] for each in await fetch(db, "select url from urls")}
    assert urls == {
        SHARED,
        f"{SHARED}/unread",
        f"{SHARED}/never-tried",
        "https://only-his.example/",
    }


async def test_who_deletes_a_session_takes_along_what_only_it_had(db: Database) -> None:
    async with with_both(db) as (ada, bob, hers, his):
        seen, kept = await look(bob.browser, his), await everything_of(db, bob)
        async with db.transaction() as tx:
            await tracking.delete(tx, ada.records.person.id, SessionId(UUID(hers)))
        await work_off(db)
        assert await look(bob.browser, his) == seen
        assert await everything_of(db, bob) == kept
        assert all(not rows for rows in (await everything_of(db, ada)).values())
    assert await traces(db, "only-hers", "only hers") == {}
    assert await traces(db, "only-his") != {}


async def _touched(tx: Tx) -> dict[str, list[int]]:
    """Of each table, as far as this connection has counted: inserted, changed, deleted; then looks
    at it, and rows that were looked at."""
    sql = """
select relname, n_tup_ins, n_tup_upd, n_tup_del, seq_scan, seq_tup_read, coalesce(idx_scan, 0),
       coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables"""
    return {row[0]: list(row)[1:] for row in await tx._connection.fetch(sql)}


async def _work_of(db: Database, who: Reader, url: str) -> Json:
    """What taking a batch about a page costs: statements, and rows and looks at each table."""
    session = await who.records.start(started_at=START)
    body = [
        activate(1, 0, url, title="T"),
        event(2, "CONTENT_EXTRACTED", 1, tabId=1, url=url, payload={"content": "text"}),
        event(3, "HIGHLIGHT", 2, tabId=1, url=url, payload={"text": "marked"}),
        nav(4, 1_000, f"{url}/unread", extractionOk=False),
        alive(5, 2_000),
    ]
    asked: list[str] = []
    async with db.transaction() as tx:
        connection = tx._connection
        # As in tables of any size; of a few rows the server would rather read all, in any order.
        for way in ("seqscan", "bitmapscan", "material", "hashjoin", "mergejoin"):
            await connection.execute(f"set local enable_{way} = off")
        await connection.execute("set local plan_cache_mode = force_generic_plan")
        before = await _touched(tx)
        connection.add_query_logger(lambda query: asked.append(query.query))
        sent = msgspec.convert(body, list[SentEvent])
        receipt = await tracking.ingest_batch(
            tx, who.records.person.id, SessionId(UUID(session)), sent
        )
        shown = await tracking.show(tx, who.records.person.id, SessionId(UUID(session)))
        statements = list(asked)
        after = await _touched(tx)
    touched = {
        table: [now - then for now, then in zip(after[table], before[table], strict=True)]
        for table in after
    }
    assert receipt.accepted == 5
    assert len(shown.page_visits) == 2
    return {"statements": statements, "touched": touched}


async def test_a_page_that_another_reader_knows_costs_the_same(db: Database) -> None:
    """The same statements, and at every table the same looks and rows, so that no clock tells who
    else was there; but that each page's identity is either found or written."""
    async with reader(db) as ada, reader(db, "bob@example.org") as bob:
        for n in range(3):
            await _work_of(db, ada, f"https://hers.example/{n}")
        await _work_of(db, bob, "https://bobs.example/first")
        unknown = await _work_of(db, bob, "https://nobodys.example/page")
    # Of another reader: what is read of one's own grows with what one has.
    async with reader(db, "carl@example.org") as carl:
        await _work_of(db, carl, "https://carls.example/first")
        known = await _work_of(db, carl, "https://hers.example/2")
    assert known["statements"] == unknown["statements"]
    assert len(known["statements"]) > 2  # or nothing was put to the test
    of_known, of_unknown = known["touched"].pop("urls"), unknown["touched"].pop("urls")
    assert (of_known[0], of_unknown[0]) == (0, 2)
    assert of_known[0] + of_known[-1] == of_unknown[0] + of_unknown[-1]
    assert of_known[1:-1] == of_unknown[1:-1]
    assert known["touched"] == unknown["touched"]
