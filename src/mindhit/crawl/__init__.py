"""Crawl: watches shops, from a schedule to a product, with nothing lost on the way.

    scheduling/  when a page is fetched: cron, schedules, starting a run
    transport/   from the outbox to whoever executes: the database itself, or SQS
    executing/   one page: user agent, fetch, what comes of it
    products/    what pages say, applied in order: products, options, history, alerts
    recovery/    what was left behind, and dead letters
    sites/       plug-ins that read shops; extraction/ reads any page that shows a product

Promises: a task and its message are written together; a message that is sent twice has one effect; a task
that was begun ends, whatever is killed, in success, in another attempt or in a dead letter that says why; no
DETAIL is applied before its MINI_SHOP, no OPTION before its DETAIL; a site that turns us away is left alone,
and holds up no other. Owns the tables `crawl_*`, `crawled_*`, `user_agents`, `user_agent_health`,
`site_breakers` and the jobs `crawl:*`.
"""

from mindhit.crawl import store as _store
from mindhit.crawl.jobs import erase, jobs, schedules
from mindhit.crawl.model import (
    AlertRules,
    AlreadyWatched,
    BadSchedule,
    DeadKind,
    DeadLetterNotFound,
    NotRetryable,
    ProductId,
    ProductNotFound,
    ScheduleBusy,
    ScheduleInactive,
    ScheduleNotFound,
    SchedulerId,
    SchedulerStatus,
    ScheduleUnreadable,
    Stage,
    Stock,
    TaskId,
    TaskNotFound,
    TaskStatus,
    TooManySchedules,
)
from mindhit.crawl.operating import list_agents, list_breakers
from mindhit.crawl.products.showing import (
    list_products,
    list_runs,
    list_tasks,
    set_alerts,
    show_alerts,
    show_history,
    show_product,
    show_run,
    show_task,
)
from mindhit.crawl.recovery.dead_letters import discard_dead, list_dead, retry_dead
from mindhit.crawl.scheduling.schedulers import (
    add_schedule,
    change_schedule,
    list_schedules,
    preview_schedule,
    remove_schedule,
    show_schedule,
)
from mindhit.crawl.scheduling.triggering import run_now
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.sites.registry import known_sites
from mindhit.slices import Slice

SLICE = Slice(
    "crawl",
    settings=CrawlSettings,
    jobs=jobs,
    schedules=schedules,
    exports={
        "crawl_schedulers": _store.exports.SCHEDULES,
        "crawl_tasks": _store.exports.TASKS,
        "crawl_task_outbox": _store.exports.MESSAGES,
        "crawl_executions": _store.exports.EXECUTIONS,
        "crawled_raws": _store.exports.RAWS,
        "crawled_products": _store.exports.PRODUCTS,
        "crawled_product_options": _store.exports.OPTIONS,
        "crawled_product_history": _store.exports.HISTORY,
        "crawl_alerts": _store.exports.ALERTS,
        "crawl_preferences": _store.exports.PREFERENCES,
    },
    erase=erase,
)

__all__ = [
    "SLICE",
    "AlertRules",
    "AlreadyWatched",
    "BadSchedule",
    "CrawlSettings",
    "DeadKind",
    "DeadLetterNotFound",
    "NotRetryable",
    "ProductId",
    "ProductNotFound",
    "ScheduleBusy",
    "ScheduleInactive",
    "ScheduleNotFound",
    "ScheduleUnreadable",
    "SchedulerId",
    "SchedulerStatus",
    "Stage",
    "Stock",
    "TaskId",
    "TaskNotFound",
    "TaskStatus",
    "TooManySchedules",
    "add_schedule",
    "change_schedule",
    "discard_dead",
    "known_sites",
    "list_agents",
    "list_breakers",
    "list_dead",
    "list_products",
    "list_runs",
    "list_schedules",
    "list_tasks",
    "preview_schedule",
    "remove_schedule",
    "retry_dead",
    "run_now",
    "set_alerts",
    "show_alerts",
    "show_history",
    "show_product",
    "show_run",
    "show_schedule",
    "show_task",
]
