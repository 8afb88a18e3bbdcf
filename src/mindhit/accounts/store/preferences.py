"""People's settings; $2 of a query is the default time zone."""

from __future__ import annotations

from mindhit.accounts.model import Preferences
from mindhit.db import Nothing, Query, Write

_CHOSEN = """email_notification, excluded_domains, coalesce(timezone, $2) as timezone,
       language, quiet_from, quiet_until"""

ADD = Write(
    Nothing,
    """
insert into user_settings (user_id, language, timezone, quiet_from, quiet_until)
values ($1, $2, $3, $4, $5)""",
)
OF = Query(Preferences, f"select {_CHOSEN} from user_settings where user_id = $1")
LOCKED = Write(Preferences, f"select {_CHOSEN} from user_settings where user_id = $1 for update")
SAVE = Write(
    Nothing,
    """
update user_settings
   set email_notification = $2, excluded_domains = $3, language = $5,
       timezone = case when timezone is not null or $8::bool then $4 end,
       quiet_from = $6, quiet_until = $7, updated_at = now()
 where user_id = $1""",
)
# The browser's time zone, if none is known yet.
LEARN_TIMEZONE = Write(
    Nothing,
    """
update user_settings set timezone = $2, updated_at = now() where user_id = $1 and timezone is null""",
)
