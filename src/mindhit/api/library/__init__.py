"""The library over HTTP: folders, saved pages, imports, export, sync, search."""

from mindhit.api.library import export, folders, imports, pages, progress, search, sync

ROUTERS = (
    folders.router,
    pages.router,
    imports.router,
    progress.router,
    export.router,
    sync.router,
    search.router,
)
