"""The work engine: the database is the queue.

Every durable step of the product is a row in `jobs`, written in the transaction of the change
that makes it necessary, and claimed by workers. Promises: what was committed is run; what a
handler does inside `work.settling()` happens exactly once, whatever is killed; the number of jobs
of one domain that run at once is limited over all workers; a dead worker's jobs run again within
40 s, and later each time it happens again.

`enqueue.py` puts jobs in, `worker.py` runs them: it claims (`claiming/`), runs and settles
(`running/`), and keeps its leases (`leases/`). `model.py` draws the states. Owns `jobs`, `job_slots`,
`job_renewals`, `job_schedules` and the job `work:prune`. Knows nothing of the product.
"""

from mindhit.work.admin import (
    NEWEST,
    JobBusy,
    Stats,
    Throughput,
    cancel,
    discard,
    last_tick,
    list_jobs,
    retry,
    retry_dead,
    show,
    stats,
    throughput,
    upkeep,
)
from mindhit.work.enqueue import (
    NotStorable,
    NotWired,
    UndeclaredEvent,
    Wires,
    enqueue,
    enqueue_many,
    install,
    publish,
)
from mindhit.work.erasing import erase, erase_jobs, erase_keys
from mindhit.work.job_types import Handler, Kind, Registry, job, kind_of
from mindhit.work.lanes import Lane
from mindhit.work.model import Job, JobId, JobNotFound, LeaseLost, State, Upkeep
from mindhit.work.outcomes import Cancelled, Discard, Done, Outcome, Retry, Snooze
from mindhit.work.pruning import JOBS, schedules
from mindhit.work.retry_policy import Policy
from mindhit.work.running.work_item import Work
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
    "NotStorable",
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
    "UndeclaredEvent",
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
    "erase_jobs",
    "erase_keys",
    "install",
    "job",
    "kind_of",
    "last_tick",
    "list_jobs",
    "publish",
    "retry",
    "retry_dead",
    "schedules",
    "show",
    "stats",
    "throughput",
    "upkeep",
]
