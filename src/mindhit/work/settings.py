"""Settings of the work engine: how a worker runs, and what an operator may change about jobs."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator

from mindhit.settings import Section, Words, setting


class JobPolicy(BaseModel):
    """What an operator may change about one kind of job; what is absent stays as declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempts: int | None = Field(default=None, ge=1, le=1000)
    backoff_s: tuple[float, ...] | None = None
    timeout_s: float | None = Field(default=None, gt=0)


class WorkSettings(Section):
    heading = "Workers and jobs"

    worker_queues: Words = setting(("default",), "Queues that a worker serves.")
    worker_concurrency: int = setting(10, "Jobs one worker runs at once.", ge=1, le=1000)
    worker_claim_size: int = setting(
        10, "Jobs taken from the queue by one statement.", ge=1, le=500
    )
    worker_domain_limit: int = setting(
        2, "Jobs of one domain running at once, over all workers.", ge=1
    )
    worker_lease: float = setting(
        30.0, "How long a claim holds without a heartbeat.", unit="s", gt=0
    )
    worker_poll: float = setting(
        5.0, "Longest wait between two looks at the queue.", unit="s", gt=0
    )
    worker_notify: bool = setting(
        True, "Wake workers by LISTEN/NOTIFY; switch off behind a transaction pooler."
    )
    worker_grace: float = setting(
        20.0, "How long a stopping worker lets its handlers finish.", unit="s", ge=0
    )
    job_retention: float = setting(7.0, "How long finished jobs are kept.", unit="days", gt=0)
    job_policies: dict[str, JobPolicy] = setting(
        {}, "Per kind of job: `attempts`, `backoff_s`, `timeout_s` instead of the declared ones."
    )

    @field_validator("worker_queues")
    @classmethod
    def _at_least_one(cls, queues: tuple[str, ...]) -> tuple[str, ...]:
        if not queues:
            raise ValueError("names no queue")
        return queues
