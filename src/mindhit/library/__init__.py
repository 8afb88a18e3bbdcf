"""Library: bookmarks in, enriched links out, everything found again.

    folders.py, pages.py   the tree, and what is in it
    links.py               which of the saved links the server reads, once each
    enriching/             reading a link's page, and what is kept of it
    importing/             files of bookmarks into the library
    exporting/             the library into files
    syncing/               pull and push, for clients that keep a copy
    search/                everything that was recorded or saved, found by its words
    counter.py             the sync counter that every writer raises

A page is one place of a link in a person's library; the link itself is a row of `urls`, which is held in
tracking. What a link's page says of itself is in `link_metadata` and the same for everybody; tags, notes
and folders are the person's alone. Promises: what is imported comes out again as it went in; a file that
is imported twice adds nothing; a saved address outlives the sessions that met it; a link is read once;
the text of its page is not kept. Owns `folders`, `pages`, `link_metadata`, `blocked_domains`,
`import_jobs`, `import_parts`, `import_failures`, `user_sync_state`, `sync_tombstones`, `search_docs`,
`search_topics`, `search_progress`, `search_backfill`, `saved_searches`, the view `enrichment_jobs`, and
the jobs `library:*`.
"""

from mindhit.library import store as _store
from mindhit.library.erasing import erase
from mindhit.library.exporting import MEDIA_TYPES, ExportFormat, export_library
from mindhit.library.folders import (
    FolderChange,
    add_folder,
    change_folder,
    check_folder,
    delete_folder,
    list_folders,
    show_folder,
)
from mindhit.library.importing.progress import (
    cancel_import,
    import_now,
    list_imports,
    show_failures,
    show_import,
)
from mindhit.library.importing.receiving import LARGEST_FILE, PART_BYTES, receive
from mindhit.library.importing.running import run_import
from mindhit.library.job_types import (
    index_description,
    index_highlights,
    index_session,
    index_text,
)
from mindhit.library.jobs import jobs, schedules
from mindhit.library.links import dead_links
from mindhit.library.links import retry as retry_link
from mindhit.library.model import (
    OVER,
    BadFolder,
    BadImport,
    BadSavedPage,
    FolderId,
    FolderNotFound,
    ImportId,
    ImportNotFound,
    ImportOver,
    ImportStatus,
    ImportTooLarge,
    NoLink,
    PageId,
    PageKind,
    SavedPageNotFound,
    SavedSearchNotFound,
    TooManyImports,
    TooManySearches,
)
from mindhit.library.pages import (
    PageChange,
    PageFilter,
    PageKey,
    add_page,
    change_page,
    delete_page,
    list_pages,
    list_tags,
    look_up,
    retry_page,
    show_page,
)
from mindhit.library.search.answering import Place, search
from mindhit.library.search.candidates import Asked
from mindhit.library.search.saved import delete_search, list_searches, save_search
from mindhit.library.search.topics import put_topics
from mindhit.library.settings import LibrarySettings
from mindhit.library.shapes import Import, ImportDetail
from mindhit.library.store.links import DeadLink
from mindhit.library.syncing.pull import pull, read_migration
from mindhit.library.syncing.push import push
from mindhit.library.syncing.records import (
    BadSync,
    SyncConflict,
    SyncTooLarge,
    SyncTooOld,
    read_changes,
)
from mindhit.slices import Slice

SLICE = Slice(
    "library",
    settings=LibrarySettings,
    jobs=jobs,
    schedules=schedules,
    exports={
        "bookmarks": _store.exporting.BOOKMARKS,
        "bookmark_folders": _store.exporting.FOLDERS,
        "imports": _store.exporting.IMPORTS,
        "saved_searches": _store.exporting.SEARCHES,
    },
    erase=erase,
)

__all__ = [
    "LARGEST_FILE",
    "MEDIA_TYPES",
    "OVER",
    "PART_BYTES",
    "SLICE",
    "Asked",
    "BadFolder",
    "BadImport",
    "BadSavedPage",
    "BadSync",
    "DeadLink",
    "ExportFormat",
    "FolderChange",
    "FolderId",
    "FolderNotFound",
    "Import",
    "ImportDetail",
    "ImportId",
    "ImportNotFound",
    "ImportOver",
    "ImportStatus",
    "ImportTooLarge",
    "LibrarySettings",
    "NoLink",
    "PageChange",
    "PageFilter",
    "PageId",
    "PageKey",
    "PageKind",
    "Place",
    "SavedPageNotFound",
    "SavedSearchNotFound",
    "SyncConflict",
    "SyncTooLarge",
    "SyncTooOld",
    "TooManyImports",
    "TooManySearches",
    "add_folder",
    "add_page",
    "cancel_import",
    "change_folder",
    "change_page",
    "check_folder",
    "dead_links",
    "delete_folder",
    "delete_page",
    "delete_search",
    "erase",
    "export_library",
    "import_now",
    "index_description",
    "index_highlights",
    "index_session",
    "index_text",
    "list_folders",
    "list_imports",
    "list_pages",
    "list_searches",
    "list_tags",
    "look_up",
    "pull",
    "push",
    "put_topics",
    "read_changes",
    "read_migration",
    "receive",
    "retry_link",
    "retry_page",
    "run_import",
    "save_search",
    "search",
    "show_failures",
    "show_folder",
    "show_import",
    "show_page",
]
