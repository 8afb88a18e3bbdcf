"""From the bytes of a batch to its events, one by one, whatever state they are in.

    typed      the whole body at once, straight into structs: what a healthy client sends
    one by one when an event has a wrong type: the others are read, that one is named
    leniently  when the body is no JSON (a lone surrogate, invalid UTF-8, a broken event) or holds
               NUL: text that PostgreSQL would refuse is replaced
    salvaged   when it is broken even so: each event on its own, from where it seems to begin

Only what is not a list of events at all is refused as a whole.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any, Final

import msgspec

from mindhit.errors import TooLarge
from mindhit.tracking.model import BadBatch

MAX_DECODED: Final = 8 * 1024 * 1024
# Beyond this a body is neither a batch nor worth the memory of being taken apart.
_MOST_COMMAS: Final = 500_000
_MOST_PARTS: Final = 16  # of a gzipped body; each is taken off the rest of it by copying
# An event has some dozens of brackets and strings; what has more is not followed to its end.
_MOST_MARKS: Final = 5_000


class Meta(msgspec.Struct, rename="camel", gc=False):
    title: str | None = None
    description: str | None = None
    og_image: str | None = None
    og_title: str | None = None
    language: str | None = None
    canonical: str | None = None
    favicon: str | None = None


class Payload(msgspec.Struct, rename="camel", gc=False):
    title: str | None = None
    redirect: bool | None = None
    transition: str | None = None
    opener_tab_id: int | None = None
    content: str | None = None
    extraction_ok: bool | None = None
    meta: Meta | None = None
    focused: bool | None = None
    state: str | None = None
    threshold_ms: int | float | None = None
    text: str | None = None
    url: str | None = None
    tab_id: int | None = None
    restart: bool | None = None


class Sent(msgspec.Struct, rename="camel", gc=False):
    """An event as it was sent: right in its types, and nothing else is known of it yet."""

    seq: int
    t: int | float
    type: str
    session_id: str | None = None
    tab_id: int | None = None
    window_id: int | None = None
    url: str | None = None
    payload: Payload | None = None


class Unread(msgspec.Struct, gc=False):
    """An event that cannot be read, with as much of it as could be found out."""

    reason: str
    seq: int | None = None
    session_id: str | None = None


class _Batch(msgspec.Struct):
    events: list[Sent]


class _Loose(msgspec.Struct):
    events: list[msgspec.Raw]


_typed = msgspec.json.Decoder(_Batch)
_loose = msgspec.json.Decoder(_Loose)
_one = msgspec.json.Decoder(Sent)
_lenient = json.JSONDecoder(strict=False)
_UNFIT = re.compile("[\x00\ud800-\udfff]")
_SEQ = re.compile(r'"seq"\s*:\s*(\d{1,10})(?![\d.eE])')
_SESSION = re.compile(r'"sessionId"\s*:\s*"([^"\\]{1,64})"')
_EVENTS = re.compile(r'"events"\s*:\s*\[')
# A string that never ends is one token to the end: searching on inside it would be quadratic.
_NESTING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
# Where an event begins. Inside a string it cannot stand: there its quotes would be escaped.
_BEGIN = re.compile(
    r',\s*(?=\{\s*"(?:seq|t|type|sessionId|tabId|windowId|url|payload)"\s*:)', re.ASCII
)
_END = re.compile(r"\]\s*\}\s*\Z", re.ASCII)
# What decoders say of a body that is not JSON, or too much of it.
_BROKEN = (msgspec.DecodeError, ValueError, RecursionError)


def unzip(body: bytes) -> bytes:
    """A gzipped body in the clear, of one part or of several. Raises `TooLarge` at the first byte
    too many."""
    clear = b""
    for _ in range(_MOST_PARTS):
        unzipper = zlib.decompressobj(31)
        try:
            clear += unzipper.decompress(body, MAX_DECODED + 1 - len(clear))
        except zlib.error:
            raise BadBatch("The body says it is gzipped and is not.") from None
        if len(clear) > MAX_DECODED:
            raise TooLarge(f"A batch may have {MAX_DECODED} bytes when unzipped.")
        if not unzipper.eof:
            raise BadBatch("The gzipped body ends too early.")
        body = unzipper.unused_data.lstrip(b"\0")  # which may fill it up to a block
        if not body:
            return clear
    raise BadBatch("The gzipped body has too many parts.")


def read(body: bytes, limit: int) -> list[Sent | Unread]:
    """The events of a batch in the order they were sent; at most `limit` and one more.

    Raises `BadBatch` where there is no list of events.
    """
    if b"\\u0000" in body:
        return _read_leniently(body, limit)
    try:
        return list(_typed.decode(body).events)
    except msgspec.ValidationError:
        is_json = True  # as far as it was read
    except _BROKEN:
        is_json = False
    if is_json:
        try:
            return _read_one_by_one(body)
        except _BROKEN:
            pass
    return _read_leniently(body, limit)


def _read_one_by_one(body: bytes) -> list[Sent | Unread]:
    if _is_too_much(body):
        raise BadBatch
    try:
        events = _loose.decode(body).events
    except msgspec.ValidationError:
        raise BadBatch from None
    return [_read_raw(event) for event in events]


def _is_too_much(body: bytes) -> bool:
    return body.count(b",") > _MOST_COMMAS and _STRING.sub(b"", body).count(b",") > _MOST_COMMAS


def _read_raw(event: msgspec.Raw) -> Sent | Unread:
    try:
        return _one.decode(event)
    except msgspec.ValidationError as wrong:
        reason = str(wrong)
    try:
        return _unread(reason, msgspec.json.decode(event))
    except _BROKEN:  # in a field that nobody reads, or a number that none can
        return _illegible(bytes(event).decode("utf-8", "replace"), reason)


def _unread(reason: str, event: object) -> Unread:
    """Why, and where in the log, if that much is legible."""
    if not isinstance(event, dict):
        return Unread(reason)
    seq, session_id = event.get("seq"), event.get("sessionId")
    return Unread(
        reason,
        seq if isinstance(seq, int) and not isinstance(seq, bool) else None,
        session_id if isinstance(session_id, str) else None,
    )


def _read_leniently(body: bytes, limit: int) -> list[Sent | Unread]:
    if _is_too_much(body):
        raise BadBatch
    text = body.decode("utf-8", "replace")
    try:
        whole = _lenient.decode(text)
    except _BROKEN:
        return _salvage(text, limit)
    events = whole.get("events") if isinstance(whole, dict) else None
    if not isinstance(events, list):
        raise BadBatch
    return [_convert(event) for event in events[: limit + 1]]


def _convert(event: object) -> Sent | Unread:
    try:
        cleaned = _cleaned(event)
    except RecursionError:
        return Unread("it is nested too deeply")
    try:
        return msgspec.convert(cleaned, Sent)
    except msgspec.ValidationError as wrong:
        return _unread(str(wrong), cleaned)


def storable(text: str) -> str:
    """The text without what PostgreSQL cannot store: NUL and halves of surrogate pairs."""
    return _UNFIT.sub("\ufffd", text)


def _cleaned(value: Any) -> Any:
    """The same with every text in it storable."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(each) for key, each in value.items()}
    return value


def _salvage(text: str, limit: int) -> list[Sent | Unread]:
    """Events of a body that is broken somewhere: each on its own, from where it seems to begin."""
    start = _EVENTS.search(text)
    if start is None:
        raise BadBatch
    begins = [each.end() for each in islice(_BEGIN.finditer(text, start.end()), limit + 1)]
    found: list[Sent | Unread] = []
    for at, end in pairwise([start.end(), *begins, len(text)]):
        found += islice(_pieces(text[at:end]), limit + 1 - len(found))
    if found and isinstance(found[-1], Unread) and _END.search(text) is None:
        # What the body breaks off in may be whole on its next way: it takes no place yet.
        found[-1] = Unread("the batch breaks off in it")
    if not any(each.seq is not None for each in found):
        raise BadBatch
    return found


def _pieces(text: str) -> Iterator[Sent | Unread]:
    """Mostly one event; more where one begins as events do not."""
    at = _to_next(text, 0)
    while at < len(text) and text[at] != "]":
        try:
            event, end = _lenient.raw_decode(text, at)
            yield _convert(event)
        except _BROKEN:
            end = _end_of_object(text, at)
            yield _illegible(text[at:end])
        at = _to_next(text, end)


def _to_next(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,}":
        at += 1
    return at


def _end_of_object(text: str, at: int) -> int:
    depth = 0
    for token in islice(_NESTING.finditer(text, at), _MOST_MARKS):
        mark = token[0]
        depth += (mark in "{[") - (mark in "}]")
        if depth == 0 and mark in "}]":
            return token.end()
    return len(text)


def _illegible(text: str, reason: str = "it is not JSON") -> Unread:
    seq, session_id = _SEQ.search(text), _SESSION.search(text)
    return Unread(
        reason,
        int(seq[1]) if seq else None,
        session_id[1] if session_id else None,
    )
