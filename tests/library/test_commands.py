"""`mindhit import`, `export`, `links` and `search`, as processes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mindhit.db import Database
from tests.accounts.kit import add, rows
from tests.insight.kit import BREAD, Seen
from tests.library import bookmark_files as files
from tests.library.search_kit import reader
from tests.servers import mindhit


async def test_bookmarks_go_in_and_out_by_commands(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    await add(db)
    settings = {"database_url": database_url, "data_dir": tmp_path / "data"}
    file = tmp_path / "bookmarks.html"
    file.write_text(files.SLOPPY, encoding="utf-8")
    told = mindhit("import", str(file), **settings)
    assert told.returncode == 0, told.stderr
    assert "4 bookmarks added, 0 already there, 3 failed." in told.stdout
    assert "line 8: There is no address." in told.stdout
    again = mindhit("import", str(file), "--json", **settings)
    assert json.loads(again.stdout)["job"]["added_items"] == 0
    out = tmp_path / "out.json"
    assert mindhit("export", "--format", "json", "--file", str(out), **settings).returncode == 0
    assert len(json.loads(out.read_text())["items"]) == 6
    assert mindhit("export", "--file", str(out), **settings).returncode == 1
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("no bookmarks")
    assert mindhit("import", str(nothing), **settings).returncode == 1
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update link_metadata set state = 'dead', reason = 'the site answered 403'"
        )
    dead = mindhit("links", "dead", "--json", **settings)
    assert {each["reason"] for each in json.loads(dead.stdout)} == {"the site answered 403"}
    retried = mindhit("links", "retry", "--json", **settings)
    assert json.loads(retried.stdout) == {"retried": 4}
    states = await rows(db, "select distinct state from link_metadata")
    assert [each["state"] for each in states] == ["waiting"]


async def test_what_was_recorded_is_found_by_a_command(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    async with reader(db, await add(db)) as ada:
        await ada.record(Seen("https://bread.example/", "[bold]A\x1b[2J loaf", BREAD))
    settings = {"database_url": database_url, "data_dir": tmp_path / "data"}
    told = mindhit("search", "wild yeast", "site:bread.example", **settings)
    assert told.returncode == 0, told.stderr
    assert "[bold]A" in told.stdout
    assert "\x1b[2J" not in told.stdout
    assert "wild yeast" in told.stdout
    assert re.search(r"· \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z+]", told.stdout)
    found = json.loads(mindhit("search", "sourdough", "--json", **settings).stdout)
    assert [hit["kind"] for hit in found["hits"]] == ["page"]
    assert "Nothing found." in mindhit("search", "--", "sourdough", "-yeast", **settings).stdout
    assert (
        "Nothing found." in mindhit("search", "\udcff", **settings).stdout
    )  # a byte that is no text
