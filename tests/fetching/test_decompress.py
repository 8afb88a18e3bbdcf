"""Decompressing in pieces gives what was compressed, whatever the lengths and the pieces it comes in."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.fetching.decompress import PIECE_BYTES, decoder_of


def raw(body: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return compressor.compress(body) + compressor.flush()


COMPRESS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "deflate, as many servers send it": raw,
    "br": brotli.compress,
}


def whole(encoding: str, sent: bytes, size: int) -> bytes:
    decoder = decoder_of(encoding.partition(",")[0])
    assert decoder is not None
    pieces = [
        piece
        for start in range(0, len(sent), size)
        for piece in decoder.feed(sent[start : start + size])
    ]
    assert all(len(piece) <= PIECE_BYTES for piece in pieces if "br" not in encoding)
    return b"".join(pieces)


@pytest.mark.parametrize("encoding", COMPRESS)
@given(
    length=st.integers(0, 400) | st.integers(PIECE_BYTES - 300, PIECE_BYTES + 600),
    text=st.binary(min_size=1, max_size=40),
    size=st.sampled_from([7, 1_000, 1 << 20]),
)
def test_nothing_is_lost_at_the_end_of_a_piece(
    encoding: str, length: int, text: bytes, size: int
) -> None:
    body = (text * (length // len(text) + 1))[:length]
    assert whole(encoding, COMPRESS[encoding](body), size) == body
