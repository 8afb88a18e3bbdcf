"""Which events are taken, and in what form: the rules between the wire and the log.

An event that cannot be used keeps its place in the log, as `REJECTED` with the reason, so that it
never blocks what comes after it. Where only its URL cannot be used, the rest counts: the reader
left the page before, and is on no page that is recorded. The same holds for excluded domains, which
are no mistake and are not named.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from mindhit import urls
from mindhit.tracking import contents, icons, wire
from mindhit.tracking.contents import Content
from mindhit.tracking.model import MAX_SEQ, NO_PAYLOAD, Event, Payload, Presence, SessionId, Type
from mindhit.urls import NotAPage, Url

DAY_MS: Final = 86_400_000
AHEAD_MS: Final = DAY_MS  # so far may a browser's clock be ahead of ours
MAX_INT: Final = 2**31 - 1
_WORD = re.compile(r"[a-z_]{1,30}")
_TYPES: Final = {type_.value: type_ for type_ in Type if type_ is not Type.REJECTED}
_ABOUT_A_TAB: Final = frozenset({Type.TAB_ACTIVATED, Type.NAV_COMMITTED, Type.TAB_REMOVED})
_ABOUT_A_PAGE: Final = frozenset({Type.CONTENT_EXTRACTED, Type.HIGHLIGHT})
_PRESENCE: Final = {presence.value: presence for presence in Presence}


class Unfit(Exception):
    """Why an event is not taken; the message goes to whoever sent it."""


class Unplaced(Exception):
    """Why an event is not taken and has no place in the log either."""


@dataclass(slots=True)
class Door:
    """What comes in with one batch: pages and texts by their ids, events one by one."""

    session_id: SessionId
    user_id: UUID
    now_ms: int
    excluded: Sequence[str] = ()
    pages: dict[UUID, Url] = field(default_factory=dict)
    texts: dict[UUID, Content] = field(default_factory=dict)
    addresses: dict[UUID, str] = field(default_factory=dict)
    _known: dict[str, UUID | None] = field(default_factory=dict)
    _name: str = ""

    def __post_init__(self) -> None:
        self._name = str(self.session_id)

    def admit(self, sent: wire.Sent | wire.Unread) -> Event:
        """The event for the log; what is wrong with it, if anything, its payload says.

        Raises `Unplaced` where it cannot be told which event of this session it is.
        """
        if isinstance(sent, wire.Unread):
            return self._refuse(sent)
        if sent.session_id != self._name and not self.is_ours(sent.session_id):
            raise Unplaced("it belongs to another session")
        try:
            return self._admit(sent)
        except Unfit as unfit:
            return self._placed(sent.seq, str(unfit))

    def _refuse(self, unread: wire.Unread) -> Event:
        if unread.seq is None or not self.is_ours(unread.session_id):
            raise Unplaced(unread.reason)
        return self._placed(unread.seq, unread.reason)

    def is_ours(self, session_id: str | None) -> bool:
        return session_id is None or session_id == self._name or _same(session_id, self.session_id)

    def _placed(self, seq: int, reason: str) -> Event:
        if not is_place(seq):
            raise Unplaced(reason)
        return Event(seq, self.now_ms, Type.REJECTED, payload=Payload(rejected=reason[:200]))

    def _admit(self, sent: wire.Sent) -> Event:
        seq, tab_id, told = sent.seq, sent.tab_id, sent.payload
        if not is_place(seq):
            raise Unfit("seq is a whole number from 1 on")
        type_ = _TYPES.get(sent.type)
        if type_ is None:
            raise Unfit("its type is not known")
        if told is None:
            told = _NOTHING
        elif tab_id is None:
            tab_id = told.tab_id
        _check_numbers(tab_id, sent.window_id, told.opener_tab_id)
        if tab_id is None and type_ in _ABOUT_A_TAB:
            raise Unfit("tabId is missing")
        t = self._time(sent.t)
        url_id, payload = None, NO_PAYLOAD
        if type_ in _WITH_PAGE:
            url_id, payload = self._with_page(type_, sent, told)
        elif told is not _NOTHING or type_ in _NEEDS_PAYLOAD:
            payload = self._payload(type_, sent, told, None)
        return Event(seq, t, type_, tab_id, sent.window_id, url_id, payload)

    def _time(self, t: float) -> int:
        if 0 <= t <= self.now_ms + AHEAD_MS:
            return int(t)
        if t > 0:  # which NaN is not
            raise Unfit("t lies in the future")
        raise Unfit("t is no time in milliseconds since 1970")

    def _with_page(
        self, type_: Type, sent: wire.Sent, told: wire.Payload
    ) -> tuple[UUID | None, Payload]:
        if type_ is Type.HIGHLIGHT:
            _marked(told.text)  # before its page is taken in, which would stay without it
        url_id, reason = self._page(type_, sent.url or told.url)
        payload = self._payload(type_, sent, told, url_id)
        if reason is not None:
            payload = Payload(restart=payload.restart, rejected=reason)
        return url_id, payload

    def _page(self, type_: Type, text: str | None) -> tuple[UUID | None, str | None]:
        """The page an event is about, or why its URL is none."""
        if text is None:
            if type_ in _ABOUT_A_PAGE:
                raise Unfit("url is missing")
            return None, None
        try:
            return self._known[text], None
        except KeyError:
            pass
        try:
            return self._find(text), None
        except NotAPage as wrong:
            if type_ in _ABOUT_A_PAGE:
                raise Unfit(f"url: {wrong.reason}") from None
            return None, f"url: {wrong.reason}"

    def _find(self, text: str) -> UUID | None:
        """None where the domain is excluded."""
        page = urls.normalise(text)
        id_ = None
        if not self.excluded or not urls.matches_domain(page.domain, self.excluded):
            id_ = page.id
            self.pages[id_] = page
            self.addresses[id_] = text
        self._known[text] = id_
        return id_

    def _payload(
        self, type_: Type, sent: wire.Sent, told: wire.Payload, url_id: UUID | None
    ) -> Payload:
        if told is _NOTHING and type_ not in _NEEDS_PAYLOAD:
            return NO_PAYLOAD
        restart = told.restart is True
        if type_ is Type.IDLE_STATE_CHANGED:
            return Payload(
                state=_presence(told.state), threshold_ms=_threshold(told), restart=restart
            )
        if type_ is Type.WINDOW_FOCUS_CHANGED:
            if told.focused is None and sent.window_id is None:
                raise Unfit("neither focused nor windowId says where the focus is")
            return Payload(focused=told.focused, restart=restart)
        if url_id is None:
            return Payload(restart=restart) if restart else NO_PAYLOAD
        if type_ is Type.HIGHLIGHT:
            return Payload(text=_marked(told.text), restart=restart)
        return self._of_page(type_, told, url_id, restart=restart)

    def _of_page(self, type_: Type, told: wire.Payload, url_id: UUID, *, restart: bool) -> Payload:
        meta = told.meta
        title = told.title or (None if meta is None else meta.title)
        if title and not title.isascii():
            title = unicodedata.normalize("NFC", title)  # as searches are written
        is_reading = type_ is Type.CONTENT_EXTRACTED or (
            type_ is Type.NAV_COMMITTED
            and (told.content is not None or told.extraction_ok is not None)
        )
        content = self._content(url_id, title, told) if is_reading else None
        is_navigation = type_ is Type.NAV_COMMITTED
        return Payload(
            title=title[: contents.MAX_TITLE] if title else None,
            redirect=is_navigation and told.redirect is True,
            transition=_word(told.transition) if is_navigation else None,
            opener_tab_id=told.opener_tab_id if is_navigation else None,
            content_id=None if content is None else content.id,
            extraction_ok=(content is not None) if is_reading else None,
            restart=restart,
        )

    def _content(self, url_id: UUID, title: str | None, told: wire.Payload) -> Content | None:
        """The text that was extracted, or None where extraction failed."""
        text = (told.content or "").strip()
        if told.extraction_ok is False or not text:
            return None
        said = told.meta or _NO_META
        meta = contents.Meta(
            description=said.description,
            og_image=self._unless_excluded(said.og_image),
            og_title=said.og_title,
            language=said.language,
            canonical=self._unless_excluded(said.canonical),
            favicon=self._unless_excluded(said.favicon),
        )
        domain = self.pages[url_id].domain
        content = contents.make(self.user_id, domain, title, text, meta)
        if content.has_icon or content.id not in self.texts:
            self.texts[content.id] = content
        return content

    def _unless_excluded(self, address: str | None) -> str | None:
        """A page may name one that is not to be recorded: as its icon, or as its own address."""
        if not address or not self.excluded or address.startswith(icons.PREFIX):
            return address
        try:
            domain = urls.normalise(address).domain
        except NotAPage:
            return None
        return None if urls.matches_domain(domain, self.excluded) else address


_NOTHING: Final = wire.Payload()
_NO_META: Final = wire.Meta()
_WITH_PAGE: Final = frozenset({Type.TAB_ACTIVATED, Type.NAV_COMMITTED, *_ABOUT_A_PAGE})


_NEEDS_PAYLOAD: Final = frozenset(
    {*_ABOUT_A_PAGE, Type.IDLE_STATE_CHANGED, Type.WINDOW_FOCUS_CHANGED}
)


def _check_numbers(tab_id: int | None, window_id: int | None, opener_id: int | None) -> None:
    if (
        (tab_id is not None and not -1 <= tab_id <= MAX_INT)
        or (window_id is not None and not -1 <= window_id <= MAX_INT)
        or (opener_id is not None and not -1 <= opener_id <= MAX_INT)
    ):
        raise Unfit("a tab or a window has a number that no browser gives")


def is_place(seq: int) -> bool:
    """The last number stays free: what comes after an event has a number too."""
    return 1 <= seq < MAX_SEQ


def _same(text: str, session_id: UUID) -> bool:
    try:
        return UUID(text) == session_id
    except ValueError:
        return False


def _presence(state: str | None) -> Presence:
    presence = _PRESENCE.get(state or "")
    if presence is None:
        raise Unfit("state is one of active, idle, locked")
    return presence


def _threshold(told: wire.Payload) -> int | None:
    if told.threshold_ms is None:
        return None
    if not 0 <= told.threshold_ms <= DAY_MS:
        raise Unfit("thresholdMs lies between 0 and a day")
    return int(told.threshold_ms)


def _marked(text: str | None) -> str:
    text = (text or "").strip()
    if not text:
        raise Unfit("text is missing")
    return text[: contents.MAX_TEXT]


def _word(transition: str | None) -> str | None:
    return transition if transition and _WORD.fullmatch(transition) else None
