"""Links on their way to being read: who holds them, whether the server may read them, their jobs.

    saved ──note──▶ waiting, not queued ──queue──▶ waiting, with a job ──▶ enriched | dead
                                            └────▶ nothing is kept: the server may not read it

A link is read once, whoever saves it and however often: `link_metadata` has one row for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from mindhit import tracking, urls
from mindhit.db import Database, ReadTx, Tx
from mindhit.fetching import FetchSettings
from mindhit.library import store
from mindhit.library.counter import raise_counter
from mindhit.library.job_types import EnrichLink, QueueLinks
from mindhit.library.model import HOLDER
from mindhit.library.store.links import DeadLink, Holder
from mindhit.work import enqueue, enqueue_many

QUEUED_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Permission:
    """Which links this server reads at all."""

    is_fetching: bool
    networks: tuple[str, ...]

    @classmethod
    def of(cls, settings: FetchSettings) -> Permission:
        return cls(settings.fetching, settings.allowed_networks)

    def allows(self, holder: Holder) -> bool:
        return (
            self.is_fetching
            and holder.server_fetch
            and not holder.no_fetch
            and not urls.matches_domain(holder.domain, holder.excluded_domains)
            and urls.may_be_fetched(holder.address, self._exempt(holder.address))
        )

    def _exempt(self, address: str) -> tuple[str, ...]:
        """The host, where the operator allows its private network."""
        host = urlsplit(address).hostname or ""
        try:
            number = ip_address(host)
        except ValueError:
            return ()
        return (host,) if any(number in ip_network(each) for each in self.networks) else ()


async def note(tx: Tx, user_id: UUID, url_ids: Iterable[UUID]) -> None:
    """Have new links read. The caller has raised the person's counter."""
    in_order = sorted(set(url_ids))
    if not in_order:
        return
    are_new = await tx.all(store.links.ADD, in_order)
    if any(are_new):
        await enqueue(tx, QueueLinks(user_id))


async def queue(db: Database, user_id: UUID, permission: Permission) -> bool:
    """Put some of a person's new links into the queue; whether there may be more."""
    async with db.transaction() as tx:
        seq = await raise_counter(tx, user_id)
        found = await tx.all(store.links.LOCK_UNQUEUED, user_id, QUEUED_AT_ONCE)
        holders = await tx.all(store.links.HOLDERS, found)
        domains = {each.url_id: each.domain for each in holders if permission.allows(each)}
        await put_into_queue(tx, domains)
        refused = [url_id for url_id in found if url_id not in domains]
        await tx.run(store.links.DROP, refused)
        await tx.run(store.links.STAMP, user_id, refused, seq)
    return len(found) == QUEUED_AT_ONCE


async def put_into_queue(tx: Tx, domains: dict[UUID, str]) -> None:
    jobs = await enqueue_many(tx, [EnrichLink(url_id, domains[url_id]) for url_id in domains])
    await tx.run(store.links.SET_JOBS, list(domains), jobs)


async def release_unused(tx: Tx, user_id: UUID, url_ids: Sequence[UUID]) -> None:
    """Let go of those links that no page of the person refers to any more."""
    if url_ids:
        unused = await tx.all(store.pages.UNUSED, user_id, url_ids)
        await tracking.release(tx, user_id, HOLDER, unused)


async def lock_and_stamp(tx: Tx, url_id: UUID) -> list[Holder]:
    """Stamp the pages of everybody who saved a link, because what is known of it changes; who they are.

    Counters are raised in the order of people, then the link is locked, as everywhere. Whoever saved it
    in between is found under the lock.
    """
    numbers = {
        each.user_id: await raise_counter(tx, each.user_id)
        for each in await tx.all(store.links.HOLDERS, [url_id])
    }
    await tx.run(store.links.LOCK, url_id)
    holders = await tx.all(store.links.HOLDERS, [url_id])
    for each in holders:
        if each.user_id not in numbers:
            numbers[each.user_id] = await raise_counter(tx, each.user_id)
        await tx.run(store.links.STAMP, each.user_id, [url_id], numbers[each.user_id])
    return holders


async def retry(tx: Tx, user_id: UUID, url_id: UUID) -> None:
    """Have a dead link read again, or one that the server could not read so far."""
    await lock_and_stamp(tx, url_id)
    await tx.run(store.links.REVIVE, url_id)
    await note(tx, user_id, [url_id])
    await enqueue(tx, QueueLinks(user_id))


async def dead_links(tx: ReadTx, user_id: UUID) -> list[DeadLink]:
    """By domain, one for each place in the library."""
    return await tx.all(store.links.DEAD, user_id)
