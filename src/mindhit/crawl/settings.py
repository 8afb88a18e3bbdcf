"""Settings of the crawler: how often it tries, how messages travel, how it introduces itself."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import SecretStr, field_validator, model_validator

from mindhit.settings import Section, Words, setting


class CrawlSettings(Section):
    heading = "Watching shops"

    crawl_task_retries: int = setting(
        3, "How often a page is tried again that could not be fetched.", ge=0, le=20
    )
    crawl_outbox_retries: int = setting(
        3, "How often a message is sent again that the transport did not take.", ge=0, le=20
    )
    crawl_raw_retries: int = setting(
        3, "How often what a site sent is read again when it could not be read.", ge=0, le=20
    )
    crawl_relay_delay: float = setting(
        0.0, "How long a message waits before it is sent.", unit="s", ge=0, le=3600
    )
    crawl_pages: int = setting(
        50, "Most pages of one listing that are read in one run.", ge=1, le=1000
    )
    crawl_schedules: int = setting(1000, "Most schedules of one person.", ge=1)
    crawl_user_agents: Words = setting(
        (),
        "How requests introduce themselves, several separated by `|`; empty: as `fetch_user_agent`"
        " says. Use names that are yours.",
    )
    crawl_trigger: Literal["tick", "message"] = setting(
        "tick",
        "Who starts schedules: MindHit itself at their time, or messages of the trigger queue.",
    )
    crawl_transport: Literal["postgres", "sqs"] = setting(
        "postgres",
        "How tasks reach those who execute them; `sqs` needs `pip install mindhit[sqs]`.",
    )
    sqs_task_queue: str | None = setting(None, "Address of the SQS queue for tasks.")
    sqs_trigger_queue: str | None = setting(
        None, "Address of the SQS queue with triggers in EventBridge's envelope."
    )
    sqs_endpoint: str | None = setting(
        None, "Address of an SQS-compatible service; empty: that of AWS."
    )
    sqs_region: str = setting("us-east-1", "Region of the queues.")
    sqs_visibility: int = setting(
        60, "How long a received message is invisible to others.", unit="s", ge=1, le=43_200
    )
    redis_url: SecretStr | None = setting(
        None,
        "Redis for the pool of user agents, as in `redis://127.0.0.1:6379/0`; empty, or while it is"
        " down: the database. Needs `pip install mindhit[redis]`.",
    )

    @field_validator("crawl_user_agents", mode="before")
    @classmethod
    def _by_bars(cls, agents: object) -> object:
        """User agents contain spaces and commas."""
        if isinstance(agents, str):
            return tuple(each.strip() for each in agents.split("|") if each.strip())
        return agents

    @field_validator("crawl_user_agents")
    @classmethod
    def _one_line(cls, agents: tuple[str, ...]) -> tuple[str, ...]:
        if not all(each and each.isascii() and each.isprintable() for each in agents):
            raise ValueError("each must be one line of ASCII")
        return agents

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """Without its queue nothing would ever be fetched or started; that is refused at start."""
        if self.crawl_transport == "sqs" and self.sqs_task_queue is None:
            raise ValueError("MINDHIT_CRAWL_TRANSPORT is sqs: it needs MINDHIT_SQS_TASK_QUEUE")
        if self.crawl_trigger == "message" and self.sqs_trigger_queue is None:
            raise ValueError("MINDHIT_CRAWL_TRIGGER is message: it needs MINDHIT_SQS_TRIGGER_QUEUE")
        return self
