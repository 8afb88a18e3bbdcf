"""Texts made to take long: cut before anything is done with them, and never all in one go."""

from __future__ import annotations

import asyncio
import threading
import unicodedata
import uuid
import zlib
from datetime import UTC, date, datetime

import pytest

from mindhit import tracking
from mindhit.db import Database
from mindhit.tracking.ingest import batch as batches
from mindhit.tracking.ingest.decoding import MAX_BROKEN_BYTES, MAX_EVENT_BYTES, decode
from mindhit.tracking.ingest.validation import Validator
from mindhit.tracking.model import BadBatch, SessionId
from mindhit.tracking.protocol import MAX_TITLE, SentEvent, SentPayload
from mindhit.tracking.store.ingesting import BatchSession
from tests.tracking.kit import raw, recorder

NOW = datetime(2026, 11, 17, tzinfo=UTC)
SESSION = SessionId(uuid.UUID(int=1))
PERSON = uuid.UUID(int=2)


def page(seq: int, url: str = "https://a.example/", title: str | None = None) -> SentEvent:
    return SentEvent(
        seq, 1_750_000_000_000, "NAV_COMMITTED", tab_id=1, url=url, payload=SentPayload(title=title)
    )


def test_a_title_is_cut_before_its_marks_are_put_in_order() -> None:
    """A tilde overlay belongs first among the marks; this one is so far away that it is never seen."""
    title = "a" + "\u0301\u0316" * 40_000 + "\u0334"
    made = Validator(SESSION, PERSON, int(NOW.timestamp() * 1000)).validate(page(1, title=title))
    kept = made.payload.title
    assert kept is not None
    assert len(kept) == MAX_TITLE
    assert "\u0334" not in kept
    assert "\u0334" in unicodedata.normalize("NFC", title[:2_000] + "\u0334")[:MAX_TITLE]


def test_a_decomposed_title_is_as_long_as_a_composed_one() -> None:
    korean = "가각힣" * 200
    title = unicodedata.normalize("NFD", korean)
    made = Validator(SESSION, PERSON, int(NOW.timestamp() * 1000)).validate(page(1, title=title))
    assert made.payload.title == korean[:MAX_TITLE]


async def test_a_batch_lets_others_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "AT_ONCE_S", 0.0)
    session = BatchSession(date(2026, 11, 1), 1, [], [], None, None, False, None, None, NOW, [], [])
    batch = batches._Batch(PERSON, SESSION, session)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    await batch.validate([page(seq) for seq in range(1, 101)])
    task.cancel()
    assert turns >= 90
    assert len(batch.fresh) == 100


async def test_what_is_compressed_is_unpacked_in_a_thread(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    unpack = tracking.decompress

    def noting(body: bytes) -> bytes:
        threads.append(threading.get_ident())
        return unpack(body)

    monkeypatch.setattr(tracking, "decompress", noting)
    async with recorder(db) as ada:
        session = await ada.start()
        small = zlib.compress(b'{"events":[]}', wbits=31)
        large = zlib.compress(b'{"events":[' + b" " * 7_000_000 + b"]}", wbits=31)
        for body in (small, large):
            answer = await raw(ada, session, body, **{"Content-Encoding": "gzip"})
            assert answer.status_code == 200
    assert threads[0] == threading.get_ident()
    assert threads[1] != threading.get_ident()


def test_a_broken_body_is_read_up_to_a_size() -> None:
    broken = b'{"events":[{"seq":1,"t":1,"type":"ALIVE"},{"seq":2,x}'
    for size in (1_000, MAX_BROKEN_BYTES - 100):
        found = decode(broken + b',{"seq":3,"z":"' + b"a" * size, 200)
        assert [each.seq for each in found][:2] == [1, 2]
    with pytest.raises(BadBatch):
        decode(broken + b',{"seq":3,"z":"' + b"a" * MAX_BROKEN_BYTES, 200)


def test_one_event_that_is_too_large_keeps_its_number() -> None:
    large = b'{"seq":2,"t":"no","z":"' + b"a" * MAX_EVENT_BYTES + b'"}'
    found = decode(b'{"events":[{"seq":1,"t":1,"type":"ALIVE"},' + large + b"]}", 200)
    assert [(type(each).__name__, each.seq) for each in found] == [
        ("SentEvent", 1),
        ("UnreadableEvent", 2),
    ]


def test_no_more_events_are_read_than_a_batch_may_have() -> None:
    assert len(decode(b'{"events":[' + b"{}," * 100_000 + b"{}]}", 200)) == 201
