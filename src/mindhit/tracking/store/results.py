"""What other slices found out: summaries, keywords, titles, progress, the end of processing."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Nothing, Write

# By the primary key; a public text has no person.
PUT_SUMMARY = Write(
    UUID,
    """
update page_contents
   set summary = $3, keywords = $4::text[], summarised_by = $5, summarised_at = now()
 where id = $2 and user_id is not distinct from $1
returning id""",
)
PUT_KEYWORDS = Write(
    UUID,
    """
update sessions set top_keywords = $3::text[], version = version + 1, updated_at = now()
 where id = $1 and user_id = $2
returning id""",
)
# A reader's title is never overwritten.
SUGGEST_TITLE = Write(
    UUID,
    """
update sessions
   set title = $3, title_by = 'generated', version = version + 1, updated_at = now()
 where id = $1 and user_id = $2 and title_by is distinct from 'reader'
returning id""",
)
NOTE_PROGRESS = Write(
    Nothing,
    """
update sessions set progress = $3, version = version + 1, updated_at = now()
 where id = $1 and user_id = $2 and status = 'processing'""",
)
COMPLETE = Write(
    UUID,
    """
update sessions
   set status = 'completed', error = null, progress = null, version = version + 1,
       updated_at = now()
 where id = $1 and user_id = $2 and timeline_version = $3 and closed_at is not null
returning id""",
)
FAIL = Write(
    UUID,
    """
update sessions
   set status = case when status = 'processing' then 'failed' else status end,
       error = case when status = 'processing' then $4 else error end,
       progress = null, version = version + 1, updated_at = now()
 where id = $1 and user_id = $2 and timeline_version = $3 and closed_at is not null
returning id""",
)
