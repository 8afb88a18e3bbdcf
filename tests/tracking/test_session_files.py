"""A session as a file: exact, in the reader's time zone, and harmless whatever pages are called."""

from __future__ import annotations

import csv
import io
import json
import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mindhit.db import Database
from tests.accounts.kit import run_jobs
from tests.tracking.kit import START, activate, alive, event, let_pass, nav, work_off
from tests.tracking.readers import Reader, reader

A, B = "https://example.org/a?x=1|2", "https://example.org/b"


async def a_session(ada: Reader) -> str:
    """Two pages, a highlight, and somebody who went away; all of it named to break things."""
    session = await ada.record(
        "# a | title [x](y) <script>",
        activate(1, 0, A, title='=HYPERLINK("https://evil.example")'),
        event(2, "HIGHLIGHT", 500, tabId=1, url=A, payload={"text": "one <b>\n# two"}),
        nav(3, 1_234, B, title="제목 | 둘\n새 줄"),
        event(4, "IDLE_STATE_CHANGED", 2_000, payload={"state": "locked"}),
        alive(5, 3_000),
    )
    await run_jobs(ada.records.db)
    return session


async def test_markdown_has_the_timeline_and_the_highlights(db: Database) -> None:
    async with reader(db) as ada:
        await ada.browser.patch("/v1/me/settings", json={"timezone": "Asia/Seoul"})
        session = await a_session(ada)
        [highlight] = (await ada.get("/highlights"))["highlights"]
        note = {"note": "# mine\n<b>second</b>"}
        await ada.browser.patch(f"/v1/highlights/{highlight['id']}", json=note)
        answer = await ada.browser.get(f"/v1/sessions/{session}/export?format=md")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["content-disposition"] == (
        f'attachment; filename="mindhit-2025-06-16-{session[:8]}.md"'
    )
    assert answer.text == (
        r"# \# a \| title \[x\](y) \<script\>"
        "\n\n"
        "2025-06-16 00:06:40.000 – 2025-06-16 00:06:44.000 (Asia/Seoul)  \n"
        "0:02.000 on 2 pages\n"
        "\n## Timeline\n\n"
        "| from | to | duration | page |\n"
        "|---|---|---:|---|\n"
        "| 2025-06-16 00:06:40.000 | 2025-06-16 00:06:41.234 | 0:01.234 |"
        ' [=HYPERLINK("https://evil.example")](<https://example.org/a?x=1%7C2>) |\n'
        "| 2025-06-16 00:06:41.234 | 2025-06-16 00:06:42.000 | 0:00.766 |"
        r" [제목 \| 둘 새 줄](<https://example.org/b>) |"
        "\n"
        "| 2025-06-16 00:06:42.000 | 2025-06-16 00:06:44.000 | 0:02.000 | *away* |\n"
        "\n## Highlights\n\n"
        r"> one \<b\>"
        "\n"
        r"> \# two"
        "\n>\n"
        "> — <https://example.org/a?x=1%7C2>, 2025-06-16 00:06:40.500\n"
        "\n"
        r"\# mine"
        "\n"
        r"\<b\>second\</b\>"
        "\n"
    )


async def test_markdown_gives_up_what_is_missing_only_when_the_session_is_closed(
    db: Database,
) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        await ada.records.send(session, activate(1, 0, A), nav(4, 1_000, B))
        path = f"/v1/sessions/{session}/export?format=md"
        recording = await ada.browser.get(path)
        await ada.records.stop(session, 2_000, 4)
        processing = await ada.browser.get(path)
        await let_pass(db, session, minutes=3)
        await work_off(db)
        completed = await ada.browser.get(path)
    for answer in (recording, processing):
        assert "Some events of this session have not arrived yet; the timeline" in answer.text
    assert "Some events of this session never arrived; the timeline" in completed.text


async def test_csv_has_a_line_for_each_visit_and_no_formula(db: Database) -> None:
    async with reader(db) as ada:
        await ada.browser.patch("/v1/me/settings", json={"timezone": "America/New_York"})
        session = await a_session(ada)
        answer = await ada.browser.get(f"/v1/sessions/{session}/export?format=csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    first, second = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert first["title"] == '\'=HYPERLINK("https://evil.example")'
    assert first["entered_at"] == "2025-06-15T11:06:40.000-04:00"
    assert (first["duration_ms"], first["visit_order"]) == ("1234", "1")
    assert second["title"] == "제목 | 둘\n새 줄"
    assert second["left_at"] == "2025-06-15T11:06:42.000-04:00"


# Titles as they come, and as they stand in a cell: at no place where a program may cut one does it
# begin with what is taken for a formula.
CELLS = {
    **{f"{lead}1+1": f"'{lead}1+1" for lead in ("=", "+", "-", "@", "＝", "＋", "－", "＠")},
    **{
        f"{blank}=1": f"'{blank}=1" for blank in ("\t", " ", "\u200b", "\ufeff", "\u00a0", "\u202e")
    },
    "\ttext": "'\ttext",
    "\rtext": "'\rtext",
    "x;=1": "x;'=1",
    "x; \u200b@f": "x;' \u200b@f",
    'x;"=1"': 'x;\'"=1"',
    "x\t=1": "x\t'=1",
    "x\r\n+1": "x\r'\n+1",
    "a = b - c": "a = b - c",
    "x;y": "x;y",
    "mail@example.org": "mail@example.org",
}


async def test_whatever_begins_a_formula_is_text(db: Database) -> None:
    async with reader(db) as ada:
        log = [
            (nav if n > 1 else activate)(n, n * 10, f"https://example.org/{n}", title=title)
            for n, title in enumerate(CELLS, 1)
        ]
        session = await ada.record(None, *log)
        answer = await ada.browser.get(f"/v1/sessions/{session}/export?format=csv")
        lines = io.StringIO(answer.content.decode("utf-8-sig"), newline="")
    assert [visit["title"] for visit in csv.DictReader(lines)] == list(CELLS.values())


LINES = ["===", "---", "- item", "+ item", "* item", "1. item", "12) item", "# head", "> quote",
         "```", "~~~", "`code`", "| a | b |", ":-:", "--- | ---", "    code", "<b>", "&amp;", "[x](y)",
         "![x](y)", "***", "$x$", "_x_", "-", "1.", "\tcode"]  # fmt: skip


async def test_whatever_a_marked_line_or_a_title_begins_with_is_text(db: Database) -> None:
    """As a Markdown reader sees it, not as we escape it."""
    async with reader(db) as ada:
        log = [activate(1, 0, B, title="before")]
        for line in LINES:
            url = f"https://example.org/{len(log)}"
            log.append(nav(len(log) + 1, 100 * len(log), url, title=line))
            marked = {"text": f"above\n{line}\nbelow"}
            log.append(event(len(log) + 1, "HIGHLIGHT", 100 * len(log), url=url, payload=marked))
        session = await ada.record("===", *log)
        answer = await ada.browser.get(f"/v1/sessions/{session}/export?format=md")
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(answer.text)
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert kinds == {
        *("heading", "inline", "paragraph", "blockquote"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    assert [t.tag for t in tokens if t.type == "heading_open"] == ["h1", "h2", "h2"]
    said = [_plain(token) for token in tokens if token.type == "inline"]
    assert said[0] == "==="
    for line in LINES:
        assert line.strip() in said  # a title, in its cell
        assert f"above\n{line.strip()}\nbelow" in said


def _plain(token: Token) -> str:
    """What is read of a line; a mark other than the link of a title would be missing in it."""
    children = token.children or []
    assert {t.type for t in children} <= {
        *("text", "text_special", "softbreak", "hardbreak", "link_open", "link_close"),
        *("em_open", "em_close"),
    }
    breaks = {"softbreak": "\n"}
    return "".join(
        t.content if t.type in {"text", "text_special"} else breaks.get(t.type, "")
        for t in children
    )


async def test_json_is_what_is_shown(db: Database) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        answer = await ada.browser.get(f"/v1/sessions/{session}/export?format=json")
        assert answer.headers["content-type"] == "application/json"
        assert re.search(
            r'filename="mindhit-[\d-]+-\w{8}\.json"', answer.headers["content-disposition"]
        )
        assert json.loads(answer.content) == await ada.show(session)


async def test_a_running_session_can_be_taken_along(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        await ada.records.send(session, activate(1, 0, B), alive(2, 100))
        for kind in ("md", "csv", "json"):
            answer = await ada.browser.get(f"/v1/sessions/{session}/export?format={kind}")
            assert answer.status_code == 200
            assert B in answer.text


async def test_an_unknown_format_is_refused(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.record(None, activate(1, 0, B))
        for query in ("?format=xlsx", "?format=", ""):
            answer = await ada.browser.get(f"/v1/sessions/{session}/export{query}")
            assert answer.status_code == 422
