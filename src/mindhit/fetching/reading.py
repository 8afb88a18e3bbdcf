"""One request and its answer: bounded in time and size, every way to fail put into our own words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

import aiohttp
from yarl import URL

from mindhit.fetching import metrics
from mindhit.fetching.answer import Answer
from mindhit.fetching.classify import refusal_of_type
from mindhit.fetching.decompress import ENCODINGS, decoder_of
from mindhit.fetching.limits import HEAD_BYTES
from mindhit.fetching.model import FetchFailed, Permanent, Transient
from mindhit.fetching.sessions import forbidden_in

ERROR_BYTES: Final = 64 * 1024  # of an answer that is no page: enough to know a captcha by
_YIELD_EVERY: Final = 2**20  # bytes decompressed before others have a turn: about 3 ms
_ACCEPT: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"
HEADERS: Final = {"Accept": _ACCEPT, "Accept-Encoding": ENCODINGS, "Accept-Language": "*"}


async def ask(
    session: aiohttp.ClientSession,
    url: str,
    *,
    headers: Mapping[str, str],
    most_bytes: int,
    first_byte_s: float,
    is_cut: bool = False,
) -> Answer:
    """GET `url`, which the guard has checked. Redirects are not followed, and their bodies not read.

    A body larger than `most_bytes` raises `Permanent`, or is cut there if `is_cut`.
    """
    try:
        async with asyncio.timeout(first_byte_s):
            response = await session.get(
                URL(url, encoded=True), headers={**HEADERS, **headers}, allow_redirects=False
            )
        try:
            return await _read(response, url, most_bytes, is_cut=is_cut)
        finally:
            response.release()
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise _failure(error) from error


async def _read(
    response: aiohttp.ClientResponse, url: str, most_bytes: int, *, is_cut: bool
) -> Answer:
    headers, status = response.headers, response.status
    if sum(len(name) + len(value) for name, value in response.raw_headers) > HEAD_BYTES:
        raise Permanent(reason=f"the head of its answer is larger than {HEAD_BYTES} bytes")
    answer = Answer(url, status, headers)
    if status == 304 or answer.is_redirect:
        return answer
    if not 200 <= status < 300:
        most_bytes, is_cut = min(most_bytes, ERROR_BYTES), True
    elif not is_cut and (refusal := refusal_of_type(answer.content_type)):
        raise refusal
    if (response.content_length or 0) > most_bytes and not is_cut:
        raise _too_large(most_bytes)
    body, wire_bytes = await _body(response, most_bytes, is_cut=is_cut)
    metrics.BYTES.inc(wire_bytes)
    return Answer(url, status, headers, body, wire_bytes)


async def _body(
    response: aiohttp.ClientResponse, most_bytes: int, *, is_cut: bool
) -> tuple[bytes, int]:
    decoder = decoder_of(response.headers.get("Content-Encoding", ""))
    body, wire_bytes, next_turn = bytearray(), 0, _YIELD_EVERY
    async for chunk in response.content.iter_any():
        wire_bytes += len(chunk)
        pieces: Iterable[bytes] = decoder.feed(chunk) if decoder else (chunk,)
        for piece in pieces:
            body += piece
            if len(body) > most_bytes:
                if is_cut:
                    return bytes(body[:most_bytes]), wire_bytes
                raise _too_large(most_bytes)
            if len(body) > next_turn:
                next_turn += _YIELD_EVERY
                await asyncio.sleep(0)
        if wire_bytes > most_bytes:  # compressed to nothing: empty parts, one after the other
            raise _too_large(most_bytes)
    return bytes(body), wire_bytes


# The first that fits.
_MEANINGS: Final[Mapping[type[Exception], tuple[type[FetchFailed], str]]] = {
    TimeoutError: (Transient, "no answer in time"),
    aiohttp.ClientSSLError: (Permanent, "its certificate is not valid"),
    aiohttp.ClientResponseError: (Permanent, "its answer is not HTTP, or its head is too large"),
    aiohttp.InvalidURL: (Permanent, "its address can't be used"),
    ValueError: (Permanent, "its address can't be used"),
    aiohttp.ClientConnectorDNSError: (Transient, "its name can't be resolved"),
    aiohttp.ClientConnectorError: (Transient, "it can't be reached"),
}


def _too_large(most_bytes: int) -> Permanent:
    return Permanent(reason=f"it is larger than {most_bytes} bytes")


def _failure(error: Exception) -> FetchFailed:
    """Names that can't be resolved are transient too: a machine that is offline finds none at all."""
    if forbidden := forbidden_in(error):
        return forbidden
    kind, reason = next(
        (meaning for errors, meaning in _MEANINGS.items() if isinstance(error, errors)),
        (Transient, f"the connection broke: {type(error).__name__}"),
    )
    return kind(reason=reason)
