"""Events that arrive after what they tell of was forgotten: from a browser's outbox, or behind a hole."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from mindhit.tracking.forgetting.ranges import Forgotten, Range
from mindhit.tracking.forgetting.redaction import strip
from mindhit.tracking.model import Visit
from mindhit.tracking.protocol import Event

if TYPE_CHECKING:
    from mindhit.tracking.ingest.validation import Validator


def forgotten_of(user_id: UUID, session_id: UUID, told: Any) -> Forgotten | None:
    """The ranges as the statement that locks the session gives them; None for most people."""
    if not told:
        return None
    return Forgotten(user_id, session_id, msgspec.convert(told, list[Range])) or None


def redact_batch(
    forgotten: Forgotten, fresh: MutableMapping[int, Event], validator: Validator
) -> None:
    """Redact the events of a batch, and drop the URLs and texts that only those brought."""
    for seq, event in fresh.items():
        url = None if event.url_id is None else validator.urls.get(event.url_id)
        is_of_time = forgotten.has_time(event.t)
        if is_of_time or (
            url is not None and forgotten.has_event(event.t, event.url_id, url.domain)
        ):
            fresh[seq] = strip(event, is_marked=is_of_time)
    urls = {event.url_id for event in fresh.values()}
    contents = {event.payload.content_id for event in fresh.values()}
    for url_id in validator.urls.keys() - urls:
        del validator.urls[url_id]
        validator.addresses.pop(url_id, None)
    for _, event in sorted(fresh.items()):  # the last address that is left of each page
        if event.url_id in validator.addresses:
            validator.addresses[event.url_id] = event.payload.address
    for content_id in validator.contents.keys() - contents:
        del validator.contents[content_id]


def reaches_into(forgotten: Forgotten, visits: Iterable[Visit], validator: Validator) -> bool:
    """Whether a visit that was folded just now lies partly in a forgotten stretch: it began before, and
    the events that would have ended it had not arrived."""
    for visit in visits:
        url = validator.urls.get(visit.url_id)
        domain = None if url is None else url.domain
        if forgotten.has_visit(visit.entered, visit.left, visit.url_id, domain):
            return True
    return False
