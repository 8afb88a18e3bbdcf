"""Undoing Content-Encoding piece by piece, so that no piece is larger than PIECE_BYTES.

A kilobyte can stand for a megabyte. Each call of a decoder makes a bounded piece, and who reads
counts the pieces: a bomb is stopped at the limit, whatever it would have become.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, Final, Protocol

import brotli

from mindhit.fetching.model import Permanent

ENCODINGS: Final = "gzip, deflate, br"  # what we ask for
PIECE_BYTES: Final = 64 * 1024
_MOST_LAYERS: Final = 2
_MOST_MEMBERS: Final = 1000  # gzip files of an answer, one after the other; servers send one


class Decoder(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]:
        """What follows from these bytes, in bounded pieces. Raises `Permanent` for nonsense."""


def decoder_of(content_encoding: str) -> Decoder | None:
    """None where nothing is to be undone. Raises `Permanent` for an encoding we did not ask for."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    layers = [_decoder(name) for name in reversed(names) if name not in {"", "identity"}]
    if len(layers) > _MOST_LAYERS:
        raise Permanent(reason="compressed too many times")
    if not layers:
        return None
    return layers[0] if len(layers) == 1 else _Layers(layers)


def _decoder(name: str) -> Decoder:
    match name:
        case "gzip" | "x-gzip":
            return _Zlib(zlib.MAX_WBITS | 16, has_members=True)
        case "deflate":
            return _Deflate()
        case "br":
            return _Brotli()
    raise Permanent(reason=f"compressed in a way that was not asked for: {name[:20]}")


class _Zlib:
    def __init__(self, bits: int, *, has_members: bool = False) -> None:
        self._bits = bits
        self._has_members = has_members
        self._members = 1
        self._stream = zlib.decompressobj(bits)

    def feed(self, data: bytes) -> Iterator[bytes]:
        is_full = False  # then there may be more to come of what it has read already
        while data or is_full:
            if self._stream.eof:
                if not self._has_members or not data.startswith(b"\x1f\x8b"):
                    return  # padding behind the end, as browsers see it
                self._members += 1
                if self._members > _MOST_MEMBERS:
                    raise Permanent(reason="compressed in too many parts")
                self._stream = zlib.decompressobj(self._bits)
            try:
                piece = self._stream.decompress(data, PIECE_BYTES)
            except zlib.error:
                raise Permanent(reason="its compression is broken") from None
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
            is_full = len(piece) == PIECE_BYTES and not self._stream.eof
            if piece:
                yield piece


class _Deflate:
    """Half of all servers leave out the header that the name `deflate` asks for."""

    def __init__(self) -> None:
        self._stream: _Zlib | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            if not data:
                return
            has_header = data[0] & 0x0F == 8
            self._stream = _Zlib(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)
        yield from self._stream.feed(data)


class _Brotli:
    def __init__(self) -> None:
        self._stream: Any = brotli.Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        while not self._stream.is_finished():
            try:
                piece = self._stream.process(data, output_buffer_limit=PIECE_BYTES)
            except brotli.error:
                raise Permanent(reason="its compression is broken") from None
            if not piece:
                return
            data = b""  # it keeps what it has not used yet
            yield piece


class _Layers:
    def __init__(self, layers: list[Decoder]) -> None:
        self._layers = layers

    def feed(self, data: bytes) -> Iterator[bytes]:
        outer, inner = self._layers
        for piece in outer.feed(data):
            yield from inner.feed(piece)
