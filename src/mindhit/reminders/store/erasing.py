"""Erasing a person's alarms and preferences."""

from __future__ import annotations

from mindhit.db import Nothing, Write

ALARMS = Write(Nothing, "delete from alarms where user_id = $1")
PREFERENCES = Write(Nothing, "delete from reminder_preferences where user_id = $1")
