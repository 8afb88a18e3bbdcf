"""The pages of a session as the rules of maps take them."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import ReadTx
from mindhit.insight import store
from mindhit.insight.model import READ_CHARACTERS, PageRead


async def read_pages(tx: ReadTx, user_id: UUID, session_id: UUID) -> list[PageRead]:
    found = await tx.all(store.processing.PAGES, session_id, user_id, READ_CHARACTERS)
    return [
        PageRead(
            page.url_id,
            page.title or "",
            page.domain,
            tuple(f"{session_id}:{seq}" for seq in page.seqs),
            page.duration_ms,
            page.highlight_count,
            tuple(page.keywords),
            page.text or "",
            page.summary,
            page.content_id,
        )
        for page in found
    ]
