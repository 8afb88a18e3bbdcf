"""Every statement of the library. A file for what it is about; `columns.py` has what they share."""

from mindhit.library.store import (
    candidates,
    erasing,
    exporting,
    folders,
    imports,
    indexing,
    links,
    pages,
    saved_searches,
    search,
    syncing,
)

__all__ = [
    "candidates",
    "erasing",
    "exporting",
    "folders",
    "imports",
    "indexing",
    "links",
    "pages",
    "saved_searches",
    "search",
    "syncing",
]
