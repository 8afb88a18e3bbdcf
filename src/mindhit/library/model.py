"""What the library holds: folders, pages, links, imports; how long their texts may be; its errors."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NewType
from uuid import UUID

from mindhit.errors import Conflict, Invalid, NotFound, Refused, TooLarge, TooMany

FolderId = NewType("FolderId", UUID)
PageId = NewType("PageId", UUID)
ImportId = NewType("ImportId", UUID)

# The name under which pages are held in tracking.
HOLDER: Final = "library"

# Characters. Files have titles of any length; what is longer is cut on import.
LONGEST_NAME: Final = 10_000
LONGEST_TITLE: Final = 10_000
LONGEST_NOTE: Final = 100_000
LONGEST_TAG: Final = 200
MOST_TAGS: Final = 200
LONGEST_ADDRESS: Final = 200_000  # of a bookmarklet; that of a page has `urls.MAX_LENGTH`


class PageKind(StrEnum):
    LINK = "link"
    OTHER = "other"  # `javascript:`, `data:`, …: kept as text
    SEPARATOR = "separator"


class LinkState(StrEnum):
    WAITING = "waiting"
    ENRICHED = "enriched"
    DEAD = "dead"


class ImportStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"


OVER: Final = frozenset({ImportStatus.SUCCEEDED, ImportStatus.FAILED, ImportStatus.CANCELED})


class FolderNotFound(NotFound):
    """This folder does not exist."""


class SavedPageNotFound(NotFound):
    """This page is not in your library."""


class ImportNotFound(NotFound):
    """This import does not exist."""


class BadFolder(Invalid):
    """A folder can't be moved into itself."""


class BadSavedPage(Invalid):
    """This can't be saved."""


class NoLink(Refused):
    """Only pages on the web can be looked up."""


class ImportOver(Conflict):
    """This import has already ended."""


class TooManyImports(TooMany):
    """Several of your imports are still under way. Try again when they are done."""


class ImportTooLarge(TooLarge):
    """This file is too large to import."""


class SavedSearchNotFound(NotFound):
    """There is no such saved search."""


class TooManySearches(Conflict):
    """No more searches can be saved; delete some first."""


class BadImport(Invalid):
    """This file has no bookmarks that MindHit can read."""
