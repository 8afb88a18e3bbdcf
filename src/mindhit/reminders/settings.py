"""Settings of reminders: how many are taken at once, and who may start a run from outside."""

from __future__ import annotations

from pydantic import SecretStr

from mindhit.settings import Section, setting


class ReminderSettings(Section):
    heading = "Reminders"

    reminders_fetch_limit: int = setting(100, "Most reminders that one run takes.", ge=1, le=1000)
    reminders_concurrency: int = setting(
        10, "Most reminders that a worker sends at once.", ge=1, le=100
    )
    reminders_cron_token: SecretStr | None = setting(
        None,
        "Lets an external cron start a run (`POST /v1/reminders/schedule/v2`) with this as bearer"
        " token; MindHit's own scheduler does so every 20 seconds anyway.",
    )
