"""Every statement of the engine. Each can be pasted into psql; none joins a list of ids.

A settle that joins `unnest` turns quadratic once the planner believes that one row is running
(16 → 170 ms for 500 rows at the sixth execution); by primary key and by place in the list it stays
linear whatever the statistics say. Statements that end or renew many claims take row locks with SKIP
LOCKED and never wait: a caller's open transaction that marked a job `again` must not hold up the
other 499. What was skipped is still held, and is tried again. SUCCEED_ONE waits: it stands in its
handler's own transaction, and there is no other to hold up.

One file for each subject; everybody says `store.CLAIM`. Only who forgets a person has them from
`store.erasing`.
"""

from mindhit.work.store.claiming import CLAIM, CLAIM_WITH_DOMAINS
from mindhit.work.store.enqueueing import CHANNEL, ENQUEUE, NOTIFY
from mindhit.work.store.leases import (
    FORGET_RENEWALS,
    FREE_STRAY,
    HELD,
    RELEASE,
    RENEW,
    RESCUE,
    Rescued,
)
from mindhit.work.store.operating import (
    BY_ID,
    CANCEL,
    DELETE_DEAD,
    DEPTHS,
    FAILING_DOMAINS,
    FINISHED,
    HOLD,
    LIST,
    LIST_DEAD,
    RETRY,
    UPKEEP,
    Depth,
    FailingDomain,
    Finished,
)
from mindhit.work.store.pruning import PRUNE, Pruned
from mindhit.work.store.schedules import DUE, LAST_TICK, NEXT_DUE, REMEMBER_SCHEDULE, TICKED, Due
from mindhit.work.store.settling import (
    SETTLE,
    SUCCEED,
    SUCCEED_ONE,
    Settled,
    Written,
    WrittenOtherwise,
)

TIMEOUT_S = 10.0  # a claim, or its end, that is answered later has spent its lease on the way

__all__ = [
    "BY_ID",
    "CANCEL",
    "CHANNEL",
    "CLAIM",
    "CLAIM_WITH_DOMAINS",
    "DELETE_DEAD",
    "DEPTHS",
    "DUE",
    "ENQUEUE",
    "FAILING_DOMAINS",
    "FINISHED",
    "FORGET_RENEWALS",
    "FREE_STRAY",
    "HELD",
    "HOLD",
    "LAST_TICK",
    "LIST",
    "LIST_DEAD",
    "NEXT_DUE",
    "NOTIFY",
    "PRUNE",
    "RELEASE",
    "REMEMBER_SCHEDULE",
    "RENEW",
    "RESCUE",
    "RETRY",
    "SETTLE",
    "SUCCEED",
    "SUCCEED_ONE",
    "TICKED",
    "TIMEOUT_S",
    "UPKEEP",
    "Depth",
    "Due",
    "FailingDomain",
    "Finished",
    "Pruned",
    "Rescued",
    "Settled",
    "Written",
    "WrittenOtherwise",
]
