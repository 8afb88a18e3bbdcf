"""Settings of notes."""

from __future__ import annotations

from mindhit.settings import Section, setting


class NotesSettings(Section):
    heading = "Notes"

    note_retention: float = setting(30.0, "How long notes are kept.", unit="days", gt=0)
