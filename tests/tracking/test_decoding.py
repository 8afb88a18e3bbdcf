"""From bytes to events: whatever is broken, what can be read is read, and what cannot is named."""

from __future__ import annotations

import gzip
import json
import time
from math import isfinite
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.errors import TooLarge
from mindhit.tracking import BadBatch
from mindhit.tracking.ingest.decoding import UnreadableEvent, decode, decompress
from mindhit.tracking.protocol import MAX_BODY_BYTES, SentEvent

LIMIT = 200


def alive(seq: int, **more: Any) -> bytes:
    return json.dumps({"seq": seq, "t": 1, "type": "ALIVE", **more}).encode()


def batch(*events: bytes) -> bytes:
    return b'{"events":[' + b",".join(events) + b"]}"


def told(body: bytes) -> list[int | str | None]:
    """Seqs of the events that can be read; `!seq` of those that cannot."""
    return [each.seq if _is_fine(each) else f"!{each.seq or ''}" for each in decode(body, LIMIT)]


def _is_fine(each: SentEvent | UnreadableEvent) -> bool:
    """A time beyond all numbers is infinite to one reader and no number to another."""
    return isinstance(each, SentEvent) and isfinite(each.t)


WRONG = {
    "no seq": (b'{"t":1,"type":"ALIVE"}', "!"),
    "a word for seq": (b'{"seq":"2","t":1,"type":"ALIVE"}', "!"),
    "a fraction for seq": (b'{"seq":2.5,"t":1,"type":"ALIVE"}', "!"),
    "truth for seq": (b'{"seq":true,"t":1,"type":"ALIVE"}', "!"),
    "no t": (b'{"seq":2,"type":"ALIVE"}', "!2"),
    "a word for t": (b'{"seq":2,"t":"now","type":"ALIVE"}', "!2"),
    "t beyond numbers": (b'{"seq":2,"t":1e999,"type":"ALIVE"}', "!2"),
    "no type": (b'{"seq":2,"t":1}', "!2"),
    "a number for type": (b'{"seq":2,"t":1,"type":7}', "!2"),
    "a list for url": (b'{"seq":2,"t":1,"type":"ALIVE","url":[]}', "!2"),
    "a word for tabId": (b'{"seq":2,"t":1,"type":"ALIVE","tabId":"1"}', "!2"),
    "a word for payload": (b'{"seq":2,"t":1,"type":"ALIVE","payload":"x"}', "!2"),
    "a number for title": (b'{"seq":2,"t":1,"type":"ALIVE","payload":{"title":1}}', "!2"),
    "a list for meta": (b'{"seq":2,"t":1,"type":"ALIVE","payload":{"meta":[]}}', "!2"),
    "no object": (b"7", "!"),
    "null": (b"null", "!"),
    "a list": (b"[1,2]", "!"),
    "5,000 digits": (b'{"seq":' + b"9" * 5_000 + b',"t":1,"type":"ALIVE"}', "!"),
    "wrong, and a broken word beside it": (b'{"seq":2,"t":"x","type":"A","z":"\\ud800"}', "!2"),
    "wrong, and a wild number beside it": (b'{"seq":2,"t":"x","type":"A","z":1e999}', "!2"),
    "wrong, and nested": (
        b'{"seq":2,"t":"x","type":"A","z":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        "!2",
    ),
    "nested": (b'{"seq":2,"t":1,"type":"A","z":' + b"[" * 99_999 + b"]" * 99_999 + b"}", "!2"),
    "a value missing": (b'{"seq":2,"t":1,"type":}', "!2"),
    "a comma too many": (b'{"seq":2,"t":1,,"type":"ALIVE"}', "!2"),
    "single quotes": (b"{'seq':2}", "!"),
    "a quote missing": (b'{"seq":2,"t":1,"type":"ALIVE}', "!2"),
    "a quote missing in front": (b'{"seq":2,"t":1,"type":ALIVE"}', "!2"),
    "a bracket missing": (b'{"seq":2,"t":1,"type":"ALIVE","payload":{"title":"x"}', "!2"),
    "a list left open": (b'{"seq":2,"t":1,"type":"ALIVE","z":[1,2}', "!2"),
    "a quote": (b'"', "!"),
    "nothing": (b"{", "!"),
}


@pytest.mark.parametrize("name", WRONG)
def test_one_bad_event_is_named_and_the_others_are_read(name: str) -> None:
    bad, named = WRONG[name]
    assert told(batch(alive(1), bad, alive(3), alive(4))) == [1, named, 3, 4]


@pytest.mark.parametrize("name", WRONG)
def test_a_bad_event_may_be_the_first_or_the_last(name: str) -> None:
    bad, named = WRONG[name]
    assert told(batch(bad, alive(3), alive(4))) == [named, 3, 4]
    assert told(batch(alive(3), alive(4), bad)) == [3, 4, named]


@pytest.mark.parametrize("first", WRONG)
@pytest.mark.parametrize("second", ["a word for t", "a value missing", "a quote missing", "null"])
def test_two_bad_events_of_different_kinds_are_both_named(first: str, second: str) -> None:
    (bad, named), (worse, named_too) = WRONG[first], WRONG[second]
    body = batch(alive(1), bad, alive(3), worse, alive(5))
    assert told(body) == [1, named, 3, named_too, 5]


def test_an_event_that_is_left_open_takes_none_of_those_behind_it() -> None:
    """The end of the list would close it, and they would all be a field of it."""
    body = batch(alive(1), b'{"seq":2,"t":1,"type":"ALIVE","z":[1', alive(3), alive(4))
    assert told(body) == [1, "!2", 3, 4]


def test_a_bracket_too_many_costs_no_event() -> None:
    assert told(batch(alive(1), alive(2) + b"}", alive(3))) == [1, 2, 3]
    assert told(batch(alive(1), alive(2)).replace(b",{", b"{")) == [1, 2]


UNFIT = {
    "NUL, escaped": (b'"a\\u0000b"', "a\ufffdb"),
    "NUL, raw": (b'"a\x00b"', "a\ufffdb"),
    "a high surrogate": (b'"a\\ud83db"', "a\ufffdb"),
    "a low surrogate": (b'"a\\ude00b"', "a\ufffdb"),
    "surrogates the wrong way round": (b'"\\ude00\\ud83d"', "\ufffd\ufffd"),
    "a surrogate at the end": (b'"half \\ud83d"', "half \ufffd"),
    "a whole pair": (b'"\\ud83d\\ude00"', "\N{GRINNING FACE}"),
    "invalid UTF-8": (b'"a\xffb"', "a\ufffdb"),
    "half an emoji": ('"\N{GRINNING FACE}"'.encode()[:3] + b'"', "\ufffd"),
    "a surrogate in UTF-8": (b'"\xed\xa0\xbd"', "\ufffd\ufffd\ufffd"),
    "a line break": (b'"a\nb"', "a\nb"),
}


@pytest.mark.parametrize("name", UNFIT)
@pytest.mark.parametrize("company", [b"", b',{"seq":9}', b',{"seq":9,"t":}'])
def test_text_that_cannot_be_stored_is_replaced(name: str, company: bytes) -> None:
    """Alone, and where the batch is read one by one or salvaged anyway."""
    text, kept = UNFIT[name]
    event = b'{"seq":1,"t":1,"type":"ALIVE","payload":{"title":' + text + b"}}"
    first, *_ = decode(batch(event + company, alive(2)), LIMIT)
    assert isinstance(first, SentEvent)
    assert first.payload is not None
    assert first.payload.title == kept


def test_a_body_that_breaks_off_gives_what_is_whole() -> None:
    """And the event it breaks off in takes no place: it may come whole the next time."""
    whole = batch(alive(1), alive(2, payload={"title": "x"}), alive(3))
    for at in range(whole.index(b',{"seq": 2'), len(whole) - 2):
        found = decode(whole[:at], LIMIT)
        seqs = [each.seq for each in found if isinstance(each, SentEvent)]
        assert seqs == [1, 2, 3][: len(seqs)]
        assert [each.seq for each in found if isinstance(each, UnreadableEvent)] in ([], [None])


NO_BATCH = (
    b"",
    b"null",
    b"7",
    b'"events"',
    b"[]",
    b"{}",
    b'{"events":null}',
    b'{"events":{}}',
    b'{"events":"x"}',
    b'{"events":"\\u0000"}',
    b'{"events":[nonsense',
    b'{"events":[1,{"seq":',
    b"[" * 100_000,
    b'{"events":' + b"[" * 100_000,
    b'{"event":[{"seq":1,"t":1,"type":"ALIVE"}]}',
    b"\x1f\x8b\x08\x00",
    '{"events":[]}'.encode("utf-16"),
    b"0," * 600_000,
)


def test_what_is_no_list_of_events_is_refused_as_a_whole() -> None:
    for body in NO_BATCH:
        with pytest.raises(BadBatch):
            decode(body, LIMIT)


def test_an_empty_list_is_a_batch() -> None:
    assert decode(b'{"events":[]}', LIMIT) == []


def test_of_two_equal_keys_the_last_counts() -> None:
    assert told(b'{"events":[{"seq":1,"seq":2,"t":1,"type":"ALIVE"}]}') == [2]


def test_unknown_fields_are_passed_over() -> None:
    more = {"zz": [{"seq": 7}], "payload": {"zz": None, "title": "x"}}
    assert told(batch(alive(1, **more))) == [1]


def test_commas_in_a_text_are_no_reason_to_refuse_a_batch() -> None:
    event = alive(2, payload={"content": "," * 600_000, "title": "\ud800"})
    assert told(batch(alive(1), event)) == [1, 2]


def test_what_is_broken_on_purpose_is_not_read_over_and_over() -> None:
    """Each of these begins an event that is only found to be broken at the far end."""
    hostile = b'{"events":[' + b'{"seq":[0,' * 200 + b"0," * 400_000 + b'"' + b"x" * 6_000_000
    began = time.process_time()
    with pytest.raises(BadBatch):
        decode(hostile, LIMIT)
    assert time.process_time() - began < 5


def test_gzip_is_undone() -> None:
    assert decompress(gzip.compress(b"clear")) == b"clear"


def test_what_is_not_one_whole_gzip_is_refused() -> None:
    clear = gzip.compress(b"clear" * 1000)
    for body in (b"", b"clear", clear[:-1], clear[:20], clear + b"more", clear + clear[:-1]):
        with pytest.raises(BadBatch):
            decompress(body)


def test_gzip_of_several_parts_is_one() -> None:
    part = gzip.compress(b"clear")
    assert decompress(part + part + b"\0" * 512) == b"clearclear"
    with pytest.raises(BadBatch):
        decompress(part * 1_000)
    half = gzip.compress(b"0" * (MAX_BODY_BYTES // 2))
    assert len(decompress(half + half)) == MAX_BODY_BYTES
    with pytest.raises(TooLarge):
        decompress(half + half + part)


def test_a_bomb_is_left_at_the_first_byte_too_many() -> None:
    bomb = gzip.compress(b"0" * (40 * 1024 * 1024), 1)
    assert len(bomb) < MAX_BODY_BYTES
    with pytest.raises(TooLarge):
        decompress(bomb)
    assert len(decompress(gzip.compress(b"0" * MAX_BODY_BYTES))) == MAX_BODY_BYTES
    with pytest.raises(TooLarge):
        decompress(gzip.compress(b"0" * (MAX_BODY_BYTES + 1)))


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reader(garbage: bytes) -> None:
    for body in (garbage, b'{"events":[' + garbage, batch(alive(1), garbage, alive(3))):
        try:
            found = decode(body, LIMIT)
        except BadBatch:
            continue
        assert len(found) <= LIMIT + 1


def test_damage_to_one_event_is_the_loss_of_that_one_alone() -> None:
    """Any one byte of an event replaced or left out: those behind it are read all the same."""
    event = alive(2, payload={"title": "a \\ title", "meta": {"language": "en"}}, url="https://x")
    for at in range(1, len(event)):
        for put in (b"", b"x", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\x00", b"\xff"):
            damaged = event[:at] + put + event[at + 1 :]
            found = told(batch(alive(1), damaged, alive(3), alive(4)))
            assert found[0] == 1, damaged
            assert found[-2:] == [3, 4], damaged


@pytest.mark.parametrize("filling", ["[", '{"a":', '"\\"', '\\"', ',{"seq":', '{"seq":1,"t":['])
def test_what_is_broken_all_over_is_let_go_of(filling: str) -> None:
    """Followed to its end, each of these took many seconds."""
    body = ('{"events":[' + filling * (MAX_BODY_BYTES // len(filling) - 10)).encode()
    with pytest.raises(BadBatch):
        decode(body, 200)
