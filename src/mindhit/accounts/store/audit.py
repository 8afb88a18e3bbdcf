"""Security events."""

from __future__ import annotations

from mindhit.accounts.model import SecurityEvent
from mindhit.db import Nothing, Query, Write

ADD = Write(
    Nothing, "insert into security_events (user_id, event, address, device) values ($1, $2, $3, $4)"
)
LIST = Query(
    SecurityEvent,
    """
select id, at, event, address, device from security_events
 where user_id = $1 and id < $2 order by id desc limit $3""",
)
