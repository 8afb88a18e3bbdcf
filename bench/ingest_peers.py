"""What ingest is measured beside: COPY, the seed's way, and ActivityWatch's server."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import asyncpg

from bench.ingest_client import Post
from tests import servers

# The seed's tables for the two ways that write past the server: the same rows, no index on the
# one, the seed's own constraints on the other.
COPY_TABLE = """
drop table if exists copied;
create table copied (session_id uuid not null, month date not null, seq integer not null,
  t bigint not null, type text not null, tab_id integer, window_id integer, url text,
  payload jsonb)"""
ROW_TABLES = """
drop table if exists seed_visits, seed_events, seed_urls;
create table seed_urls (id serial primary key, url_hash char(64) unique not null,
  url text not null, domain varchar(255) not null, title varchar(500), content text,
  content_status varchar(20) default 'pending', created_at timestamptz default now());
create table seed_events (id bigserial primary key, session_id uuid not null,
  seq integer not null, t bigint not null, type varchar(30) not null, tab_id integer,
  url_id integer references seed_urls, payload jsonb, created_at timestamptz default now(),
  unique (session_id, seq));
create table seed_visits (id bigserial primary key, session_id uuid not null,
  url_id integer not null references seed_urls, tab_id integer, entered_at timestamptz not null,
  left_at timestamptz, duration_ms integer, visit_order integer)"""
Batch = list[dict[str, Any]]


def as_copy(batches: Sequence[Batch]) -> bytes:
    """The rows of these batches, as COPY takes them: nothing left to do but to store them."""
    lines = []
    for event in (event for batch in batches for event in batch):
        payload = json.dumps(event["payload"], ensure_ascii=False) if "payload" in event else None
        fields = [
            event["sessionId"],
            "2026-05-01",
            event["seq"],
            event["t"],
            event["type"],
            event.get("tabId"),
            event.get("windowId"),
            event.get("url"),
            payload,
        ]
        lines.append("\t".join("\\N" if each is None else _escaped(str(each)) for each in fields))
    return ("\n".join(lines) + "\n").encode()


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


async def copy(url: str, pieces: Sequence[bytes]) -> float:
    """Seconds of one connection that copies these, a commit for each piece."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(COPY_TABLE)
        began = time.perf_counter()
        for piece in pieces:
            await connection.copy_to_table("copied", source=_source(piece))
        return time.perf_counter() - began
    finally:
        await connection.close()


async def _source(piece: bytes) -> Any:
    for at in range(0, len(piece), 2**18):
        yield piece[at : at + 2**18]


async def row_by_row(url: str, batches: Sequence[Batch]) -> float:
    """Seconds of the seed's way: each event and each visit by itself, a page looked up first."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(ROW_TABLES)
        began = time.perf_counter()
        for batch in batches:
            for event in batch:
                await _one(connection, event)
        return time.perf_counter() - began
    finally:
        await connection.close()


async def _one(connection: Any, event: dict[str, Any]) -> None:
    url_id = None
    payload = event.get("payload") or {}
    if event["type"] == "NAV_COMMITTED":
        hashed = sha256(event["url"].encode()).hexdigest()
        url_id = await connection.fetchval("select id from seed_urls where url_hash = $1", hashed)
        if url_id is None:
            url_id = await connection.fetchval(
                "insert into seed_urls (url_hash, url, domain, title, content, content_status)"
                " values ($1, $2, $3, $4, $5, 'extracted') returning id",
                hashed,
                event["url"],
                event["url"].split("/")[2],
                payload.get("title"),
                payload.get("content"),
            )
        await connection.execute(
            "insert into seed_visits (session_id, url_id, tab_id, entered_at, visit_order)"
            " values ($1, $2, $3, now(), $4)",
            uuid.UUID(event["sessionId"]),
            url_id,
            event["tabId"],
            event["seq"],
        )
    await connection.execute(
        "insert into seed_events (session_id, seq, t, type, tab_id, url_id, payload)"
        " values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing",
        uuid.UUID(event["sessionId"]),
        event["seq"],
        event["t"],
        event["type"],
        event.get("tabId"),
        url_id,
        json.dumps(payload),
    )


@contextmanager
def seed_server(python: Path, url: str) -> Iterator[str]:
    """The seed's way as a server (bench/ingest_rows.py), on the same database; gives its address."""
    port = servers.free_port()
    program = Path(__file__).with_name("ingest_rows.py")
    process = subprocess.Popen([str(python), "-I", str(program), url, str(port)])
    try:
        servers.wait_for(f"http://127.0.0.1:{port}/ready")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def aw_server(python: Path, buckets: Sequence[str]) -> Iterator[str]:
    """A running aw-server with a fresh store and these buckets; gives its address."""
    home = Path(tempfile.mkdtemp(prefix="mindhit-bench-aw-"))
    port = servers.free_port()
    places = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("DATA", "CONFIG", "CACHE", "STATE")}
    with (home / "log").open("wb") as said:
        process = subprocess.Popen(
            [str(python), "-m", "aw_server", "--port", str(port)],
            env={**os.environ, **places, "HOME": str(home)},
            stdout=said,
            stderr=said,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        servers.wait_for(f"{url}/api/0/info")
        for bucket in buckets:
            _make_bucket(url, bucket)
        yield url
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(home, ignore_errors=True)


def _make_bucket(url: str, bucket: str) -> None:
    body = {"client": "bench", "hostname": "bench", "type": "web.tab.current"}
    request = urllib.request.Request(
        f"{url}/api/0/buckets/{bucket}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=10).close()


def aw_post(bucket: str, batch: Batch) -> Post:
    """The same events through its bulk endpoint: what happened, when, and all that was said."""
    events = [
        {
            "timestamp": _iso(event["t"]),
            "duration": 0,
            "data": {
                "type": event["type"],
                "tabId": event.get("tabId"),
                "url": event.get("url"),
                **(event.get("payload") or {}),
            },
        }
        for event in batch
    ]
    body = json.dumps(events, ensure_ascii=False, separators=(",", ":")).encode()
    return Post(f"/api/0/buckets/{bucket}/events", {}, body)


def _iso(t: int) -> str:
    seconds, millis = divmod(t, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{millis:03d}+00:00"
