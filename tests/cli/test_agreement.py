"""Popup, API, web app and command line agree on pages and time, for 200 random sessions; and without the
popup for what no extension would send."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mindhit.db import Database
from mindhit.durations import MINUTE_MS, in_hours
from tests import servers
from tests.accounts.kit import run_jobs
from tests.tracking import traces
from tests.tracking.kit import Json, browsing
from tests.tracking.readers import Reader, reader

ROOT = Path(__file__).resolve().parents[2]
RECORDED = 200  # by the extension's own code
SENT = 40  # anything that a client may send
SESSIONS = RECORDED + SENT
APART_MS = 7 * 3_600_000 + 61_003  # so that they lie on many days, and some cross a midnight
ROW = re.compile(
    r"^([0-9a-f-]{36})\s+\S+ \S+\s+(\w+)\s+((?:< )?\d+ (?:h|min)(?: \d+ min)?)\s+(\d+)\b",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Answers:
    """All that the API says of the sessions."""

    sessions: list[Json]
    details: dict[str, Json]
    totals: Json
    charts: list[list[Json]]


def run_typescript(path: str, given: object, folder: Path) -> str:
    """What a program of the web app's or the extension's code writes. Through files: Node may find
    a pipe full and give up."""
    if not (ROOT / "node_modules" / "esbuild").is_dir():
        assert os.environ.get("CI") != "true", "node_modules is missing"
        pytest.skip("node_modules is missing: run make test")
    bundle = folder / "program.mjs"
    node = [sys.executable, str(ROOT / "tools/node.py"), "exec", "--", "node"]
    made = subprocess.run(
        [
            *node,
            str(ROOT / "node_modules/esbuild/bin/esbuild"),
            str(ROOT / path),
            *("--bundle", "--format=esm", "--platform=node", "--log-level=error"),
            f"--outfile={bundle}",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_text(json.dumps(given))
    done = subprocess.run(
        [*node, str(bundle), str(asked), str(answered)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return answered.read_text()


async def record(ada: Reader, folder: Path) -> None:
    """Sessions of the extension. While it runs and after its end, the server counts as the popup does."""
    asked = {"count": RECORDED, "startedAt": traces.START, "apartMs": APART_MS}
    for said in json.loads(run_typescript("extension/src/testing-sessions.ts", asked, folder)):
        session = await ada.records.start(said["id"], started_at=said["startedAt"])
        events = said["events"]
        for first in range(0, len(events), 200):
            answer = await ada.records.send(session, *events[first : first + 200])
            assert answer["rejected"] == []
        live = (await ada.show(session))["session"]
        assert (live["page_count"], live["highlight_count"]) == (said["pages"], said["highlights"])
        body = {"ended_at": said["endedAt"], "last_seq": len(events)}
        stopped = await ada.records.client.post(f"/v1/sessions/{session}/stop", json=body)
        assert stopped.status_code == 202, stopped.text
        await run_jobs(ada.records.db)
        closed = (await ada.show(session))["session"]
        assert closed["page_count"] == said["pages"]
        assert closed["total_duration_ms"] == said["ms"]
        if said["name"] is not None:
            assert closed["named_after"]["more_pages"] == said["name"]["morePages"]


async def send_anything(ada: Reader) -> None:
    for number in range(RECORDED, SESSIONS):
        shift = number * APART_MS
        events = [
            {**each, "t": each["t"] + shift} for each in browsing(number, 6 + number % 5 * 15)
        ]
        started = traces.START + shift
        session = await ada.records.start(started_at=started)
        await ada.records.send(session, *events)
        ended = max(each["t"] for each in events) + 1_000
        body = {"ended_at": ended, "last_seq": len(events)}
        stopped = await ada.records.client.post(f"/v1/sessions/{session}/stop", json=body)
        assert stopped.status_code == 202, stopped.text


async def ask(ada: Reader) -> Answers:
    sessions: list[Json] = []
    more: Json = {}
    while more.get("cursor", "") is not None:
        page = await ada.get("/sessions", limit=100, **more)
        sessions += page["sessions"]
        more = {"cursor": page["next_cursor"]}
    details = {each["id"]: await ada.show(each["id"]) for each in sessions}
    first = datetime.fromtimestamp(traces.START / 1000, UTC) - timedelta(days=2)
    last = first + timedelta(days=SESSIONS * APART_MS / 86_400_000 + 4)
    period = {"from": first.isoformat(), "to": last.isoformat()}
    charts = []
    for week in range(0, (last - first).days, 7):
        day = (first + timedelta(days=week)).date()
        answer = await ada.get("/totals/days", **{"from": str(day), "count": 7, "limit": 30})
        charts.append(answer["days"])
    return Answers(sessions, details, await ada.get("/totals", **period), charts)


def web_words(answers: Answers, folder: Path) -> Json:
    """What the web app's own functions make of the answers."""
    given = {"sessions": answers.sessions, "charts": answers.charts}
    found: Json = json.loads(run_typescript("web/src/testing-words.ts", given, folder))
    return found


def page_of(visit: Json) -> str:
    """A page is a url's identity; its address may be seen in several forms."""
    found: str = visit.get("url_id") or visit["url"]
    return found


def check_api(answers: Answers) -> None:
    for listed in answers.sessions:
        detail = answers.details[listed["id"]]
        focused = [each for each in detail["page_visits"] if each["is_focused"]]
        assert listed["page_count"] == detail["session"]["page_count"]
        assert listed["page_count"] == len({page_of(each) for each in focused})
        assert listed["total_duration_ms"] == detail["session"]["total_duration_ms"]
        assert listed["total_duration_ms"] == sum(each["duration_ms"] for each in focused)
    whole = sum(each["total_duration_ms"] for each in answers.sessions)
    assert answers.totals["focused_ms"] == whole
    assert sum(day["focused_ms"] for days in answers.charts for day in days) == whole


def check_cli(answers: Answers, database_url: str) -> None:
    def run(*arguments: str) -> str:
        command = ("session", "list", "--limit", str(SESSIONS), *arguments)
        done = servers.mindhit(*command, database_url=database_url)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert json.loads(run("--json")) == answers.sessions
    rows = {id_: (time, int(pages)) for id_, _, time, pages in ROW.findall(run())}
    assert rows == {
        each["id"]: (in_hours(each["total_duration_ms"]), each["page_count"])
        for each in answers.sessions
    }


def check_web(answers: Answers, said: Json) -> None:
    by_id = {each["id"]: each for each in said["sessions"]}
    for each in answers.sessions:
        count, ms = each["page_count"], each["total_duration_ms"]
        pages = f"{count} page{'' if count == 1 else 's'}" if count else "Nothing was recorded"
        time = in_hours(ms) if count or ms else "–"
        assert by_id[each["id"]] == {"id": each["id"], "pages": pages, "time": time}
    for days, chart in zip(answers.charts, said["charts"], strict=True):
        total = sum(day["focused_ms"] for day in days)
        minutes = (total + MINUTE_MS // 2) // MINUTE_MS
        assert chart["total"] == total
        assert sum(chart["parts"]) == minutes
        assert sum(day["minutes"] for day in chart["days"]) == minutes
        assert all(sum(day["parts"]) == day["minutes"] for day in chart["days"])


@pytest.fixture
async def answers(db: Database, tmp_path: Path) -> AsyncIterator[Answers]:
    async with reader(db) as ada:
        await record(ada, tmp_path)
        await send_anything(ada)
        await run_jobs(db)
        yield await ask(ada)


async def test_popup_api_web_and_command_line_agree(
    answers: Answers, database_url: str, tmp_path: Path
) -> None:
    assert len(answers.sessions) == SESSIONS
    assert {each["status"] for each in answers.sessions} == {"completed"}
    counts = [each["page_count"] for each in answers.sessions]
    assert 0 in counts
    assert max(counts) > 1
    check_api(answers)
    check_cli(answers, database_url)
    check_web(answers, web_words(answers, tmp_path))
