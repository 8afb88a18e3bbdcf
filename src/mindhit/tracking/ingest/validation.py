"""Check each event of a batch and bring it into the form that the log keeps.

An event that cannot be used keeps its number in the log, with the reason, so that it never blocks the
ones after it: as `ALIVE` at its time, since it shows that the browser was awake, or as `REJECTED`
where it has no usable time. Where only its URL cannot be used, the rest counts: the person left the
previous page and is on none that is recorded. The same holds for excluded domains, which are not an
error and are not reported.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from msgspec import structs

from mindhit import urls
from mindhit.tracking.ingest import contents
from mindhit.tracking.ingest.contents import Content
from mindhit.tracking.ingest.decoding import UnreadableEvent
from mindhit.tracking.model import SessionId
from mindhit.tracking.protocol import (
    EVENTS,
    ICON_PREFIX,
    MAX_AHEAD_MS,
    MAX_HIGHLIGHT,
    MAX_SEQ,
    MAX_TAB_ID,
    MAX_THRESHOLD_MS,
    MAX_TITLE,
    NO_PAYLOAD,
    Event,
    EventType,
    PageMeta,
    Payload,
    Presence,
    SentEvent,
    SentPayload,
)
from mindhit.urls import NotAPage, Url

MAX_REASON: Final = 200
_TRANSITION = re.compile(r"[a-z_]{1,30}")
_TYPES: Final = {type_.value: type_ for type_ in EVENTS}
_PRESENCE: Final = {presence.value: presence for presence in Presence}
_NEEDS_TAB: Final = frozenset(type_ for type_, spec in EVENTS.items() if "tab_id" in spec.requires)
_NEEDS_URL: Final = frozenset(type_ for type_, spec in EVENTS.items() if "url" in spec.requires)
# What else `requires` names is in the payload, by its attribute and its name in JSON.
_NAMES: Final = dict(
    zip(SentPayload.__struct_fields__, SentPayload.__struct_encode_fields__, strict=True)
)
_NEEDS_PAYLOAD: Final = {
    type_: tuple((name, _NAMES[name]) for name in spec.requires if name in spec.payload)
    for type_, spec in EVENTS.items()
}
_HAS_URL: Final = frozenset(type_ for type_, spec in EVENTS.items() if "url" in spec.fields)
_READS_NO_PAYLOAD: Final = frozenset(
    type_ for type_, spec in EVENTS.items() if spec.reads_no_payload
)
_EMPTY: Final = SentPayload()
_NO_META: Final = PageMeta()


class InvalidEvent(Exception):
    """Why an event cannot be used; the message goes to the client."""


class Unnumbered(Exception):
    """Why an event cannot be used, where it has no usable number under which to say so."""


@dataclass(slots=True)
class Validator:
    """Checks the events of one batch, and collects what they bring, by id: URLs, the address at which
    each was last seen where that is not the URL itself, those not to be fetched, and texts."""

    session_id: SessionId
    user_id: UUID
    now_ms: int
    excluded: Sequence[str] = ()
    urls: dict[UUID, Url] = field(default_factory=dict)
    contents: dict[UUID, Content] = field(default_factory=dict)
    addresses: dict[UUID, str | None] = field(default_factory=dict)
    no_fetch: set[UUID] = field(default_factory=set)
    _known: dict[str, tuple[UUID | None, str | None]] = field(default_factory=dict)
    _name: str = ""

    def __post_init__(self) -> None:
        self._name = str(self.session_id)

    def validate(self, sent: SentEvent | UnreadableEvent) -> Event:
        """The event for the log; its payload says what is wrong with it, if anything.

        Raises `Unnumbered` where it cannot be told which event of this session it is.
        """
        if isinstance(sent, UnreadableEvent):
            if sent.seq is None or not self.is_own(sent.session_id):
                raise Unnumbered(sent.reason)
            return self._rejected(sent.seq, sent.t, sent.reason)
        if sent.session_id != self._name and not self.is_own(sent.session_id):
            raise Unnumbered("it belongs to another session")
        try:
            return self._event(sent)
        except InvalidEvent as invalid:
            return self._rejected(sent.seq, sent.t, str(invalid))

    def is_own(self, session_id: str | None) -> bool:
        """Whether an event that names this session (or none) belongs to the batch's session."""
        return session_id is None or session_id == self._name or _same(session_id, self.session_id)

    def _rejected(self, seq: int, t: float | None, reason: str) -> Event:
        if not is_valid_seq(seq):
            raise Unnumbered(reason)
        payload = Payload(rejected=reason[:MAX_REASON])
        try:
            at = self._time(math.nan if t is None else t)
        except InvalidEvent:
            return Event(seq, self.now_ms, EventType.REJECTED, payload=payload)
        return Event(seq, at, EventType.ALIVE, payload=payload)

    def _event(self, sent: SentEvent) -> Event:
        seq, tab_id, carried = sent.seq, sent.tab_id, sent.payload
        if not is_valid_seq(seq):
            raise InvalidEvent("seq must be a whole number, 1 or greater")
        type_ = _TYPES.get(sent.type)
        if type_ is None:
            raise InvalidEvent("its type is not known")
        if carried is None:
            carried = _EMPTY
        elif tab_id is None:
            tab_id = carried.tab_id
        _check_ids(tab_id, sent.window_id, carried.opener_tab_id)
        if tab_id is None and type_ in _NEEDS_TAB:
            raise InvalidEvent("tabId is missing")
        for attribute, name in _NEEDS_PAYLOAD[type_]:
            if getattr(carried, attribute) is None:
                raise InvalidEvent(f"{name} is missing")
        t = self._time(sent.t)
        url_id, payload = None, NO_PAYLOAD
        if type_ in _HAS_URL:
            url_id, payload = self._with_url(type_, sent, carried)
        elif carried is not _EMPTY or type_ in _READS_NO_PAYLOAD:
            payload = self._payload(type_, sent, carried, None, None)
        return Event(seq, t, type_, tab_id, sent.window_id, url_id, payload)

    def _time(self, t: float) -> int:
        if 0 <= t <= self.now_ms + MAX_AHEAD_MS:
            return int(t)
        if t > 0:  # false for NaN
            raise InvalidEvent("t lies in the future")
        raise InvalidEvent("t is not a time in milliseconds since 1970")

    def _with_url(
        self, type_: EventType, sent: SentEvent, carried: SentPayload
    ) -> tuple[UUID | None, Payload]:
        if type_ is EventType.HIGHLIGHT:
            _highlight(carried.text)  # first: without a text, its URL must not be kept either
        try:
            url_id, address = self._url(type_, sent.url or carried.url)
        except NotAPage as wrong:
            reason = f"url: {wrong.reason}"
            if type_ in _NEEDS_URL:
                raise InvalidEvent(reason) from None
            payload = _without_page(type_, carried)
            return None, structs.replace(payload, rejected=reason)
        if url_id is not None:
            self.addresses[url_id] = address
            if carried.no_fetch is True:
                self.no_fetch.add(url_id)
        return url_id, self._payload(type_, sent, carried, url_id, address)

    def _url(self, type_: EventType, text: str | None) -> tuple[UUID | None, str | None]:
        """The id of an event's URL, and the address as seen where it is another. Raises `NotAPage`."""
        if text is None:
            if type_ in _NEEDS_URL:
                raise InvalidEvent("url is missing")
            return None, None
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._normalise(text)
        return known

    def _normalise(self, text: str) -> tuple[UUID | None, str | None]:
        """No id where the domain is excluded."""
        url = urls.normalise(text)
        if self.excluded and urls.matches_domain(url.domain, self.excluded):
            return None, None
        id_ = url.id
        self.urls[id_] = url
        if text == url.href:
            return id_, None
        try:
            address = urls.shown(text)
        except NotAPage:  # normalised, it is short enough; as it was seen, it is not
            return id_, None
        return id_, None if address == url.href else address

    def _payload(
        self,
        type_: EventType,
        sent: SentEvent,
        carried: SentPayload,
        url_id: UUID | None,
        address: str | None,
    ) -> Payload:
        if carried is _EMPTY and type_ not in _READS_NO_PAYLOAD:
            return NO_PAYLOAD if address is None else Payload(address=address)
        restart = carried.restart is True
        if type_ is EventType.IDLE_STATE_CHANGED:
            return Payload(
                state=_presence(carried.state), threshold_ms=_threshold(carried), restart=restart
            )
        if type_ is EventType.WINDOW_FOCUS_CHANGED:
            if carried.focused is None and sent.window_id is None:
                raise InvalidEvent("focused or windowId is missing")
            return Payload(focused=carried.focused, restart=restart)
        if url_id is None:
            return _without_page(type_, carried)
        if type_ is EventType.HIGHLIGHT:
            return Payload(text=_highlight(carried.text), restart=restart, address=address)
        return self._page_payload(type_, carried, url_id, address)

    def _page_payload(
        self, type_: EventType, carried: SentPayload, url_id: UUID, address: str | None
    ) -> Payload:
        meta = carried.meta
        title = _title(carried.title or (None if meta is None else meta.title))
        is_navigation = type_ is EventType.NAV_COMMITTED
        has_text = type_ is EventType.CONTENT_EXTRACTED or (
            is_navigation and (carried.content is not None or carried.extraction_ok is not None)
        )
        content = self._content(url_id, title, carried) if has_text else None
        return Payload(
            title=title,
            redirect=is_navigation and carried.redirect is True,
            transition=_transition(carried.transition) if is_navigation else None,
            opener_tab_id=carried.opener_tab_id if is_navigation else None,
            new_document=is_navigation and carried.new_document is True,
            content_id=None if content is None else content.id,
            extraction_ok=(content is not None) if has_text else None,
            restart=carried.restart is True,
            address=address,
            no_fetch=carried.no_fetch is True,
        )

    def _content(self, url_id: UUID, title: str | None, carried: SentPayload) -> Content | None:
        """The text that was extracted, or None where extraction failed."""
        text = (carried.content or "").strip()
        if carried.extraction_ok is False or not text:
            return None
        sent = carried.meta or _NO_META
        meta = contents.Meta(
            description=sent.description,
            og_image=self._unless_excluded(sent.og_image),
            og_title=sent.og_title,
            language=sent.language,
            canonical=self._unless_excluded(sent.canonical),
            favicon=self._unless_excluded(sent.favicon),
        )
        domain = self.urls[url_id].domain
        content = contents.make(self.user_id, domain, title, text, meta)
        if content.has_icon or content.id not in self.contents:
            self.contents[content.id] = content
        return content

    def _unless_excluded(self, address: str | None) -> str | None:
        """A page may point at one that must not be recorded: as its icon, or as its own address."""
        if not address or not self.excluded or address.startswith(ICON_PREFIX):
            return address
        try:
            domain = urls.normalise(address).domain
        except NotAPage:
            return None
        return None if urls.matches_domain(domain, self.excluded) else address


def _title(text: str | None) -> str | None:
    """In one form, as search terms are. Cut before that too: ordering combining marks takes the square of
    their number, 20 s for 80,000. A composed character has at most four parts in practice."""
    if text and not text.isascii():
        text = unicodedata.normalize("NFC", text[: 4 * MAX_TITLE])
    return text[:MAX_TITLE] if text else None


def _check_ids(tab_id: int | None, window_id: int | None, opener_id: int | None) -> None:
    if (
        (tab_id is not None and not -1 <= tab_id <= MAX_TAB_ID)
        or (window_id is not None and not -1 <= window_id <= MAX_TAB_ID)
        or (opener_id is not None and not -1 <= opener_id <= MAX_TAB_ID)
    ):
        raise InvalidEvent("a tab or window id is out of range")


def is_valid_seq(seq: int) -> bool:
    return 1 <= seq <= MAX_SEQ


def _same(text: str, session_id: UUID) -> bool:
    try:
        return UUID(text) == session_id
    except ValueError:
        return False


def _presence(state: str | None) -> Presence:
    presence = _PRESENCE.get(state or "")
    if presence is None:
        raise InvalidEvent("state must be one of active, idle, locked")
    return presence


def _without_page(type_: EventType, carried: SentPayload) -> Payload:
    """What counts of an event about a page that is not recorded: nothing says which page it is."""
    redirect = type_ is EventType.NAV_COMMITTED and carried.redirect is True
    restart = carried.restart is True
    return Payload(redirect=redirect, restart=restart) if redirect or restart else NO_PAYLOAD


def _threshold(carried: SentPayload) -> int | None:
    if carried.threshold_ms is None:
        return None
    if not 0 <= carried.threshold_ms <= MAX_THRESHOLD_MS:
        raise InvalidEvent("thresholdMs must be between 0 and a day")
    return int(carried.threshold_ms)


def _highlight(text: str | None) -> str:
    text = (text or "").strip()
    if not text:
        raise InvalidEvent("text is missing")
    return text[:MAX_HIGHLIGHT]


def _transition(name: str | None) -> str | None:
    return name if name and _TRANSITION.fullmatch(name) else None
