"""The rules of the timeline: visits are a pure fold over the event log.

    fold(State(), events) → Folded(state, visits, pauses, highlights, texts_read)

No I/O and no clock. The state is everything a session carries from one batch to the next, so the cost
of a batch depends only on the batch. Splitting the log anywhere and folding the pieces one after the
other gives the same timeline as folding it whole.

At any time the session is in one interval, and every millisecond from the first event to the stop
belongs to exactly one:

    focused visit     the page of the active tab of the focused window; the person is there
    unfocused visit   the same page, while no window of the browser has the focus
    idle              the person is away, or the screen is locked
    asleep            longer than `SILENCE_MS` without any event, even `ALIVE`; or the browser was down
    no page           a page that is not recorded, or no tab

Rules that are easy to miss:

- Order is `seq`. Time never runs backwards: an event earlier than the latest one counts as at that time.
- An interval of zero length is dropped.
- Idleness began `threshold_ms` before it was reported, but not before the current interval.
- Until the first focus event, the focus follows the tab that was activated last.
- Only an activation brings a tab to the front: a window whose active tab is not known shows no page.
- A redirect takes over the visit of the page before it, with its entry time and its `opened_by_seq`;
  where it leads to a page that is not recorded, the page before it was no page either.
- The same URL again in the same tab (a reload, a second extraction) does not split a visit; a new
  document there (a form that posts to its own address) does, when its title or text turns out to be
  another: at the navigation, not when it was noticed.
- What an event opens that is marked as forgotten is no page, until something else is shown.
- A visit has the title, the content and the address that were last reported for its page before it ended.
- A highlight belongs to the open visit of its page in its tab, else to the last one that ended there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final
from uuid import UUID

import msgspec

from mindhit.tracking.model import Highlight, Pause, PauseKind, TextRead, Visit
from mindhit.tracking.protocol import (
    IDLE_THRESHOLD_MS,
    NO_WINDOW,
    SILENCE_MS,
    Event,
    EventType,
    Payload,
    Presence,
)
from mindhit.tracking.timeline import tabs_and_windows as tabs
from mindhit.tracking.timeline.state import (
    Interval,
    IntervalKind,
    Renewal,
    State,
    TabPage,
    copy,
)

# They change nothing about what is shown. After a sleep, they first open the visit they are about.
_ABOUT_WHAT_IS_SHOWN: Final = frozenset({EventType.CONTENT_EXTRACTED, EventType.HIGHLIGHT})
# Transitions after which the previous page of the tab, or the opener's, is where the person came from.
FOLLOWED: Final = frozenset({"link", "form_submit"})
# For highlights that arrive late: they follow within seconds, so few visits are worth remembering.
MAX_ENDED: Final = 16


class NotAtRest(Exception):
    """The open visit was closed because of silence, and these events show that there was none."""


class Folded(msgspec.Struct):
    """The result of a fold, each list in the order of the log."""

    state: State
    visits: list[Visit] = msgspec.field(default_factory=list)
    pauses: list[Pause] = msgspec.field(default_factory=list)
    highlights: list[Highlight] = msgspec.field(default_factory=list)
    texts_read: list[TextRead] = msgspec.field(default_factory=list)


def fold(state: State, events: Iterable[Event]) -> Folded:
    """Fold events in the order of `seq`, after those already folded. `state` is not changed.

    Raises `NotAtRest` where `rest` closed a visit that continued, as these events show.
    """
    folding = _Folding(copy(state))
    for event in events:
        folding.take(event)
    return folding.out


def finish(state: State, at: int) -> Folded:
    """Close the session at `at`, or at its last event if that is later."""
    folding = _Folding(copy(state))
    folding.finish(at)
    return folding.out


def rest(state: State) -> Folded:
    """Close what is open at the time of the last event: after so long without one, the browser is
    assumed to be gone. The fold does the same itself when the next event shows the silence."""
    folding = _Folding(copy(state))
    folding.rest()
    return folding.out


class _Folding:
    """One run of the fold over its own copy of the state."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.out = Folded(state)

    def take(self, event: Event) -> None:
        if event.type is EventType.REJECTED:
            return
        state = self.state
        t = event.t if state.clock is None else max(event.t, state.clock)
        self._pass_time(t, is_restart=event.payload.restart)
        if event.payload.restart:
            self._forget_browser()
        if event.type in _ABOUT_WHAT_IS_SHOWN:
            self._settle(event, t)
            _APPLY[event.type](self, event)
        else:
            _APPLY[event.type](self, event)
            self._settle(event, t)

    def finish(self, at: int) -> None:
        clock = self.state.clock
        if clock is None:
            return
        end = max(at, clock)
        if self.state.is_resting and end == clock:
            return  # closed already, and no time has passed since
        self._pass_time(end, is_restart=False)
        self._close(end)

    def rest(self) -> None:
        if self.state.clock is not None and not self.state.is_resting:
            self._close(self.state.clock)
            self.state.is_resting = True

    def _pass_time(self, t: int, *, is_restart: bool) -> None:
        """Nothing happened until `t`; if that was too long, or the browser was down, it was sleep."""
        state = self.state
        clock, state.clock = state.clock, t
        if clock is None:
            state.began = t
            return
        if t - clock > SILENCE_MS or is_restart:
            self._close(clock)
            if t > clock:
                self.out.pauses.append(Pause(PauseKind.ASLEEP, clock, t))
        elif state.is_resting:
            raise NotAtRest
        state.is_resting = False

    def _forget_browser(self) -> None:
        state = self.state
        state.tabs.clear()
        state.active.clear()
        state.ended.clear()
        state.window_id = None
        state.is_focused, state.is_focus_known = True, False
        state.presence = Presence.ACTIVE

    # What each event changes.

    def activate(self, event: Event) -> None:
        state, tab_id = self.state, tabs.id_of(event)
        tab = tabs.tab_of(state, event)
        tabs.bring_to_front(state, tab_id, tab.window_id)
        if not state.is_focus_known:
            state.window_id = tab.window_id
        if event.url_id is None:
            tab.page = None
        elif tab.page is None or tab.page.url_id != event.url_id:
            tab.page = TabPage(event.url_id, event.payload.title, address=event.payload.address)
        else:
            self._describe(tab_id, tab.page, event)

    def navigate(self, event: Event) -> None:
        state, tab_id = self.state, tabs.id_of(event)
        tab = tabs.tab_of(state, event)
        if state.window_id is None:
            state.window_id = tab.window_id
        before = tab.page
        if event.url_id is None:
            if before is not None and event.payload.redirect:
                self._drop_step(tab_id, before)
            tab.page = None
        elif before is not None and before.url_id == event.url_id:
            self._renew(before, event)
            self._describe(tab_id, before, event)
        else:
            tab.page = self._arrive(tab_id, before, event.url_id, event)
        if event.payload.extraction_ok is not None:
            self._read(event)

    def extract(self, event: Event) -> None:
        if event.url_id is None:
            return
        tab_id, current = event.tab_id, self.state.current
        if tab_id is None and current is not None and current.url_id == event.url_id:
            tab_id = current.tab_id
        tab = None if tab_id is None else self.state.tabs.get(tab_id)
        page = None if tab is None else tab.page
        if tab_id is not None and page is not None and page.url_id == event.url_id:
            self._describe(tab_id, page, event)
        self._read(event)

    def focus(self, event: Event) -> None:
        state = self.state
        state.is_focus_known = True
        window_id = None if event.window_id == NO_WINDOW else event.window_id
        is_gained = event.payload.focused
        if is_gained is None:
            is_gained = window_id is not None
        if event.window_id == NO_WINDOW:
            is_gained = False
        if is_gained:
            state.is_focused = True
            if window_id is not None:
                state.window_id = window_id
        elif window_id is None or window_id == state.window_id:
            state.is_focused = False

    def idle(self, event: Event) -> None:
        state, presence = self.state, event.payload.state or Presence.ACTIVE
        was, state.presence = state.presence, presence
        if presence is Presence.IDLE and was is Presence.ACTIVE and state.current is not None:
            assert state.clock is not None
            threshold = event.payload.threshold_ms
            began = state.clock - (IDLE_THRESHOLD_MS if threshold is None else threshold)
            began = max(began, state.current.entered)
            self._close(began)
            state.current = Interval(IntervalKind.IDLE, began, event.seq)

    def highlight(self, event: Event) -> None:
        text, at = event.payload.text, self.state.clock
        if event.url_id is None or not text:
            return
        assert at is not None
        self.out.highlights.append(
            Highlight(event.seq, at, event.url_id, text, self._visit_of(event))
        )

    def remove(self, event: Event) -> None:
        tabs.drop(self.state, tabs.id_of(event))

    def nothing(self, event: Event) -> None:
        """`ALIVE` says that time has passed, and nothing else."""

    # Pages.

    def _arrive(self, tab_id: int, before: TabPage | None, url_id: UUID, event: Event) -> TabPage:
        """The tab shows another page now, and this is how it got there."""
        payload = event.payload
        page = TabPage(url_id, payload.title, payload.content_id, address=payload.address)
        if payload.redirect and before is not None:
            page.transition, page.from_url_id = before.transition, before.from_url_id
            self._take_over(tab_id, before, page)
        else:
            page.transition = payload.transition
            page.from_url_id = self._origin(before, event)
        return page

    def _take_over(self, tab_id: int, before: TabPage, page: TabPage) -> None:
        current = self._open_visit_of(tab_id, before.url_id)
        if current is not None:
            current.url_id = page.url_id
            current.title, current.content_id = page.title, page.content_id
            current.address = page.address
            page.visit_seq = current.opened_by_seq

    def _drop_step(self, tab_id: int, step: TabPage) -> None:
        """A redirect led on from `step` to a page that is not recorded."""
        current = self._open_visit_of(tab_id, step.url_id)
        if current is not None:
            self.state.current = Interval(
                IntervalKind.NO_PAGE, current.entered, current.opened_by_seq
            )

    def _open_visit_of(self, tab_id: int | None, url_id: UUID) -> Interval | None:
        current = self.state.current
        is_it = current is not None and current.url_id == url_id and current.tab_id == tab_id
        return current if is_it else None

    def _origin(self, before: TabPage | None, event: Event) -> UUID | None:
        """The page that led here: the opener's, or the one before in the same tab. None led to what
        was typed, or found in the history."""
        transition, opener = event.payload.transition, event.payload.opener_tab_id
        if transition is not None and transition not in FOLLOWED:
            return None
        if opener is not None and opener != event.tab_id:
            tab = self.state.tabs.get(opener)
            return _recorded_url(None if tab is None else tab.page)
        return _recorded_url(before) if transition is not None else None

    def _renew(self, page: TabPage, event: Event) -> None:
        payload = event.payload
        if payload.new_document and not payload.redirect:
            assert self.state.clock is not None
            page.renewal = Renewal(
                event.seq,
                self.state.clock,
                page.title,
                page.content_id,
                page.address,
                payload.transition,
                self._origin(page, event),
            )

    def _describe(self, tab_id: int, page: TabPage, event: Event) -> None:
        """An event brings the title, text or address of a page that is already shown, and of its
        open visit."""
        payload, renewal = event.payload, page.renewal
        if renewal is not None:
            if _is_other(renewal, payload):
                self._split(tab_id, page, renewal)
            if payload.content_id is not None:
                page.renewal = None  # its text was the last that could differ
        page.title = payload.title or page.title
        page.content_id = payload.content_id or page.content_id
        page.address = payload.address
        current = self._open_visit_of(tab_id, page.url_id)
        if current is not None:
            current.title, current.content_id = page.title, page.content_id
            current.address = page.address

    def _split(self, tab_id: int, page: TabPage, renewal: Renewal) -> None:
        """The document is another since `renewal`: so is the visit, unless the one in which that
        happened is over."""
        page.renewal = page.content_id = None
        current = self._open_visit_of(tab_id, page.url_id)
        if current is None or current.opened_by_seq >= renewal.seq:
            return
        current.title, current.content_id = renewal.title, renewal.content_id
        current.address = renewal.address
        page.visit_seq = renewal.seq
        self._close(renewal.t)
        opened = Interval(current.kind, renewal.t, renewal.seq, tab_id, page.url_id)
        opened.transition, opened.from_url_id = renewal.transition, renewal.from_url_id
        self.state.current = opened

    def _read(self, event: Event) -> None:
        if event.url_id is not None:
            assert self.state.clock is not None
            payload = event.payload
            read = TextRead(
                event.seq, self.state.clock, event.url_id, payload.content_id, payload.address
            )
            self.out.texts_read.append(read)

    def _visit_of(self, event: Event) -> int | None:
        """The visit that a highlight was made in: the present one, else the last in its tab. Without
        a tab it can only be the present one."""
        current = self.state.current
        tab_id, url_id = event.tab_id, event.url_id
        if (
            current is not None
            and current.url_id == url_id
            and (tab_id is None or current.tab_id == tab_id)
        ):
            return current.opened_by_seq
        for ended_tab, ended_url, seq in reversed(self.state.ended):
            if ended_tab == tab_id and ended_url == url_id:
                return seq
        return None

    # Intervals.

    def _settle(self, event: Event, t: int) -> None:
        """Enter the interval that follows from the tabs, the focus and the person's presence."""
        kind, tab_id, page = self._interval_now()
        url_id = None if page is None else page.url_id
        now = self.state.current
        if now is not None and _shows(now) == (kind, tab_id, url_id):
            return
        if page is not None:
            page.is_hidden = event.payload.forgotten
            if event.payload.forgotten:
                page.transition = page.from_url_id = page.visit_seq = None
                self._cover(event.seq, t, (kind, tab_id, page.url_id))
                return
        if now is not None and now.kind is kind is IntervalKind.NO_PAGE:
            now.covers = None
            return
        self._close(t)
        opened = Interval(kind, t, event.seq, tab_id, url_id)
        if page is not None:
            opened.title, opened.content_id = page.title, page.content_id
            opened.address = page.address
            opened.transition, opened.from_url_id = page.transition, page.from_url_id
            page.transition = page.from_url_id = None
            page.visit_seq = event.seq
        self.state.current = opened

    def _cover(self, seq: int, t: int, visit: tuple[IntervalKind, int, UUID]) -> None:
        """No page is shown in place of a visit that is forgotten."""
        now = self.state.current
        if now is None or now.kind is not IntervalKind.NO_PAGE:
            self._close(t)
            now = self.state.current = Interval(IntervalKind.NO_PAGE, t, seq)
        now.covers = visit

    def _interval_now(self) -> tuple[IntervalKind, int, TabPage | None]:
        state = self.state
        if state.presence is not Presence.ACTIVE:
            return IntervalKind.IDLE, 0, None
        tab_id = None if state.window_id is None else state.active.get(state.window_id)
        tab = None if tab_id is None else state.tabs.get(tab_id)
        if tab_id is None or tab is None or tab.page is None:
            return IntervalKind.NO_PAGE, 0, None
        return (
            (IntervalKind.FOCUSED if state.is_focused else IntervalKind.UNFOCUSED),
            tab_id,
            tab.page,
        )

    def _pass_on_origin(self, ended: Interval) -> None:
        """A visit of zero length: how its page was reached goes to the first real visit."""
        tab = self.state.tabs.get(ended.tab_id)
        if tab is not None and tab.page is not None and tab.page.visit_seq == ended.opened_by_seq:
            tab.page.transition, tab.page.from_url_id = ended.transition, ended.from_url_id

    def _close(self, at: int) -> None:
        ended, self.state.current = self.state.current, None
        if ended is None:
            return
        if at <= ended.entered:
            self._pass_on_origin(ended)
            return
        if ended.url_id is None:
            kind = PauseKind.IDLE if ended.kind is IntervalKind.IDLE else PauseKind.NO_PAGE
            self.out.pauses.append(Pause(kind, ended.entered, at))
            return
        self.state.visits += 1
        self._remember(ended.tab_id, ended.url_id, ended.opened_by_seq)
        self.out.visits.append(
            Visit(
                ended.opened_by_seq,
                self.state.visits,
                ended.url_id,
                ended.tab_id,
                ended.entered,
                at,
                ended.kind is IntervalKind.FOCUSED,
                ended.title,
                ended.content_id,
                ended.transition,
                ended.from_url_id,
                ended.address,
            )
        )

    def _remember(self, tab_id: int, url_id: UUID, seq: int) -> None:
        ended = self.state.ended
        for index, (other_tab, other_url, _) in enumerate(ended):
            if other_url == url_id and other_tab == tab_id:
                del ended[index]
                break
        else:
            if len(ended) >= MAX_ENDED:
                del ended[0]
        ended.append((tab_id, url_id, seq))


def _is_other(renewal: Renewal, payload: Payload) -> bool:
    """Whether an event shows that the new document is not the one from before, as far as known."""
    title, content_id = payload.title, payload.content_id
    return (bool(title) and bool(renewal.title) and title != renewal.title) or (
        content_id is not None
        and renewal.content_id is not None
        and content_id != renewal.content_id
    )


def _shows(now: Interval) -> tuple[IntervalKind, int, UUID | None]:
    return now.covers or (now.kind, now.tab_id, now.url_id)


def _recorded_url(page: TabPage | None) -> UUID | None:
    return None if page is None or page.is_hidden else page.url_id


_APPLY: Final[dict[EventType, Callable[[_Folding, Event], None]]] = {
    EventType.TAB_ACTIVATED: _Folding.activate,
    EventType.NAV_COMMITTED: _Folding.navigate,
    EventType.CONTENT_EXTRACTED: _Folding.extract,
    EventType.WINDOW_FOCUS_CHANGED: _Folding.focus,
    EventType.IDLE_STATE_CHANGED: _Folding.idle,
    EventType.HIGHLIGHT: _Folding.highlight,
    EventType.TAB_REMOVED: _Folding.remove,
    EventType.ALIVE: _Folding.nothing,
}
