"""What people want to be told of, and what they were told."""

from __future__ import annotations

from datetime import date
from typing import Any

from mindhit.db import Nothing, Query, Write

PREFERENCES = Query(Any, "select alerts from crawl_preferences where user_id = $1")
SET_PREFERENCES = Write(
    Nothing,
    """
insert into crawl_preferences (user_id, alerts) values ($1, $2)
on conflict (user_id) do update set alerts = excluded.alerts, updated_at = now()""",
)
# What counts for one schedule: its own, else the person's; and where its days begin.
OF_SCHEDULE = Query(
    Any,
    """
select coalesce(s.alerts, p.alerts) as alerts
  from crawl_schedulers s left join crawl_preferences p on p.user_id = s.user_id
 where s.user_id = $1 and s.id = $2""",
)
# Once per product, kind and day.
ADD = Write(
    date,
    """
insert into crawl_alerts (user_id, product_id, kind, day) values ($1, $2, $3, $4)
on conflict (product_id, kind, day) do nothing
returning day""",
)
TOLD = Write(
    Nothing,
    "update crawl_alerts set notice_id = $5 where user_id = $1 and product_id = $2 and kind = $3 and day = $4",
)
ERASE = Write(Nothing, "delete from crawl_preferences where user_id = $1")
