"""People's settings; $2 of a query is the default time zone."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.accounts.model import Preferences
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """`is_timezone_chosen`: a default must not keep the browser's time zone from being learned."""

    user_id: UUID
    preferences: Preferences
    is_timezone_chosen: bool


_CHOSEN = """email_notification, excluded_domains, coalesce(timezone, $2) as timezone,
       language, quiet_from, quiet_until, server_fetch, quiet_mode"""

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
   set email_notification = $email_notification, excluded_domains = $excluded_domains,
       language = $language, quiet_from = $quiet_from, quiet_until = $quiet_until,
       quiet_mode = $quiet_mode,
       timezone = case when timezone is not null or $is_timezone_chosen::bool then $timezone end,
       server_fetch = $server_fetch, updated_at = now()
 where user_id = $user_id""",
    params=Chosen,
)
# The first browser's time zone and language. A time zone that is not known yet says that there was none.
LEARN_LOCALE = Write(
    Nothing,
    """
update user_settings set timezone = $2, language = $3, updated_at = now()
 where user_id = $1 and timezone is null""",
)
