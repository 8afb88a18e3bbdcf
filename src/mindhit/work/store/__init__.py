"""Every statement of the engine. Each can be pasted into psql; none joins a list of ids.

A settle that joins `unnest` turns quadratic once the planner believes that one row is running
(16 → 170 ms for 500 rows at the sixth execution); by primary key and by index in the list it stays
linear whatever the statistics say. Statements that end or renew many claims lock rows with SKIP LOCKED
and never wait: an open transaction that marked one job `again` must not hold up the other 499. Skipped
rows are still held and are tried again. SUCCEED_ONE waits: it is in its handler's own transaction and
holds up nobody else.

One file per subject; the engine imports them from here, except `store.erasing`.
"""

from mindhit.work.store.admin import (
    BY_ID,
    CANCEL,
    DELETE_DEAD,
    DEPTHS,
    FAILING_DOMAINS,
    FINISHED,
    LIST,
    LIST_DEAD,
    LOCK_JOB,
    RETRY,
    RETRY_DEAD,
    UPKEEP,
    Depth,
    FailingDomain,
    Finished,
)
from mindhit.work.store.claiming import (
    CLAIM,
    CLAIM_WITH_DOMAINS,
    CLAIMED_UNDER,
    ClaimParams,
    WalkParams,
)
from mindhit.work.store.enqueueing import CHANNEL, ENQUEUE, NOTIFY, NewJobs
from mindhit.work.store.leases import (
    DELETE_OLD_RENEWALS,
    FREE_SLOTS,
    FREE_STRAY_SLOTS,
    GIVE_SLOT_BACK,
    HELD,
    IS_RESCUED_FROM,
    LEASES_LEFT,
    LOCK_HELD,
    RENEW,
    RESCUE,
    TAKE_SLOT,
    UNCOUNT_RESCUES,
    Rescued,
)
from mindhit.work.store.pruning import PRUNE, Pruned
from mindhit.work.store.schedules import (
    ADD_SCHEDULE,
    DUE_SCHEDULES,
    LAST_TICK,
    NEXT_TICK,
    RECORD_TICK,
    Due,
)
from mindhit.work.store.settling import (
    SETTLE,
    SUCCEED,
    SUCCEED_ONE,
    Settled,
    Written,
    WrittenOtherwise,
)

TIMEOUT_S = 10.0  # for a claim or a settlement: an answer that takes longer uses up the lease

__all__ = [
    "ADD_SCHEDULE",
    "BY_ID",
    "CANCEL",
    "CHANNEL",
    "CLAIM",
    "CLAIMED_UNDER",
    "CLAIM_WITH_DOMAINS",
    "DELETE_DEAD",
    "DELETE_OLD_RENEWALS",
    "DEPTHS",
    "DUE_SCHEDULES",
    "ENQUEUE",
    "FAILING_DOMAINS",
    "FINISHED",
    "FREE_SLOTS",
    "FREE_STRAY_SLOTS",
    "GIVE_SLOT_BACK",
    "HELD",
    "IS_RESCUED_FROM",
    "LAST_TICK",
    "LEASES_LEFT",
    "LIST",
    "LIST_DEAD",
    "LOCK_HELD",
    "LOCK_JOB",
    "NEXT_TICK",
    "NOTIFY",
    "PRUNE",
    "RECORD_TICK",
    "RENEW",
    "RESCUE",
    "RETRY",
    "RETRY_DEAD",
    "SETTLE",
    "SUCCEED",
    "SUCCEED_ONE",
    "TAKE_SLOT",
    "TIMEOUT_S",
    "UNCOUNT_RESCUES",
    "UPKEEP",
    "ClaimParams",
    "Depth",
    "Due",
    "FailingDomain",
    "Finished",
    "NewJobs",
    "Pruned",
    "Rescued",
    "Settled",
    "WalkParams",
    "Written",
    "WrittenOtherwise",
]
