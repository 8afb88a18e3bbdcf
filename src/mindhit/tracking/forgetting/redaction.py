"""Which events of a log tell of what is to be forgotten, and what stays of them. Pure.

Every event with a URL belongs to a stay: a page in a tab, from the event that brought it there until
the tab shows another; a redirect goes on with the stay of the page before it. An event of a stay
belongs to the last visit of it that had begun, else to its first visit: a page may be loaded in the
background, or read after its tab was left. An event is stripped where it is in a range itself, or
where its visit is.

Of a stripped event the number, time, type, tab and window stay, and what `_KEPT` names: by what is
harmless, not by what is not, so that a new field of the payload goes too until it is named there.
Where a visit was opened by an event that says nothing of its page (the focus came back), that event is
marked: `forgotten` makes the fold count what it opens as no page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import msgspec
from msgspec import structs

from mindhit.tracking.forgetting.ranges import Forgotten
from mindhit.tracking.model import Visit
from mindhit.tracking.protocol import NO_PAYLOAD, Event, EventType, Payload

_KEPT = ("focused", "state", "threshold_ms", "restart", "rejected")
_SHOWS_PAGE = frozenset({EventType.TAB_ACTIVATED, EventType.NAV_COMMITTED})


def strip(event: Event, *, is_marked: bool) -> Event:
    """What stays of an event that is forgotten: the same as of a page that was not recorded."""
    kept = {name: getattr(event.payload, name) for name in _KEPT}
    payload = Payload(**kept, forgotten=is_marked)
    return structs.replace(
        event, url_id=None, payload=NO_PAYLOAD if payload == NO_PAYLOAD else payload
    )


def mark(event: Event) -> Event:
    """What it opens is forgotten; what it says is about another page."""
    return structs.replace(event, payload=structs.replace(event.payload, forgotten=True))


class _Noted(msgspec.Struct, frozen=True, gc=False):
    """What is remembered of an event while its log is read."""

    seq: int
    t: int
    clock: int
    url_id: UUID | None
    stay: int | None


@dataclass(slots=True)
class Reading:
    """A log that is read event by event, in pieces, to know the stays in it."""

    noted: list[_Noted] = field(default_factory=list)
    _clock: int = 0
    _stays: int = 0
    _shown: dict[int, tuple[UUID, int]] = field(default_factory=dict)  # tab → its page and stay
    _last: dict[tuple[int | None, UUID], int] = field(default_factory=dict)
    _begun: dict[int, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )  # tab → where each of its stays begins

    def take(self, event: Event) -> None:
        if event.type is not EventType.REJECTED:
            self._clock = max(self._clock, event.t)
        if event.payload.restart:
            self._shown.clear()
        stay = self._stay_of(event)
        self.noted.append(_Noted(event.seq, event.t, self._clock, event.url_id, stay))

    def _stay_of(self, event: Event) -> int | None:
        tab_id, url_id = event.tab_id, event.url_id
        if event.type in _SHOWS_PAGE and tab_id is not None:
            return self._show(tab_id, url_id, event)
        if event.type is EventType.TAB_REMOVED and tab_id is not None:
            self._shown.pop(tab_id, None)
        return None if url_id is None else self._last.get((tab_id, url_id))

    def _show(self, tab_id: int, url_id: UUID | None, event: Event) -> int | None:
        before = self._shown.pop(tab_id, None)
        if url_id is None:
            return None
        if before is not None and (before[0] == url_id or event.payload.redirect):
            stay = before[1]
        else:
            self._stays += 1
            stay = self._stays
            self._begun[tab_id].append((event.seq, stay))
        self._shown[tab_id] = (url_id, stay)
        self._last[tab_id, url_id] = self._last[None, url_id] = stay
        return stay

    def stay_at(self, tab_id: int, seq: int) -> int | None:
        """The stay that a tab was in when this event had happened."""
        begun = self._begun.get(tab_id, [])
        index = bisect_right(begun, seq, key=lambda each: each[0]) - 1
        return None if index < 0 else begun[index][1]


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of the events to strip, and of those to mark."""

    stripped: frozenset[int]
    marked: frozenset[int]

    def redact(self, event: Event) -> Event:
        is_marked = event.seq in self.marked
        if event.seq in self.stripped:
            return strip(event, is_marked=is_marked or event.payload.forgotten)
        return mark(event) if is_marked else event


def plan(
    reading: Reading,
    visits: Iterable[Visit],
    forgotten: Forgotten,
    domains: Mapping[UUID, str],
) -> Plan:
    """What has to happen to a log so that nothing in these ranges can be told from it."""
    lost: dict[int, bool] = {}
    begun: dict[int, list[int]] = defaultdict(list)
    marked = set()
    for visit in visits:
        what = (visit.entered, visit.left, visit.url_id, domains.get(visit.url_id))
        lost[visit.opened_by_seq] = forgotten.has_visit(*what)
        stay = reading.stay_at(visit.tab_id, visit.opened_by_seq)
        if stay is not None:
            begun[stay].append(visit.opened_by_seq)
        # Of a site or a page, every event that names it is stripped: nothing is left to mark.
        if forgotten.has_visit_of_stretch(*what):
            marked.add(visit.opened_by_seq)
    for seqs in begun.values():
        seqs.sort()
    stripped = set()
    for each in reading.noted:
        domain = None if each.url_id is None else domains.get(each.url_id)
        owner = _owner(begun.get(each.stay, ()) if each.stay is not None else (), each.seq)
        if (
            forgotten.has_event(each.t, each.url_id, domain)
            or forgotten.has_event(each.clock, each.url_id, domain)
            or (each.url_id is not None and owner is not None and lost[owner])
        ):
            stripped.add(each.seq)
        if forgotten.has_time(each.t) or forgotten.has_time(each.clock):
            marked.add(each.seq)
    return Plan(frozenset(stripped), frozenset(marked))


def _owner(visits: Sequence[int], seq: int) -> int | None:
    """The visit that an event of its stay belongs to."""
    if not visits:
        return None
    return visits[max(0, bisect_right(visits, seq) - 1)]
