"""Check each event of a batch and bring it into the form that the log keeps.

An event that cannot be used keeps its number in the log, as `REJECTED` with the reason, so that it
never blocks the ones after it. Where only its URL cannot be used, the rest counts: the person left
the previous page and is on none that is recorded. The same holds for excluded domains, which are not
an error and are not reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

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
    """Checks the events of one batch, and collects the URLs and texts they bring, by id."""

    session_id: SessionId
    user_id: UUID
    now_ms: int
    excluded: Sequence[str] = ()
    urls: dict[UUID, Url] = field(default_factory=dict)
    contents: dict[UUID, Content] = field(default_factory=dict)
    addresses: dict[UUID, str] = field(default_factory=dict)
    _known: dict[str, UUID | None] = field(default_factory=dict)
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
            return self._rejected(sent.seq, sent.reason)
        if sent.session_id != self._name and not self.is_own(sent.session_id):
            raise Unnumbered("it belongs to another session")
        try:
            return self._event(sent)
        except InvalidEvent as invalid:
            return self._rejected(sent.seq, str(invalid))

    def is_own(self, session_id: str | None) -> bool:
        """Whether an event that names this session (or none) belongs to the batch's session."""
        return session_id is None or session_id == self._name or _same(session_id, self.session_id)

    def _rejected(self, seq: int, reason: str) -> Event:
        if not is_valid_seq(seq):
            raise Unnumbered(reason)
        payload = Payload(rejected=reason[:MAX_REASON])
        return Event(seq, self.now_ms, EventType.REJECTED, payload=payload)

    def _event(self, sent: SentEvent) -> Event:
        seq, tab_id, told = sent.seq, sent.tab_id, sent.payload
        if not is_valid_seq(seq):
            raise InvalidEvent("seq is a whole number from 1 on")
        type_ = _TYPES.get(sent.type)
        if type_ is None:
            raise InvalidEvent("its type is not known")
        if told is None:
            told = _EMPTY
        elif tab_id is None:
            tab_id = told.tab_id
        _check_ids(tab_id, sent.window_id, told.opener_tab_id)
        if tab_id is None and type_ in _NEEDS_TAB:
            raise InvalidEvent("tabId is missing")
        t = self._time(sent.t)
        url_id, payload = None, NO_PAYLOAD
        if type_ in _HAS_URL:
            url_id, payload = self._with_url(type_, sent, told)
        elif told is not _EMPTY or type_ in _READS_NO_PAYLOAD:
            payload = self._payload(type_, sent, told, None)
        return Event(seq, t, type_, tab_id, sent.window_id, url_id, payload)

    def _time(self, t: float) -> int:
        if 0 <= t <= self.now_ms + MAX_AHEAD_MS:
            return int(t)
        if t > 0:  # false for NaN
            raise InvalidEvent("t lies in the future")
        raise InvalidEvent("t is no time in milliseconds since 1970")

    def _with_url(
        self, type_: EventType, sent: SentEvent, told: SentPayload
    ) -> tuple[UUID | None, Payload]:
        if type_ is EventType.HIGHLIGHT:
            _highlight(told.text)  # first: without a text, its URL must not be kept either
        url_id, reason = self._url(type_, sent.url or told.url)
        payload = self._payload(type_, sent, told, url_id)
        if reason is not None:
            payload = Payload(restart=payload.restart, rejected=reason)
        return url_id, payload

    def _url(self, type_: EventType, text: str | None) -> tuple[UUID | None, str | None]:
        """The id of an event's URL, or why it is not one that can be recorded."""
        if text is None:
            if type_ in _NEEDS_URL:
                raise InvalidEvent("url is missing")
            return None, None
        try:
            return self._known[text], None
        except KeyError:
            pass
        try:
            return self._normalise(text), None
        except NotAPage as wrong:
            if type_ in _NEEDS_URL:
                raise InvalidEvent(f"url: {wrong.reason}") from None
            return None, f"url: {wrong.reason}"

    def _normalise(self, text: str) -> UUID | None:
        """None where the domain is excluded."""
        url = urls.normalise(text)
        id_ = None
        if not self.excluded or not urls.matches_domain(url.domain, self.excluded):
            id_ = url.id
            self.urls[id_] = url
            self.addresses[id_] = text
        self._known[text] = id_
        return id_

    def _payload(
        self, type_: EventType, sent: SentEvent, told: SentPayload, url_id: UUID | None
    ) -> Payload:
        if told is _EMPTY and type_ not in _READS_NO_PAYLOAD:
            return NO_PAYLOAD
        restart = told.restart is True
        if type_ is EventType.IDLE_STATE_CHANGED:
            return Payload(
                state=_presence(told.state), threshold_ms=_threshold(told), restart=restart
            )
        if type_ is EventType.WINDOW_FOCUS_CHANGED:
            if told.focused is None and sent.window_id is None:
                raise InvalidEvent("neither focused nor windowId says where the focus is")
            return Payload(focused=told.focused, restart=restart)
        if url_id is None:
            return Payload(restart=restart) if restart else NO_PAYLOAD
        if type_ is EventType.HIGHLIGHT:
            return Payload(text=_highlight(told.text), restart=restart)
        return self._page_payload(type_, told, url_id, restart=restart)

    def _page_payload(
        self, type_: EventType, told: SentPayload, url_id: UUID, *, restart: bool
    ) -> Payload:
        meta = told.meta
        title = told.title or (None if meta is None else meta.title)
        if title and not title.isascii():
            title = unicodedata.normalize("NFC", title)  # as search terms are
        is_navigation = type_ is EventType.NAV_COMMITTED
        has_text = type_ is EventType.CONTENT_EXTRACTED or (
            is_navigation and (told.content is not None or told.extraction_ok is not None)
        )
        content = self._content(url_id, title, told) if has_text else None
        return Payload(
            title=title[:MAX_TITLE] if title else None,
            redirect=is_navigation and told.redirect is True,
            transition=_transition(told.transition) if is_navigation else None,
            opener_tab_id=told.opener_tab_id if is_navigation else None,
            content_id=None if content is None else content.id,
            extraction_ok=(content is not None) if has_text else None,
            restart=restart,
        )

    def _content(self, url_id: UUID, title: str | None, told: SentPayload) -> Content | None:
        """The text that was extracted, or None where extraction failed."""
        text = (told.content or "").strip()
        if told.extraction_ok is False or not text:
            return None
        sent = told.meta or _NO_META
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


def _check_ids(tab_id: int | None, window_id: int | None, opener_id: int | None) -> None:
    if (
        (tab_id is not None and not -1 <= tab_id <= MAX_TAB_ID)
        or (window_id is not None and not -1 <= window_id <= MAX_TAB_ID)
        or (opener_id is not None and not -1 <= opener_id <= MAX_TAB_ID)
    ):
        raise InvalidEvent("a tab or a window has a number that no browser gives")


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
        raise InvalidEvent("state is one of active, idle, locked")
    return presence


def _threshold(told: SentPayload) -> int | None:
    if told.threshold_ms is None:
        return None
    if not 0 <= told.threshold_ms <= MAX_THRESHOLD_MS:
        raise InvalidEvent("thresholdMs lies between 0 and a day")
    return int(told.threshold_ms)


def _highlight(text: str | None) -> str:
    text = (text or "").strip()
    if not text:
        raise InvalidEvent("text is missing")
    return text[:MAX_HIGHLIGHT]


def _transition(name: str | None) -> str | None:
    return name if name and _TRANSITION.fullmatch(name) else None
