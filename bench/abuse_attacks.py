"""The attacks of `bench/abuse.py`, by name. Each goes on until its time is over; some hold on to what they
have for so long."""

import asyncio
import base64
import gzip
import json
import os
import struct
import time
import uuid
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from bench.abuse_client import Target

Attack = Callable[[Target], Awaitable[None]]
ATTACKS: dict[str, Attack] = {}
MARKS = "a" + "\u0301\u0316" * 40_000
MB = 1024 * 1024


def attack(name: str) -> Callable[[Attack], Attack]:
    def add(function: Attack) -> Attack:
        assert name not in ATTACKS
        ATTACKS[name] = function
        return function

    return add


def batch(*events: dict[str, Any]) -> bytes:
    return json.dumps({"events": list(events)}, ensure_ascii=False).encode("utf-8", "surrogatepass")


def event(seq: int, url: str = "https://a.example/", **payload: object) -> dict[str, Any]:
    sent = {"seq": seq, "t": 1_790_000_000_000 + seq, "type": "CONTENT_EXTRACTED", "tabId": 1}
    return {**sent, "url": url, "payload": payload}


def bodies(name: str, body: bytes, *, is_gzipped: bool = False, at_once: int = 4) -> None:
    """An attack that is one body of a batch, over and over."""

    async def send(target: Target) -> None:
        if is_gzipped:
            await target.post_batch(body, at_once, Content_Encoding="gzip")
        else:
            await target.post_batch(body, at_once)

    ATTACKS[name] = send


def png(side: int = 16) -> str:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    rows = b"".join(b"\0" + os.urandom(4 * side) for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    whole = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + whole).decode()


def many(url: str) -> list[dict[str, Any]]:
    return [event(seq, url.format(seq)) for seq in range(1, 201)]


bodies(
    "80,000 combining marks in a title, gzipped",
    gzip.compress(batch(event(1, title=MARKS, content="x"))),
    is_gzipped=True,
)
bodies(
    "combining marks in 200 titles",
    batch(*(event(n, title=MARKS[:9_000], content="x") for n in range(1, 201))),
)
bodies(
    "8 MB of percent signs in a URL",
    batch(event(1, "https://a.example/" + "%" * (7 * MB))),
    at_once=2,
)
bodies("percent signs in 200 URLs", batch(*many("https://a.example/{}/" + "%" * 30_000)), at_once=2)
bodies(
    "200 queries of 4,000 parameters",
    batch(*many("https://a.example/?{}" + "&a" * 4_000)),
    at_once=2,
)
bodies(
    "hosts in 200 scripts", batch(*many("https://" + "\u00fc." * 3_000 + "{}.example/")), at_once=2
)
bodies("a gzip bomb", gzip.compress(b"0" * (200 * MB)), is_gzipped=True)
bodies(
    "a gzip bomb just below the limit",
    gzip.compress(b'{"events":[' + b" " * (8 * MB - 20) + b"]}"),
    is_gzipped=True,
)
bodies("gzip of many members", gzip.compress(b"x") * 2_000, is_gzipped=True)
bodies("gzip that breaks off", gzip.compress(os.urandom(MB))[:-20], is_gzipped=True)
bodies("8 MB of commas", b'{"events":[' + b"0," * (4 * MB - 20) + b"0]}", at_once=2)
bodies("400,000 events", b'{"events":[' + b'{"seq":1},' * 400_000 + b"{}]}", at_once=2)
bodies("nested 100,000 deep", b'{"events":[' + b"[" * 100_000 + b"]" * 100_000 + b"]}")
bodies("a string without an end", b'{"events":[{"seq":1,"t":"' + b"a" * (8 * MB - 40), at_once=2)
bodies("broken objects", b'{"events":[' + b'{"seq":1,x},' * 600_000 + b"]}", at_once=2)
bodies(
    "8 MB of NUL",
    b'{"events":[{"seq":1,"t":1,"type":"ALIVE","z":"' + b"\\u0000" * 1_300_000 + b'"}]}',
    at_once=2,
)
bodies(
    "8 MB of unpaired surrogates",
    b'{"events":[{"seq":1,"t":1,"type":"' + b"\\ud800" * 1_300_000 + b'"}]}',
    at_once=2,
)
bodies(
    "8 MB that is not UTF-8",
    b'{"events":[{"seq":1,"t":1,"type":"' + b"\xff" * (8 * MB - 60) + b'"}]}',
    at_once=2,
)
bodies("numbers out of range", b'{"events":[' + b'{"seq":1e999999,"t":-1e400},' * 150 + b"{}]}")
bodies("a number of 1,000,000 digits", b'{"events":[{"seq":' + b"9" * 1_000_000 + b"}]}")
bodies(
    "the largest batch that is accepted",
    batch(*(event(n, f"https://a{n}.example/", content="word " * 2_000) for n in range(1, 201))),
    at_once=4,
)
bodies(
    "a batch of 10,000 events",
    batch(*({"seq": n, "t": 1.8e12, "type": "ALIVE"} for n in range(1, 10_001))),
)


@attack("new texts of 10,000 characters without end")
async def texts(target: Target) -> None:
    async def one() -> None:
        while not target.is_over:
            target.seq += 200
            sent = batch(
                *(
                    event(
                        target.seq + n,
                        f"https://t.example/{target.seq + n}",
                        content=os.urandom(16).hex() * 300,
                    )
                    for n in range(200)
                )
            )
            await target.ask("POST", f"/v1/sessions/{target.session_id}/events:batch", sent)

    await asyncio.gather(*(one() for _ in range(3)))


@attack("new icons without end")
async def icons(target: Target) -> None:
    pictures = [png() for _ in range(50)]
    while not target.is_over:
        target.seq += 50
        sent = batch(
            *(
                event(
                    target.seq + n,
                    f"https://i{n}.example/{target.seq}",
                    content="x",
                    meta={"favicon": picture},
                )
                for n, picture in enumerate(pictures)
            )
        )
        await target.ask("POST", f"/v1/sessions/{target.session_id}/events:batch", sent)


@attack("a hole after every event")
async def holes(target: Target) -> None:
    while not target.is_over:
        target.seq += 4_000
        sent = batch(
            *({"seq": target.seq + 20 * n, "t": 1.79e12, "type": "ALIVE"} for n in range(200))
        )
        await target.ask("POST", f"/v1/sessions/{target.session_id}/events:batch", sent)


@attack("a batch of 200 sessions")
async def mixed(target: Target) -> None:
    sent = batch(*({**event(1), "sessionId": str(uuid.uuid4())} for _ in range(200)))
    await target.repeat(4, "POST", "/v1/events/batch", sent)


@attack("starting sessions without end")
async def starts(target: Target) -> None:
    await target.repeat(8, "POST", "/v1/sessions/start", b"{}", Content_Type="application/json")


@attack("8 MB for a route that expects a few words")
async def large_json(target: Target) -> None:
    await target.repeat(
        4,
        "PATCH",
        "/v1/me/settings",
        b"[" + b"0," * (4 * MB) + b"0]",
        Content_Type="application/json",
    )


@attack("1 MB of JSON for a route that expects a few words")
async def json_of_a_megabyte(target: Target) -> None:
    await target.repeat(
        4,
        "PATCH",
        "/v1/me/settings",
        b'{"language":[' + b"0," * 500_000 + b"0]}",
        Content_Type="application/json",
    )


@attack("a title of 1 MB")
async def long_title(target: Target) -> None:
    sent = json.dumps({"title": "\u0301" * 170_000}).encode()
    await target.repeat(
        4, "PATCH", f"/v1/sessions/{target.session_id}", sent, Content_Type="application/json"
    )


@attack("a body in ten thousand chunks")
async def chunks(target: Target) -> None:
    head = target.head("PATCH", "/v1/me/settings", None, Transfer_Encoding="chunked")
    while not target.is_over:
        await target.say(head + b"1\r\n[\r\n" * 10_000 + b"0\r\n\r\n")


@attack("excluded domains by the thousand")
async def excluded(target: Target) -> None:
    sent = json.dumps({"excluded_domains": [f"{n}.example" for n in range(40_000)]}).encode()
    await target.repeat(4, "PATCH", "/v1/me/settings", sent, Content_Type="application/json")


@attack("8 MB of changes to sync")
async def push(target: Target) -> None:
    pages = [
        {"id": uuid.uuid4().hex[:16], "title": "x" * 300, "url": f"https://p{n}.example/"}
        for n in range(18_000)
    ]
    sent = json.dumps({"pages": {"created": pages, "updated": [], "deleted": []}}).encode()[
        : 8 * MB
    ]
    await target.repeat(
        2, "POST", "/v1/sync/push?last_pulled_at=0", sent, Content_Type="application/json"
    )


@attack("importing 20 MB of nothing")
async def garbage(target: Target) -> None:
    await target.repeat(2, "POST", "/v1/imports", b"<DL><p>" * 3_000_000)


@attack("importing folders nested 100,000 deep")
async def nested(target: Target) -> None:
    sent = b"<!DOCTYPE NETSCAPE-Bookmark-file-1>" + b"<DT><H3>x</H3><DL><p>" * 100_000
    await target.repeat(2, "POST", "/v1/imports", sent)


@attack("searching for hundreds of words")
async def searches(target: Target) -> None:
    await target.repeat(8, "GET", "/v1/search?q=" + "%20".join(f"w{n}" for n in range(60)))


@attack("searching with every operator")
async def operators(target: Target) -> None:
    await target.repeat(
        8, "GET", "/v1/search?q=" + "%20".join(["-%22a%20b%22", "site:x", "a*"] * 20)
    )


@attack("the hundred-thousandth page of a list")
async def far_pages(target: Target) -> None:
    await target.repeat(8, "GET", "/v1/sessions?page=100000&limit=100&search=a")


@attack("ten exports of everything at once")
async def exports(target: Target) -> None:
    await target.repeat(10, "POST", "/v1/me/exports?new=true")


@attack("ten exports of the library at once")
async def library_exports(target: Target) -> None:
    await target.repeat(10, "GET", "/v1/library/export?format=json")


@attack("exporting a session in every format")
async def session_exports(target: Target) -> None:
    path = f"/v1/sessions/{target.session_id}/export?format="
    await asyncio.gather(*(target.repeat(3, "GET", path + name) for name in ("md", "csv", "json")))


@attack("200 reads of a timeline at once")
async def reads(target: Target) -> None:
    await target.repeat(100, "GET", f"/v1/sessions/{target.session_id}")


@attack("pulling everything, over and over")
async def pulls(target: Target) -> None:
    await target.repeat(8, "GET", "/v1/sync/pull")


@attack("counting what would be forgotten")
async def forgetting(target: Target) -> None:
    await target.repeat(
        4, "GET", "/v1/totals/days?from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z"
    )


@attack("190 live views")
async def streams(target: Target) -> None:
    await asyncio.gather(
        *(
            _hold(target, target.head("GET", f"/v1/sessions/{target.session_id}/progress", None))
            for _ in range(190)
        )
    )


@attack("tokens that do not exist")
async def wrong_tokens(target: Target) -> None:
    await target.repeat(16, "GET", "/v1/me", Authorization="Bearer mh_api_" + "x" * 43)


@attack("a token of 60,000 characters")
async def long_tokens(target: Target) -> None:
    await target.repeat(8, "GET", "/v1/me", Authorization="Bearer " + "x" * 60_000)


@attack("guessing passwords")
async def passwords(target: Target) -> None:
    sent = json.dumps({"email": "other@example.org", "password": "not this one either"}).encode()
    await target.repeat(
        16,
        "POST",
        "/v1/auth/sign-in",
        sent,
        Content_Type="application/json",
        Origin=f"http://127.0.0.1:{target.port}",
    )


@attack("passwords of 1 MB")
async def long_passwords(target: Target) -> None:
    sent = json.dumps({"email": "other@example.org", "password": "p" * 1_000_000}).encode()
    await target.repeat(
        4,
        "POST",
        "/v1/auth/sign-in",
        sent,
        Content_Type="application/json",
        Origin=f"http://127.0.0.1:{target.port}",
    )


@attack("another name for the server (DNS rebinding)")
async def rebinding(target: Target) -> None:
    await target.repeat(4, "GET", "/v1/me", Host="rebound.example")


@attack("headers of 1 MB")
async def long_header(target: Target) -> None:
    while not target.is_over:
        await target.say(target.head("GET", "/v1/me", None, X_Long="a" * MB))


@attack("20,000 headers")
async def many_headers(target: Target) -> None:
    sent = b"GET /v1/me HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n"
    while not target.is_over:
        await target.say(sent)


@attack("an address of 1 MB")
async def long_path(target: Target) -> None:
    while not target.is_over:
        await target.say(b"GET /v1/" + b"a" * MB + b" HTTP/1.1\r\n\r\n")


@attack("what is not HTTP")
async def not_http(target: Target) -> None:
    while not target.is_over:
        await target.say(b"\x16\x03\x01" + os.urandom(2_000))


@attack("500 requests in one go")
async def pipelined(target: Target) -> None:
    one = target.head("GET", "/v1/me", None, Connection="keep-alive")
    while not target.is_over:
        await target.say(one * 500 + target.head("GET", "/v1/me", None))


@attack("connections that say nothing")
async def idle(target: Target) -> None:
    await asyncio.gather(*(_hold(target, b"") for _ in range(250)))


@attack("headers that come byte by byte")
async def slow_headers(target: Target) -> None:
    await asyncio.gather(*(_trickle(target, b"GET /v1/me HTTP/1.1\r\nX: ") for _ in range(190)))


@attack("bodies that come byte by byte")
async def slow_bodies(target: Target) -> None:
    head = target.head("POST", f"/v1/sessions/{target.session_id}/events:batch", MB)
    await asyncio.gather(*(_trickle(target, head) for _ in range(190)))


@attack("imports that come byte by byte")
async def slow_imports(target: Target) -> None:
    await asyncio.gather(
        *(_trickle(target, target.head("POST", "/v1/imports", MB)) for _ in range(190))
    )


@attack("answers that nobody reads")
async def unread(target: Target) -> None:
    await asyncio.gather(
        *(_hold(target, target.head("GET", "/openapi.json", None), reads=False) for _ in range(190))
    )


@attack("hanging up in the middle of a request")
async def hang_up(target: Target) -> None:
    head = target.head("GET", f"/v1/sessions/{target.session_id}", None)

    async def one() -> None:
        while not target.is_over:
            with suppress(OSError):
                _, writer = await target.connect()
                writer.write(head)
                await writer.drain()
                writer.transport.abort()
            await asyncio.sleep(0)

    await asyncio.gather(*(one() for _ in range(8)))


async def _hold(target: Target, sent: bytes, *, reads: bool = True) -> None:
    with suppress(OSError, TimeoutError):
        reader, writer = await target.connect()
        try:
            writer.write(sent)
            async with asyncio.timeout(_left(target)):
                while not reads or await reader.read(1 << 16):
                    await asyncio.sleep(0.1)
        finally:
            writer.transport.abort()


async def _trickle(target: Target, sent: bytes) -> None:
    with suppress(OSError):
        _, writer = await target.connect()
        try:
            writer.write(sent)
            while not target.is_over:
                await asyncio.sleep(0.2)
                writer.write(b"a")
        finally:
            writer.transport.abort()


def _left(target: Target) -> float:
    return max(0.0, target.until - time.monotonic())
