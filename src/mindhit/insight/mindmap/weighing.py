"""What the pages of a node add up to, and how important that makes it: 0 to 1.

Three shares of the whole session count: focused time (its square root, so that one page that was open
all day does not make everything else vanish), highlights, and pages. More time on a page never makes a
node that has it less important.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from mindhit.insight.model import NodeMetadata, PageRead

TIME, HIGHLIGHTS, PAGES = 0.6, 0.25, 0.15
NOTHING: Final = NodeMetadata(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Scale:
    """The pages of a session, by id and by visit, and what they add up to."""

    pages: Mapping[UUID, PageRead]
    by_visit: Mapping[str, UUID]
    whole: NodeMetadata

    @classmethod
    def of(cls, pages: Sequence[PageRead]) -> Scale:
        return cls(
            {page.url_id: page for page in pages},
            {visit: page.url_id for page in pages for visit in page.visit_ids},
            add_up(pages),
        )

    def weigh(self, visit_ids: Iterable[str]) -> NodeMetadata:
        """The sums over the pages that these visits are of."""
        known = {self.by_visit[each]: None for each in visit_ids if each in self.by_visit}
        return add_up(self.pages[url_id] for url_id in known)


def add_up(pages: Iterable[PageRead]) -> NodeMetadata:
    found = list(pages)
    return NodeMetadata(
        sum(page.duration_ms for page in found),
        sum(page.highlight_count for page in found),
        len(found),
    )


def importance(part: NodeMetadata, whole: NodeMetadata) -> float:
    shares = [
        (TIME, part.total_duration_ms, whole.total_duration_ms, 0.5),
        (HIGHLIGHTS, part.highlight_count, whole.highlight_count, 1.0),
        (PAGES, part.page_count, whole.page_count, 1.0),
    ]
    counting = [each for each in shares if each[2] > 0]
    weights = sum(weight for weight, *_ in counting)
    if not weights:
        return 0.0
    score = 0.0
    for weight, some, all_, power in counting:
        score += weight * float((some / all_) ** power)
    return round(min(1.0, score / weights), 4)
