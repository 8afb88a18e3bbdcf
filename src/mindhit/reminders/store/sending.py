"""What is to be sent, if it still is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from uuid import UUID

from mindhit.accounts import DEFAULT_TIMEZONE, Preferences
from mindhit.db import Nothing, Write
from mindhit.library import PageId
from mindhit.reminders.store.preferences import quiet_preferences


@dataclass(frozen=True, slots=True)
class Coming:
    """An alarm that is to be sent, with the page's address, and since when it is under way."""

    page_id: PageId
    user_id: UUID
    sent_count: int
    title: str
    body: str
    url: str
    next_alarm_time: datetime
    is_chosen: bool
    processed_at: datetime
    timezone: str | None
    quiet_from: time | None
    quiet_until: time | None

    @property
    def preferences(self) -> Preferences:
        return quiet_preferences(
            self.timezone or DEFAULT_TIMEZONE, self.quiet_from, self.quiet_until
        )


_COMING = """a.page_id, a.user_id, a.sent_count, a.title, a.body, p.address as url, a.next_alarm_time,
       a.is_chosen, a.processed_at, s.timezone, s.quiet_from, s.quiet_until"""
_OF = """join pages p on p.id = a.page_id and p.user_id = a.user_id
  join user_settings s on s.user_id = a.user_id"""
# What is to be sent, if it still is.
COMING = Write(
    Coming,
    f"""
select {_COMING}
  from alarms a {_OF}
 where a.user_id = $1 and a.page_id = $2 and a.sent_count = $3 and a.status = 'active'
   and a.processed_at is not null
   for update of a""",
)
# What other runs have not taken yet, or are just taking, of a digest: waits for them (alarms_of_user).
TAKE_REST = Write(
    Nothing,
    """
update alarms set processed_at = now()
 where user_id = $1 and next_alarm_time = $2 and status = 'active' and not is_chosen
   and processed_at is null""",
)
# All of a digest (alarms_of_user).
COMING_TOGETHER = Write(
    Coming,
    f"""
select {_COMING}
  from alarms a {_OF}
 where a.user_id = $1 and a.next_alarm_time = $2 and a.status = 'active' and not a.is_chosen
   and a.processed_at is not null
 order by a.created_at, a.page_id
   for update of a""",
)
# The same for a batch of several people.
COMING_MANY = Write(
    Coming,
    f"""
select {_COMING}
  from unnest($1::uuid[], $2::uuid[], $3::int[]) as asked (page_id, user_id, sent_count)
  join alarms a using (page_id, user_id, sent_count)
  {_OF}
 where a.status = 'active' and a.processed_at is not null
 order by a.page_id
   for update of a""",
    across_users="of the jobs of one batch",
)
# Not one that its person changed while it was being sent.
FAIL = Write(
    Nothing,
    """
update alarms set status = 'failing', processed_at = null, last_error = $4, updated_at = now()
 where user_id = $1 and page_id = $2 and sent_count = $3 and processed_at is not null""",
)
