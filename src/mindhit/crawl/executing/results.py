"""What a fetched page leads to: raws, and further tasks with their messages. One transaction."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from mindhit.crawl import store
from mindhit.crawl.job_types import Apply, Listed, Relay
from mindhit.crawl.model import SchedulerId, Stage, TargetKind, TaskId
from mindhit.crawl.sites import registry
from mindhit.crawl.sites.api import Found, Page, Ref, Target
from mindhit.crawl.store.tasks import Claimed
from mindhit.db import Tx
from mindhit.fetching import domain_of
from mindhit.work import enqueue, enqueue_many


@dataclass(frozen=True, slots=True)
class NewTask:
    stage: Stage
    item_key: str
    url: str


@dataclass(frozen=True, slots=True)
class NewRaw:
    item_key: str
    url: str
    body: bytes  # gzip


def message_key(task_id: UUID, attempt: int) -> str:
    """Of one attempt: with the task alone a retry would be taken for a repeat."""
    return f"outbox-{task_id}-{attempt}"


def packed(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


async def add_tasks(
    tx: Tx,
    user_id: UUID,
    scheduler_id: SchedulerId,
    run_id: TaskId | None,
    tasks: Sequence[NewTask],
) -> list[TaskId]:
    """Tasks and their messages, in one transaction. Those that are under way already are left out."""
    if not tasks:
        return []
    ids = [uuid4() for _ in tasks]
    added = await tx.all(
        store.tasks.ADD,
        store.tasks.Added(
            user_id=user_id,
            scheduler_id=scheduler_id,
            parent_id=run_id,
            ids=ids,
            types=[each.stage for each in tasks],
            item_keys=[each.item_key for each in tasks],
            urls=[each.url for each in tasks],
            domains=[domain_of(each.url) for each in tasks],
        ),
    )
    if added:
        keys = [message_key(each, 1) for each in added]
        messages = [
            {"key": key, "user_id": str(user_id), "task_id": str(task_id)}
            for key, task_id in zip(keys, added, strict=True)
        ]
        await tx.run(
            store.outbox.ADD,
            store.outbox.Added(user_id=user_id, task_ids=list(added), keys=keys, payloads=messages),
        )
        await enqueue(tx, Relay())
    return added


async def keep_listing(
    tx: Tx, user_id: UUID, task: Claimed, found: Found, version: int, pages: int
) -> None:
    """Of a page of a listing: a raw for each product, what is to be fetched of it, and the next page."""
    site = registry.site_named(task.site)
    target = registry.stages_of(site, task.schedule_url, TargetKind.LISTING)
    raws = [NewRaw(each.item_key, each.url, packed(each.body)) for each in found.items]
    await _add_raws(tx, user_id, task, Stage.MINI_SHOP, raws, version, None)
    tasks = [
        NewTask(stage, each.item_key, site.request(Ref(stage, each.item_key, each.url)).url)
        for each in found.items
        for stage in target.stages
    ]
    run_id = task.parent_id or task.id
    number = int(task.item_key)
    goes_on = found.next_url is not None and number < pages
    if goes_on:
        assert found.next_url is not None
        next_ref = Ref(Stage.SEARCH, str(number + 1), found.next_url)
        tasks.append(NewTask(Stage.SEARCH, next_ref.item_key, site.request(next_ref).url))
    await add_tasks(tx, user_id, task.scheduler_id, run_id, tasks)
    if found.next_url is None:
        await tx.run(store.tasks.LISTED, user_id, run_id)
        await enqueue(tx, Listed(user_id, task.scheduler_id, run_id))


async def keep_page(
    tx: Tx, user_id: UUID, task: Claimed, page: Page, body: bytes, version: int
) -> None:
    """Of any other page: one raw of its own type. `body`: the page's, compressed."""
    stage = Stage(task.type)
    target = registry.stages_of(
        registry.site_named(task.site), task.schedule_url, TargetKind(task.target)
    )
    raw = NewRaw(task.item_key, page.url, body)
    await _add_raws(tx, user_id, task, stage, [raw], version, follows(stage, target))


def follows(stage: Stage, target: Target) -> Stage | None:
    """The stage that has to be applied before this one. Pure."""
    before = [
        each for each in (Stage.MINI_SHOP, Stage.DETAIL, Stage.OPTION) if each in target.stages
    ]
    if target.kind == TargetKind.LISTING and Stage.MINI_SHOP not in before:
        before.insert(0, Stage.MINI_SHOP)  # from the listing itself
    if stage == Stage.MINI_SHOP or stage not in before:
        return None
    at = before.index(stage)
    return before[at - 1] if at else None


async def _add_raws(
    tx: Tx,
    user_id: UUID,
    task: Claimed,
    stage: Stage,
    raws: Sequence[NewRaw],
    version: int,
    after: Stage | None,
) -> None:
    await tx.run(
        store.raws.ADD,
        store.raws.Added(
            user_id=user_id,
            task_id=task.id,
            scheduler_id=task.scheduler_id,
            type=stage,
            site=task.site,
            site_version=version,
            follows=after,
            run_at=task.run_at,
            item_keys=[each.item_key for each in raws],
            urls=[each.url for each in raws],
            bodies=[each.body for each in raws],
        ),
    )
    await enqueue_many(tx, [Apply(user_id, task.site, each.item_key) for each in raws])
