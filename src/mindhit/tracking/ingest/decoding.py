"""Decode the body of a batch into events, as many as can be read.

    typed       the whole body at once, straight into structs: what a healthy client sends
    one by one  when an event has a field of the wrong type, or contains NUL or an unpaired surrogate: the
                others are read, that one is reported, or read with such characters replaced
    leniently   when the body is not valid JSON (invalid UTF-8, a broken event)
    salvaged    when it still cannot be parsed: each event on its own, from where it seems to begin

A batch is refused as a whole where it is not a list of events at all, or broken and larger than
`MAX_BROKEN_BYTES`. Parsers written in C hold the interpreter lock, in a thread too, so no single call
may be given more than takes a few milliseconds: 8 MB took the lenient way half a second.
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
from mindhit.tracking.protocol import MAX_BODY_BYTES, EventBatch, SentEvent

# Of a body that is not JSON. A browser that is refused sends smaller batches.
MAX_BROKEN_BYTES: Final = 1024 * 1024
# Of one event. The longest texts that are kept take 200 KB when every character of them is escaped.
MAX_EVENT_BYTES: Final = 1024 * 1024
# A body with more is not a batch, and not worth the memory that parsing it takes.
_MAX_COMMAS: Final = 500_000
_MAX_GZIP_MEMBERS: Final = 16  # each one copies the rest of the body
# An event has a few dozen brackets and strings; one with more is not followed to its end.
_MAX_TOKENS: Final = 5_000


class UnreadableEvent(msgspec.Struct, gc=False):
    """An event that cannot be decoded, with as much of it as could be found out."""

    reason: str
    seq: int | None = None
    session_id: str | None = None
    t: float | None = None


class _RawBatch(msgspec.Struct):
    events: list[msgspec.Raw]


_typed = msgspec.json.Decoder(EventBatch)
_raw = msgspec.json.Decoder(_RawBatch)
_one = msgspec.json.Decoder(SentEvent)
_lenient = json.JSONDecoder(strict=False)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_SEQ = re.compile(r'"seq"\s*:\s*(\d{1,10})(?![\d.eE])')
_SESSION = re.compile(r'"sessionId"\s*:\s*"([^"\\]{1,64})"')
_EVENTS = re.compile(r'"events"\s*:\s*\[')
# An unterminated string is one token up to the end: searching inside it would be quadratic.
_NESTING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
# Where an event begins. It cannot match inside a string, where the quotes would be escaped.
_BEGIN = re.compile(
    rf',\s*(?=\{{\s*"(?:{"|".join(SentEvent.__struct_encode_fields__)})"\s*:)', re.ASCII
)
_END = re.compile(r"\]\s*\}\s*\Z", re.ASCII)
# What decoders raise for a body that is not JSON, or nested too deeply.
_NOT_JSON = (msgspec.DecodeError, ValueError, RecursionError)


def decompress(body: bytes) -> bytes:
    """The content of a gzipped body of one or more members. Raises `TooLarge` at the first byte
    over the limit."""
    content = b""
    for _ in range(_MAX_GZIP_MEMBERS):
        member = zlib.decompressobj(31)
        try:
            content += member.decompress(body, MAX_BODY_BYTES + 1 - len(content))
        except zlib.error:
            raise BadBatch("The body is declared as gzip and is not.") from None
        if len(content) > MAX_BODY_BYTES:
            raise TooLarge(f"A batch may have {MAX_BODY_BYTES} bytes when decompressed.")
        if not member.eof:
            raise BadBatch("The gzipped body is truncated.")
        body = member.unused_data.lstrip(b"\0")  # padding up to a block
        if not body:
            return content
    raise BadBatch("The gzipped body has too many parts.")


def decode(body: bytes, limit: int) -> list[SentEvent | UnreadableEvent]:
    """The events of a batch in the order they were sent; at most `limit` + 1 of a broken body.

    Raises `BadBatch` where there is no list of events.
    """
    if b"\\u0000" not in body:
        try:
            return list(_typed.decode(body).events)
        except _NOT_JSON:  # or an event with a field of the wrong type
            pass
    if _is_excessive(body):
        raise BadBatch
    try:
        events = _raw.decode(body).events
    except msgspec.ValidationError:
        raise BadBatch from None
    except _NOT_JSON:
        return _decode_leniently(body, limit)
    return [_decode_raw(event) for event in events[: limit + 1]]


def _is_excessive(body: bytes) -> bool:
    """Whether there are too many commas outside of strings."""
    if body.count(b",") <= _MAX_COMMAS:
        return False
    plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    if plain.count(b'"') > _MAX_COMMAS:
        return True
    return sum(each.count(b",") for each in plain.split(b'"')[::2]) > _MAX_COMMAS


def _decode_raw(event: msgspec.Raw) -> SentEvent | UnreadableEvent:
    sent = bytes(event)
    if len(sent) > MAX_EVENT_BYTES:
        return _unparsable(sent[:MAX_EVENT_BYTES].decode("utf-8", "replace"), "it is too large")
    if b"\\u0000" in sent:
        return _decode_text(sent.decode("utf-8", "replace"))
    try:
        return _one.decode(sent)
    except msgspec.ValidationError as wrong:
        reason = str(wrong)
    except _NOT_JSON:
        return _decode_text(sent.decode("utf-8", "replace"))
    try:
        return _unreadable(reason, msgspec.json.decode(sent))
    except _NOT_JSON:  # in a field that is ignored, or a number out of range
        return _unparsable(sent.decode("utf-8", "replace"), reason)


def _decode_text(text: str) -> SentEvent | UnreadableEvent:
    """One event, with what PostgreSQL cannot store replaced."""
    try:
        return _convert(_lenient.decode(text))
    except _NOT_JSON:
        return _unparsable(text)


def _unreadable(reason: str, event: object) -> UnreadableEvent:
    """With its number, session and time, where those can be read."""
    if not isinstance(event, dict):
        return UnreadableEvent(reason)
    seq, session_id, t = event.get("seq"), event.get("sessionId"), event.get("t")
    return UnreadableEvent(
        reason,
        seq if isinstance(seq, int) and not isinstance(seq, bool) else None,
        session_id if isinstance(session_id, str) else None,
        t if isinstance(t, int | float) and not isinstance(t, bool) else None,
    )


def _decode_leniently(body: bytes, limit: int) -> list[SentEvent | UnreadableEvent]:
    if len(body) > MAX_BROKEN_BYTES:
        raise BadBatch("This is not JSON. Send smaller batches.")
    text = body.decode("utf-8", "replace")
    try:
        whole = _lenient.decode(text)
    except _NOT_JSON:
        return _salvage(text, limit)
    events = whole.get("events") if isinstance(whole, dict) else None
    if not isinstance(events, list):
        raise BadBatch
    return [_convert(event) for event in events[: limit + 1]]


def _convert(event: object) -> SentEvent | UnreadableEvent:
    try:
        cleaned = _cleaned(event)
    except RecursionError:
        return UnreadableEvent("it is nested too deeply")
    try:
        return msgspec.convert(cleaned, SentEvent)
    except msgspec.ValidationError as wrong:
        return _unreadable(str(wrong), cleaned)


def storable(text: str) -> str:
    """The text without what PostgreSQL cannot store: NUL and unpaired surrogates."""
    return _UNSTORABLE.sub("\ufffd", text)


def _cleaned(value: Any) -> Any:
    """The same value with every text in it storable."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(each) for key, each in value.items()}
    return value


def _salvage(text: str, limit: int) -> list[SentEvent | UnreadableEvent]:
    """The events of a body that cannot be parsed: each on its own, from where it seems to begin."""
    start = _EVENTS.search(text)
    if start is None:
        raise BadBatch
    begins = [each.end() for each in islice(_BEGIN.finditer(text, start.end()), limit + 1)]
    found: list[SentEvent | UnreadableEvent] = []
    for at, end in pairwise([start.end(), *begins, len(text)]):
        found += islice(_pieces(text[at:end]), limit + 1 - len(found))
    if found and isinstance(found[-1], UnreadableEvent) and _END.search(text) is None:
        # The event in which the body ends may arrive whole the next time: it gets no number yet.
        found[-1] = UnreadableEvent("the batch breaks off in it")
    if not any(each.seq is not None for each in found):
        raise BadBatch
    return found


def _pieces(text: str) -> Iterator[SentEvent | UnreadableEvent]:
    """Usually one event; more where one does not begin as events do."""
    at = _skip_separators(text, 0)
    while at < len(text) and text[at] != "]":
        try:
            event, end = _lenient.raw_decode(text, at)
            yield _convert(event)
        except _NOT_JSON:
            end = _end_of_object(text, at)
            yield _unparsable(text[at:end])
        at = _skip_separators(text, end)


def _skip_separators(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,}":
        at += 1
    return at


def _end_of_object(text: str, at: int) -> int:
    depth = 0
    for token in islice(_NESTING.finditer(text, at), _MAX_TOKENS):
        bracket = token[0]
        depth += (bracket in "{[") - (bracket in "}]")
        if depth == 0 and bracket in "}]":
            return token.end()
    return len(text)


def _unparsable(text: str, reason: str = "it is not JSON") -> UnreadableEvent:
    seq, session_id = _SEQ.search(text), _SESSION.search(text)
    return UnreadableEvent(
        reason, int(seq[1]) if seq else None, session_id[1] if session_id else None
    )
