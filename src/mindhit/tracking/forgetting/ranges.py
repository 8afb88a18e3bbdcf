"""What is to be forgotten: a stretch of time, of all pages or of those of a site, a page, a session.

A range recognises its site or page by a hash, in which the person's id is a part: a list of forgotten
domains would itself say where somebody was. It ends at the moment of forgetting, so the same site is
recorded again afterwards, and is kept only while events may still arrive from before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

import msgspec

from mindhit.tracking.model import EPOCH, MILLISECOND

BEGINNING: Final = 0  # ms


class Range(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """[start, end) in milliseconds, as in the log."""

    start: int
    end: int
    session_id: UUID | None = None
    domain: UUID | None = None
    url: UUID | None = None

    @property
    def is_of_all_pages(self) -> bool:
        return self.domain is None and self.url is None

    @property
    def is_stretch(self) -> bool:
        """Of a certain time. Others are of a site or a page, as far back as it was visited."""
        return self.start > BEGINNING

    def overlaps(self, entered: int, left: int) -> bool:
        return entered < self.end and left > self.start


def hash_of_domain(user_id: UUID, domain: str) -> UUID:
    return _hash(user_id, b"domain", domain.encode())


def hash_of_url(user_id: UUID, url_id: UUID) -> UUID:
    return _hash(user_id, b"url", url_id.bytes)


def milliseconds(at: datetime | None) -> int:
    return BEGINNING if at is None else max(BEGINNING, (at - EPOCH) // MILLISECOND)


class Forgotten:
    """The ranges of one person, as far as they concern one session."""

    def __init__(self, user_id: UUID, session_id: UUID, ranges: Iterable[Range]) -> None:
        self._user_id = user_id
        self.ranges: Sequence[Range] = [
            each for each in ranges if each.session_id in {None, session_id}
        ]
        self._domains: dict[str, frozenset[UUID]] = {}
        self._urls: dict[UUID, UUID] = {}

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def has_event(self, t: int, url_id: UUID | None, domain: str | None) -> bool:
        return any(
            each.start <= t < each.end and self._is_of(each, url_id, domain) for each in self.ranges
        )

    def has_visit(self, entered: int, left: int, url_id: UUID, domain: str | None) -> bool:
        return next(self._of_visit(entered, left, url_id, domain), None) is not None

    def has_visit_of_stretch(
        self, entered: int, left: int, url_id: UUID, domain: str | None
    ) -> bool:
        return any(each.is_stretch for each in self._of_visit(entered, left, url_id, domain))

    def has_time(self, t: int) -> bool:
        """Whether everything of that time is forgotten, whatever the page."""
        return any(each.is_of_all_pages and each.start <= t < each.end for each in self.ranges)

    def has_page(self, url_id: UUID, domain: str) -> bool:
        """Whether the page is meant, at any time."""
        return any(self._is_of(each, url_id, domain) for each in self.ranges)

    def _of_visit(
        self, entered: int, left: int, url_id: UUID, domain: str | None
    ) -> Iterator[Range]:
        for each in self.ranges:
            if each.overlaps(entered, left) and self._is_of(each, url_id, domain):
                yield each

    def _is_of(self, range_: Range, url_id: UUID | None, domain: str | None) -> bool:
        if range_.is_of_all_pages:
            return True
        if url_id is None:
            return False
        if range_.url is not None:
            return range_.url == self._hash_of(url_id)
        return domain is not None and range_.domain in self._hashes_of(domain)

    def _hash_of(self, url_id: UUID) -> UUID:
        known = self._urls.get(url_id)
        if known is None:
            known = self._urls[url_id] = hash_of_url(self._user_id, url_id)
        return known

    def _hashes_of(self, domain: str) -> frozenset[UUID]:
        """Of the domain and of each it is a subdomain of."""
        known = self._domains.get(domain)
        if known is None:
            labels = domain.split(".")
            known = self._domains[domain] = frozenset(
                hash_of_domain(self._user_id, ".".join(labels[index:]))
                for index in range(len(labels))
            )
        return known


def _hash(user_id: UUID, kind: bytes, name: bytes) -> UUID:
    return UUID(bytes=sha256(user_id.bytes + kind + b"\0" + name).digest()[:16])
