"""The attackers' side of `bench/abuse.py`: requests byte by byte, from an address of their own, and the
other person, who records and reads in a process of their own and notes how long each answer took."""

import asyncio
import json
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event as StopEvent
from pathlib import Path
from typing import Any

ATTACKER = "127.0.0.2"
ANSWER_S = 30.0
BETWEEN_S = 0.05
EVENTS_AT_ONCE = 5


@dataclass(slots=True)
class Target:
    """Where the server is, whose tokens the attackers have, and what they were answered."""

    port: int
    token: str
    session_id: str
    other_token: str = ""
    until: float = 0.0
    seq: int = 0
    answers: Counter[int] = field(default_factory=Counter)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.until

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(ATTACKER, 0))

    def head(self, method: str, path: str, size: int | None, **headers: str) -> bytes:
        lines = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Connection": "close",
            **({} if size is None else {"Content-Length": str(size)}),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        return (
            f"{method} {path} HTTP/1.1\r\n"
            + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            + "\r\n"
        ).encode()

    async def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> int:
        """The status; 0 where nothing was answered."""
        sent = self.head(method, path, None if body is None else len(body), **headers)
        return await self.say(sent + (body or b""))

    async def say(self, sent: bytes) -> int:
        status = 0
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(ANSWER_S):
                reader, writer = await self.connect()
                try:
                    with suppress(OSError):
                        writer.write(sent)
                        await writer.drain()
                    line = await reader.readline()
                    status = int(line.split()[1]) if line.startswith(b"HTTP/") else 0
                    while await reader.read(1 << 16):
                        pass
                finally:
                    writer.close()
        self.answers[status] += 1
        return status

    async def repeat(
        self, at_once: int, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> None:
        """The same request from several connections, until the time is over, and once at least."""

        async def one() -> None:
            await self.ask(method, path, body, **headers)
            while not self.is_over:
                await self.ask(method, path, body, **headers)

        await asyncio.gather(*(one() for _ in range(at_once)))

    async def post_batch(self, body: bytes, at_once: int = 4, **headers: str) -> None:
        path = f"/v1/sessions/{self.session_id}/events:batch"
        await self.repeat(at_once, "POST", path, body, Content_Type="application/json", **headers)


def other_person(
    port: int, token: str, session_id: str, stop: StopEvent, file: Path, ready: StopEvent
) -> None:
    noted = asyncio.run(_record_and_read(port, token, session_id, stop, ready))
    file.write_text(json.dumps(noted))


async def _record_and_read(
    port: int, token: str, session_id: str, stop: StopEvent, ready: StopEvent
) -> dict[str, Any]:
    """Record and read in turns until told to stop; then say when each answer came, and how late."""
    taken: list[tuple[float, float, int]] = []
    sent, acked = 0, 0
    reads = [
        f"/v1/sessions/{session_id}",
        "/v1/sessions?limit=20",
        "/v1/totals",
    ]
    number = 0
    while not stop.is_set():
        events = [_event(sent + 1 + each, session_id) for each in range(EVENTS_AT_ONCE)]
        body = json.dumps({"events": events}).encode()
        path = f"/v1/sessions/{session_id}/events:batch"
        status, answer = await _timed(taken, port, token, "POST", path, body)
        if status == 200:
            sent += EVENTS_AT_ONCE
            acked = json.loads(answer)["ackedSeq"]
        await _timed(taken, port, token, "GET", reads[number % len(reads)], b"")
        number += 1
        if number == 10:
            ready.set()
        await asyncio.sleep(BETWEEN_S)
    return {"taken": taken, "sent": sent, "acked": acked}


def _event(seq: int, session_id: str) -> dict[str, Any]:
    return {
        "seq": seq,
        "t": int(time.time() * 1000),
        "type": "TAB_ACTIVATED",
        "tabId": seq % 7,
        "sessionId": session_id,
        "url": f"https://site{seq % 50}.example/page/{seq}",
        "payload": {"title": f"Page {seq}"},
    }


async def _timed(
    taken: list[tuple[float, float, int]],
    port: int,
    token: str,
    method: str,
    path: str,
    body: bytes,
) -> tuple[int, bytes]:
    began = time.monotonic()
    status, answer = 0, b""
    try:
        async with asyncio.timeout(ANSWER_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = (
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode() + body)
            whole = await reader.read()
            writer.close()
            status, answer = int(whole.split(None, 2)[1]), whole.partition(b"\r\n\r\n")[2]
    except (OSError, TimeoutError, IndexError, ValueError):
        pass
    taken.append((began, time.monotonic() - began, status))
    return status, answer
