"""Which text of a page is the person's current one: a rule that batches and refolds share."""

from __future__ import annotations

# For an insert into `reader_urls as r`. Of two texts the one that was read later counts, whichever
# arrived first; a page whose text could not be extracted becomes `pending`, unless it has a status.
# Where a text was deleted with its session, its time stays until the cleanup has found the next one.
KEEP_LATEST_TEXT = """on conflict (user_id, url_id) do update
     set content_id = excluded.content_id, content_status = excluded.content_status,
         session_id = excluded.session_id, read_at = excluded.read_at, updated_at = now()
   where (excluded.content_id is not null
          and (r.read_at is null or excluded.read_at > r.read_at
               or excluded.session_id = r.session_id or r.content_status = 'pending')
          and (r.content_id, r.session_id, r.read_at)
              is distinct from (excluded.content_id, excluded.session_id, excluded.read_at))
      or (excluded.content_status = 'pending' and r.content_status is null)"""
