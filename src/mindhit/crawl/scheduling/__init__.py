"""When pages are fetched: cron expressions, schedules, and starting a run."""
