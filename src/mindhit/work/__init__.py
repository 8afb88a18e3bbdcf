"""The work engine: the database is the queue.

Every durable step of the product is a row in `jobs`, written in the transaction of the change
that makes it necessary, and claimed by workers. Promises: what was committed is run; what a
handler does inside `work.settling()` happens exactly once, whatever is killed; at most so many
jobs of one domain run at once over all workers; a dead worker's jobs run again within 40 s, and
later the more often that happens to them.
`model.py` draws the states. Owns `jobs`, `job_slots`, `job_renewals`, `job_schedules` and the job
`work:prune`. Knows nothing of the product.
"""

from mindhit.work.enqueue import NotWired, Wires, enqueue, enqueue_many, install, publish
from mindhit.work.erasing import erase
from mindhit.work.handle import Work
from mindhit.work.jobs import JOBS, schedules
from mindhit.work.kinds import Handler, Kind, Policy, Registry, job, kind_of
from mindhit.work.model import (
    Cancelled,
    Discard,
    Done,
    Job,
    JobId,
    JobNotFound,
    Lane,
    LeaseLost,
    Outcome,
    Retry,
    Snooze,
    State,
    Upkeep,
)
from mindhit.work.operate import (
    NEWEST,
    JobBusy,
    Stats,
    Throughput,
    cancel,
    discard,
    last_tick,
    list_jobs,
    retry,
    show,
    stats,
    throughput,
    upkeep,
)
from mindhit.work.scheduler import Schedule, Scheduler
from mindhit.work.settings import WorkSettings
from mindhit.work.worker import Options, Worker

__all__ = [
    "JOBS",
    "NEWEST",
    "Cancelled",
    "Discard",
    "Done",
    "Handler",
    "Job",
    "JobBusy",
    "JobId",
    "JobNotFound",
    "Kind",
    "Lane",
    "LeaseLost",
    "NotWired",
    "Options",
    "Outcome",
    "Policy",
    "Registry",
    "Retry",
    "Schedule",
    "Scheduler",
    "Snooze",
    "State",
    "Stats",
    "Throughput",
    "Upkeep",
    "Wires",
    "Work",
    "WorkSettings",
    "Worker",
    "cancel",
    "discard",
    "enqueue",
    "enqueue_many",
    "erase",
    "install",
    "job",
    "kind_of",
    "last_tick",
    "list_jobs",
    "publish",
    "retry",
    "schedules",
    "show",
    "stats",
    "throughput",
    "upkeep",
]
