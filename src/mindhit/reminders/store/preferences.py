"""How a person wants to be reminded."""

from __future__ import annotations

from datetime import time

from mindhit.accounts import Preferences
from mindhit.db import Nothing, Query, Write
from mindhit.reminders.model import Preferences as ReminderPreferences


def quiet_preferences(
    timezone: str, quiet_from: time | None, quiet_until: time | None
) -> Preferences:
    """As much of a person's settings as the schedule reads."""
    return Preferences(
        email_notification=False,
        excluded_domains=[],
        timezone=timezone,
        language="en",
        quiet_from=quiet_from,
        quiet_until=quiet_until,
        server_fetch=False,
    )


SHOW = Query(
    ReminderPreferences, "select folder_id, digest from reminder_preferences where user_id = $1"
)
CHOOSE_FOLDER = Write(
    Nothing,
    """
insert into reminder_preferences (user_id, folder_id) values ($1, $2)
on conflict (user_id) do update set folder_id = excluded.folder_id, updated_at = now()""",
)
CHOOSE = Write(
    Nothing,
    """
insert into reminder_preferences (user_id, folder_id, digest) values ($1, $2, $3)
on conflict (user_id) do update
   set folder_id = excluded.folder_id, digest = excluded.digest, updated_at = now()""",
)
