"""Reminders: a page comes back, ever more rarely, until it is let go.

    alarms.py     asking for a reminder, snoozing, pausing, changing, stopping
    schedule.py   when it comes back: 1, 2, 4 … 256 days. Pure
    running.py    taking what is due, by any number of processes at once
    sending.py    one sending; digest.py: several as one message; in_app.py: those of people without
                  channels, a batch at once
    settling.py   the time of the next
    holding.py    waiting for the end of quiet hours

Stands on the library: every reminder is of a saved page, and goes with it. Promises: nothing is told
twice for the same page and count, whatever is killed; no reminder in quiet hours, unless its person chose
the time; no two of a person in the same hour; a late one comes once. Owns `alarms`,
`reminder_preferences` and the jobs `reminders:tick`, `reminders:send` and `reminders:digest`.
"""

from mindhit.reminders import store as _store
from mindhit.reminders.alarms import (
    change,
    change_preferences,
    ids_between,
    list_reminders,
    pause,
    register,
    remind,
    resume,
    show,
    show_preferences,
    snooze,
    stop,
)
from mindhit.reminders.jobs import erase, jobs, schedules
from mindhit.reminders.model import (
    AlarmStatus,
    BadReminder,
    CronTokenMissing,
    Preferences,
    Reminder,
    ReminderNotFound,
    Run,
)
from mindhit.reminders.running import count_due, recover, run
from mindhit.reminders.settings import ReminderSettings
from mindhit.slices import Slice

SLICE = Slice(
    "reminders",
    settings=ReminderSettings,
    jobs=jobs,
    schedules=schedules,
    exports={
        "reminders": _store.exporting.ALARMS,
        "reminder_preferences": _store.exporting.PREFERENCES,
    },
    erase=erase,
)

__all__ = [
    "SLICE",
    "AlarmStatus",
    "BadReminder",
    "CronTokenMissing",
    "Preferences",
    "Reminder",
    "ReminderNotFound",
    "ReminderSettings",
    "Run",
    "change",
    "change_preferences",
    "count_due",
    "ids_between",
    "list_reminders",
    "pause",
    "recover",
    "register",
    "remind",
    "resume",
    "run",
    "show",
    "show_preferences",
    "snooze",
    "stop",
]
