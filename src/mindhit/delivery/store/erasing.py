"""Erasing a person's notices, channels and browsers."""

from __future__ import annotations

from mindhit.db import Nothing, Write

NOTICES = Write(Nothing, "delete from notices where user_id = $1")
CHANNELS = Write(Nothing, "delete from channels where user_id = $1")
SUBSCRIPTIONS = Write(Nothing, "delete from push_subscriptions where user_id = $1")
