"""Every statement of reminders. A file for what it is about."""

from mindhit.reminders.store import (
    alarms,
    erasing,
    exporting,
    preferences,
    running,
    sending,
    settling,
)

__all__ = [
    "alarms",
    "erasing",
    "exporting",
    "preferences",
    "running",
    "sending",
    "settling",
]
