"""Notes: one line of text per note, deleted after a while. An example of a small slice.

Owns `notes` and the job `notes:tidy`. Promises: a note belongs to one person.
"""

from mindhit.notes import store as _store
from mindhit.notes.erasing import erase
from mindhit.notes.jobs import jobs, schedules
from mindhit.notes.model import Note
from mindhit.notes.settings import NotesSettings
from mindhit.notes.writing import list_notes, write_note

from mindhit.slices import Slice

SLICE = Slice(
    "notes",
    settings=NotesSettings,
    jobs=jobs,
    schedules=schedules,
    exports={"notes": _store.EXPORT},
    erase=erase,
)

__all__ = ["SLICE", "Note", "NotesSettings", "list_notes", "write_note"]
