"""Folders, saved pages, imports, and what syncing keeps."""

from __future__ import annotations

from mindhit.accounts import Person, Scope
from mindhit.db import Database
from tests.accounts.kit import client_of, run_jobs, token_of
from tests.contract.slices import Contract, Ids

NOBODYS = "00000000-0000-0000-0000-000000000000"


def file_of(canary: str) -> bytes:
    """One good entry, and one that can't be imported."""
    return f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://example.org/imported/{canary}" TAGS="{canary}" ICON_URI="{canary}">{canary}</A>
<DT><A>{canary}</A>
</DL>""".encode()


async def life(db: Database, person: Person, canary: str) -> Ids:
    """Folders, pages, deleted ones, an import that ended, and one that waits."""
    token = await token_of(db, person, Scope.API)
    async with client_of(db, Authorization=f"Bearer {token}") as client:
        folder = (await client.post("/v1/folders", json={"name": canary})).json()["id"]
        inner = {"name": canary, "parent_id": folder}
        gone = (await client.post("/v1/folders", json=inner)).json()["id"]
        assert (await client.delete(f"/v1/folders/{gone}")).status_code == 204
        saved = {
            "address": f"https://example.org/saved/{canary}",
            "title": canary,
            "note": canary,
            "tags": [canary],
            "folder_id": folder,
        }
        page = (await client.post("/v1/pages", json=saved)).json()["id"]
        script = {"address": f"javascript:alert('{canary}')"}
        assert (await client.post("/v1/pages", json=script)).status_code == 201
        where = {"folder_id": folder, "file_name": canary}
        done = await client.post("/v1/imports", params=where, content=file_of(canary))
        assert done.status_code == 202
        await run_jobs(db)
        wanted = {"name": canary, "query": canary}
        saved_search = (await client.post("/v1/saved-searches", json=wanted)).json()["id"]
        waiting = await client.post("/v1/imports", params=where, content=file_of(canary))
        assert waiting.status_code == 202
    async with db.transaction() as tx:  # other slices run what is queued
        later = "update jobs set run_after = now() + interval '1 day' where key = $1"
        await tx._connection.execute(later, waiting.json()["id"])
    return {
        "folder_id": folder,
        "page_id": page,
        "import_id": done.json()["id"],
        "search_id": saved_search,
    }


EXTENSION = frozenset(
    {
        "GET /v1/folders",
        "GET /v1/pages/tags",
        "POST /v1/pages",
        "POST /v1/pages/lookup",
        "GET /v1/search/suggestions",  # of the address bar
    }
)

CONTRACT = Contract(
    paths=(
        *("/v1/folders", "/v1/pages", "/v1/imports", "/v1/library", "/v1/sync"),
        *("/v1/search", "/v1/saved-searches"),
    ),
    bodies={
        "POST /v1/folders": {"name": "Eve's"},
        "PATCH /v1/folders/{folder_id}": {"name": "Eve's"},
        "POST /v1/pages": {"address": "https://example.net/"},
        "POST /v1/pages/lookup": {"address": "https://example.net/"},
        "POST /v1/pages/batch": {"ids": [NOBODYS], "archived": True},
        "PATCH /v1/pages/{page_id}": {"title": "Eve's"},
        "POST /v1/imports": {},
        "POST /v1/saved-searches": {"name": "Eve's", "query": "Eve's"},
        "POST /v1/sync/push": {"folders": {"created": [{"id": "eves", "name": "Eve's"}]}},
    },
    scopes={
        Scope.EXTENSION: EXTENSION,
        Scope.API: EXTENSION
        | {
            *("POST /v1/folders", "PATCH /v1/folders/{folder_id}"),
            *("DELETE /v1/folders/{folder_id}", "GET /v1/pages", "GET /v1/pages/{page_id}"),
            *("PATCH /v1/pages/{page_id}", "DELETE /v1/pages/{page_id}"),
            *("POST /v1/pages/{page_id}/enrich", "POST /v1/pages/batch"),
            *("POST /v1/imports", "GET /v1/imports", "GET /v1/imports/{import_id}"),
            *("GET /v1/imports/{import_id}/progress", "POST /v1/imports/{import_id}/cancel"),
            *("GET /v1/library/export", "GET /v1/sync/pull", "POST /v1/sync/push"),
            *("GET /v1/search", "GET /v1/saved-searches", "POST /v1/saved-searches"),
            "DELETE /v1/saved-searches/{search_id}",
        },
    },
    life=life,
    no_ids=dict.fromkeys(("folder_id", "page_id", "import_id", "search_id"), NOBODYS),
    not_exported={
        "pages.url_id": "the address itself is there",
        **dict.fromkeys(
            (
                *("folders.created_seq", "folders.seq", "pages.created_seq", "pages.seq"),
                *("user_sync_state", "sync_tombstones"),
            ),
            "tells clients that sync what they have not heard of yet; holds nothing else",
        ),
        "search_docs": "made of what is there, and readable by this program only",
        "search_topics": "the topics of maps, which are there",
        "search_progress": "how far search has read the bookmarks",
        "import_parts": "the person's own file, kept until it is read",
        "import_failures": "parts of the person's own file; the import says how many there are",
    },
)
