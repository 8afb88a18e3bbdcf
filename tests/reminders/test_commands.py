"""`mindhit remind` and `mindhit reminders`, as processes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mindhit.db import Database
from tests.accounts.kit import add, rows
from tests.servers import mindhit

PAGE = "https://lighthouses.example/north-sea"


async def test_a_page_is_reminded_of_put_off_paused_run_and_stopped(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    await add(db)

    def said(*arguments: str) -> Any:
        done = mindhit(*arguments, "--json", database_url=database_url, data_dir=tmp_path / "data")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    made = said("remind", PAGE, "--title", "Lighthouses")
    assert (made["title"], made["sent_count"]) == ("Lighthouses", 1)
    id_ = made["page_id"]
    assert [each["page_id"] for each in said("reminders", "list")["items"]] == [id_]
    snoozed = said("reminders", "snooze", PAGE, "--for", "tomorrow")
    assert datetime.fromisoformat(snoozed["next_alarm_time"]) > datetime.now(UTC)
    assert said("reminders", "run")["claimed"] == 0
    assert said("reminders", "pause", id_[:8])["status"] == "paused"
    assert said("reminders", "list", "--status", "active")["items"] == []
    assert said("reminders", "resume", id_[:8])["status"] == "active"
    said("remind", PAGE)
    assert said("reminders", "run", "--fetch-limit", "5")["claimed"] == 1
    assert said("reminders", "stop", PAGE) == {"page_id": id_}
    assert await rows(db, "select from alarms") == []
    unknown = mindhit(
        "reminders", "stop", PAGE, database_url=database_url, data_dir=tmp_path / "data"
    )
    assert unknown.returncode == 1
    assert "There is no reminder for" in unknown.stderr
