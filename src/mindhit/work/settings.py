"""Settings of the work engine: how a worker runs, and what an operator may change about jobs."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator

from mindhit.settings import Section, Words, setting
from mindhit.work.claiming.claim_size import CLAIM_SIZE, LARGEST_CLAIM
from mindhit.work.claiming.claimer import DOMAIN_LIMIT
from mindhit.work.claiming.notifier import POLL_S
from mindhit.work.job_types import DEFAULT_QUEUE
from mindhit.work.leases.duration import LEASE_S
from mindhit.work.pruning import RETENTION_DAYS
from mindhit.work.running.runners import CONCURRENCY
from mindhit.work.worker import GRACE_S


class JobPolicy(BaseModel):
    """What an operator may change about one kind of job; what is absent stays as declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempts: int | None = Field(default=None, ge=1, le=1000)
    backoff_s: tuple[float, ...] | None = None
    timeout_s: float | None = Field(default=None, gt=0)


class WorkSettings(Section):
    heading = "Workers and jobs"
    notes = """
Policies of single kinds of jobs are TOML tables:

```toml
[job_policies."work:prune"]
attempts = 3
backoff_s = [60, 300]
timeout_s = 120
```
"""

    worker_queues: Words = setting((DEFAULT_QUEUE,), "Queues that a worker serves.")
    worker_concurrency: int = setting(CONCURRENCY, "Jobs one worker runs at once.", ge=1, le=1000)
    worker_claim_size: int = setting(
        CLAIM_SIZE, "Jobs taken from the queue by one statement.", ge=1, le=LARGEST_CLAIM
    )
    worker_domain_limit: int = setting(
        DOMAIN_LIMIT, "Jobs of one domain running at once, over all workers.", ge=1
    )
    worker_lease: float = setting(
        LEASE_S, "How long a claim holds without a heartbeat.", unit="s", gt=0
    )
    worker_poll: float = setting(
        POLL_S, "Longest wait between two looks at the queue.", unit="s", gt=0
    )
    worker_notify: bool = setting(
        True, "Wake workers by LISTEN/NOTIFY; switch off behind a transaction pooler."
    )
    worker_grace: float = setting(
        GRACE_S, "How long a stopping worker lets its handlers finish.", unit="s", ge=0
    )
    job_retention: float = setting(
        RETENTION_DAYS, "How long finished jobs are kept.", unit="days", gt=0
    )
    job_policies: dict[str, JobPolicy] = setting(
        {}, "Per kind of job: `attempts`, `backoff_s`, `timeout_s` instead of the declared ones."
    )

    @field_validator("worker_queues")
    @classmethod
    def _at_least_one(cls, queues: tuple[str, ...]) -> tuple[str, ...]:
        if not queues:
            raise ValueError("names no queue")
        return queues
