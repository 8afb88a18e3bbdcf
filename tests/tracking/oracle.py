"""The judge of the fold: every single millisecond of a session painted, then read back.

Slow on purpose, and it shares nothing with the fold but the types of what goes in and comes out:

    World   what the browser looks like after each event: tabs, windows, focus, the person
    canvas  one number for each millisecond from the first event to the stop: the stretch it is of

Time is painted as it passes. What is only known later is painted over: a silence as sleep, the
last milliseconds before an idle message as idle, a redirecting page as the page it led to, a
document that turned out to be another from its navigation on. In the
end the runs of equal numbers are the visits and the pauses; a stretch that never got a millisecond
was none, and the way to a page is told by the first of its stretches that got one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import groupby
from uuid import UUID

from mindhit.tracking.model import Highlight, Pause, PauseKind, TextRead, Visit
from mindhit.tracking.protocol import Event, EventType, Presence

SILENCE_MS = 180_000
THRESHOLD_MS = 60_000


class What(Enum):
    FOCUSED = auto()
    UNFOCUSED = auto()
    IDLE = auto()
    ASLEEP = auto()
    NO_PAGE = auto()


PAUSES = {
    What.IDLE: PauseKind.IDLE,
    What.ASLEEP: PauseKind.ASLEEP,
    What.NO_PAGE: PauseKind.NO_PAGE,
}


@dataclass(eq=False)
class Way:
    """How the reader came to a page. Hops of one redirect came the same way."""

    transition: str | None = None
    from_url_id: UUID | None = None


@dataclass(eq=False)
class Page:
    url_id: UUID
    title: str | None
    content_id: UUID | None
    way: Way
    address: str | None = None
    renewed: Renewed | None = None


@dataclass(frozen=True)
class Renewed:
    """A new document came to the address of the page: when, and what the page was until then."""

    seq: int
    at: int  # on the canvas
    before: Page
    way: Way


@dataclass(eq=False)
class Tab:
    window_id: int
    is_in_front: bool = False
    page: Page | None = None


@dataclass(eq=False)
class Stretch:
    what: What
    opened_by_seq: int
    tab_id: int | None = None
    page: Page | None = None
    title: str | None = None
    content_id: UUID | None = None
    address: str | None = None

    def is_of(self, what: What, tab_id: int | None, page: Page | None) -> bool:
        return (self.what, self.tab_id, self.url_id) == (what, tab_id, page and page.url_id)

    @property
    def url_id(self) -> UUID | None:
        return None if self.page is None else self.page.url_id

    def end(self) -> None:
        """A visit keeps what was told of its page while it was open."""
        if self.page is not None:
            self.title, self.content_id = self.page.title, self.page.content_id
            self.address = self.page.address


@dataclass
class World:
    """The browser and the person, as the events so far tell."""

    tabs: dict[int, Tab] = field(default_factory=dict)
    window_id: int | None = None
    has_focus: bool = True
    was_focus_told: bool = False
    presence: Presence = Presence.ACTIVE

    def foreground(self) -> tuple[What, int | None, Page | None]:
        if self.presence is not Presence.ACTIVE:
            return What.IDLE, None, None
        for tab_id, tab in self.tabs.items():
            if tab.is_in_front and tab.window_id == self.window_id and tab.page is not None:
                return What.FOCUSED if self.has_focus else What.UNFOCUSED, tab_id, tab.page
        return What.NO_PAGE, None, None

    def activate(self, event: Event) -> None:
        tab = self._find(event)
        for other in self.tabs.values():
            if other.window_id == tab.window_id:
                other.is_in_front = other is tab
        if not self.was_focus_told:
            self.window_id = tab.window_id
        if event.url_id is None:
            tab.page = None
        elif tab.page is not None and tab.page.url_id == event.url_id:
            self._tell(tab.page, event)
        else:
            told = event.payload
            tab.page = Page(event.url_id, told.title, None, Way(), told.address)

    def navigate(self, event: Event) -> None:
        """A navigation brings no tab to the front."""
        tab = self._find(event)
        if self.window_id is None:
            self.window_id = tab.window_id
        told, before = event.payload, tab.page
        if event.url_id is None:
            tab.page = None
        elif before is not None and before.url_id == event.url_id:
            self._tell(before, event)
        elif before is not None and told.redirect:
            tab.page = Page(event.url_id, told.title, told.content_id, before.way, told.address)
        else:
            way = Way(told.transition, self.origin(before, event))
            tab.page = Page(event.url_id, told.title, told.content_id, way, told.address)

    def origin(self, before: Page | None, event: Event) -> UUID | None:
        """What was typed, or found in the history, comes from nowhere, whatever opened the tab."""
        is_followed = event.payload.transition in {"link", "form_submit"}
        if event.payload.transition is not None and not is_followed:
            return None
        opener_id = event.payload.opener_tab_id
        if opener_id is not None and opener_id != event.tab_id:
            opener = self.tabs.get(opener_id)
            page = None if opener is None else opener.page
            return None if page is None else page.url_id
        return before.url_id if before is not None and is_followed else None

    def read(self, event: Event) -> None:
        """Without a tab it is of the page in the foreground, if that has this URL."""
        tab_id = self.foreground()[1] if event.tab_id is None else event.tab_id
        tab = self.tabs.get(tab_id) if tab_id is not None else None
        if tab is not None and tab.page is not None and tab.page.url_id == event.url_id:
            self._tell(tab.page, event)

    def focus(self, event: Event) -> None:
        self.was_focus_told = True
        if event.window_id == -1:
            self.has_focus = False
        elif event.payload.focused is False:
            if event.window_id in {None, self.window_id}:
                self.has_focus = False
        elif event.window_id is not None:
            self.has_focus, self.window_id = True, event.window_id
        else:
            self.has_focus = event.payload.focused is True

    def remove(self, event: Event) -> None:
        assert event.tab_id is not None
        self.tabs.pop(event.tab_id, None)

    def _find(self, event: Event) -> Tab:
        """The event's tab, in the event's window; else where it was; else where the focus is."""
        assert event.tab_id is not None
        tab = self.tabs.get(event.tab_id)
        if tab is None:
            window_id = self.window_id if event.window_id is None else event.window_id
            tab = self.tabs[event.tab_id] = Tab(0 if window_id is None else window_id)
        elif event.window_id is not None and event.window_id != tab.window_id:
            tab.window_id, tab.is_in_front = event.window_id, False
        return tab

    def _tell(self, page: Page, event: Event) -> None:
        told = event.payload
        page.title = told.title or page.title
        page.content_id = told.content_id or page.content_id
        page.address = told.address


@dataclass
class Timeline:
    visits: list[Visit] = field(default_factory=list)
    pauses: list[Pause] = field(default_factory=list)
    highlights: list[Highlight] = field(default_factory=list)
    texts_read: list[TextRead] = field(default_factory=list)


def judge(
    events: Iterable[Event],
    stop: int,
    *,
    silence_ms: int = SILENCE_MS,
    threshold_ms: int = THRESHOLD_MS,
) -> Timeline:
    """The timeline of a whole session that was stopped at `stop`, or at its last event."""
    painter = _Painter(silence_ms, threshold_ms)
    for event in events:
        if event.type is not EventType.REJECTED:
            painter.take(event)
    return painter.close(stop)


class _Painter:
    def __init__(self, silence_ms: int, threshold_ms: int) -> None:
        self.silence_ms, self.threshold_ms = silence_ms, threshold_ms
        self.began: int | None = None
        self.canvas = array("H")
        self.stretches: list[Stretch] = []
        self.now: Stretch | None = None
        self.world = World()
        self.first_of_browser = 0
        self.out = Timeline()

    def take(self, event: Event) -> None:
        if self.began is None:
            self.began = event.t
        else:
            self._pass_time(event.t, event.seq, was_down=event.payload.restart)
        if event.payload.restart:
            self.world = World()
            self.first_of_browser = len(self.stretches)
        self._look_for_another_document(event)
        self._apply(event)
        what, tab_id, page = self.world.foreground()
        if self.now is None or not self.now.is_of(what, tab_id, page):
            self._begin(Stretch(what, event.seq, tab_id, page))
        if event.type is EventType.HIGHLIGHT and event.url_id is not None and event.payload.text:
            visit_seq = self._visit_of(event)
            at = self.began + len(self.canvas)  # never before what was told earlier
            marked = Highlight(event.seq, at, event.url_id, event.payload.text, visit_seq)
            self.out.highlights.append(marked)

    def close(self, stop: int) -> Timeline:
        if self.began is not None:
            self._pass_time(stop, 0, was_down=False)
            self._begin(None)
            self._read_back()
        return self.out

    def _pass_time(self, t: int, seq: int, *, was_down: bool) -> None:
        """Paint up to `t`; nothing if that is not later than what is painted already."""
        assert self.began is not None
        gap = t - self.began - len(self.canvas)
        if gap > self.silence_ms or was_down:
            self._begin(Stretch(What.ASLEEP, seq))
        assert self.now is not None
        self.canvas.extend(array("H", [self.stretches.index(self.now)]) * gap)
        if self.now.what is What.ASLEEP:
            self._begin(None)

    def _begin(self, stretch: Stretch | None) -> None:
        if self.now is not None:
            self.now.end()
        self.now = stretch
        if stretch is not None:
            self.stretches.append(stretch)

    def _apply(self, event: Event) -> None:
        if event.type is EventType.TAB_ACTIVATED:
            self.world.activate(event)
        elif event.type is EventType.NAV_COMMITTED:
            self._navigate(event)
        elif event.type is EventType.CONTENT_EXTRACTED:
            self.world.read(event)
            self._note_reading(event)
        elif event.type is EventType.WINDOW_FOCUS_CHANGED:
            self.world.focus(event)
        elif event.type is EventType.TAB_REMOVED:
            self.world.remove(event)
        elif event.type is EventType.IDLE_STATE_CHANGED:
            self._change_presence(event)

    def _navigate(self, event: Event) -> None:
        assert event.tab_id is not None
        before = self.world.tabs.get(event.tab_id)
        page = None if before is None else before.page
        self.world.navigate(event)
        after = self.world.tabs[event.tab_id].page
        is_hop = page is not None and (after is None or after.url_id != page.url_id)
        if event.payload.redirect and is_hop and self.now is not None and self.now.page is page:
            taken = self.now
            led_on = replace(taken, page=after)
            self._begin(Stretch(What.NO_PAGE, taken.opened_by_seq) if after is None else led_on)
            self._paint_over(taken, len(self.canvas))
        if event.payload.extraction_ok is not None:
            self._note_reading(event)

    def _look_for_another_document(self, event: Event) -> None:
        """A new document at the address of its page is another when it has another title or text: then
        everything since it came is painted over."""
        told, tab = event.payload, self._tab_told_of(event)
        page = None if tab is None else tab.page
        if tab is None or page is None or page.url_id != event.url_id:
            return
        is_navigation = event.type is EventType.NAV_COMMITTED
        if is_navigation and told.new_document and not told.redirect:
            way = Way(told.transition, self.world.origin(page, event))
            page.renewed = Renewed(event.seq, len(self.canvas), replace(page), way)
        renewed = page.renewed
        if renewed is None:
            return
        old = renewed.before
        is_other = any(
            new and known and new != known
            for new, known in ((told.title, old.title), (told.content_id, old.content_id))
        )
        if is_other:
            tab.page = replace(page, content_id=None, renewed=None)
            self._begin_again(page, tab.page, renewed)
        if told.content_id is not None:
            tab.page.renewed = None  # type: ignore[union-attr]

    def _tab_told_of(self, event: Event) -> Tab | None:
        """The tab whose page an event describes, where it describes one."""
        if event.type is EventType.CONTENT_EXTRACTED and event.tab_id is None:
            shown = self.world.foreground()[1] if self.now is None else self.now.tab_id
            return None if shown is None else self.world.tabs.get(shown)
        if event.type not in {
            EventType.TAB_ACTIVATED,
            EventType.NAV_COMMITTED,
            EventType.CONTENT_EXTRACTED,
        }:
            return None
        return self.world.tabs.get(event.tab_id) if event.tab_id is not None else None

    def _begin_again(self, page: Page, other: Page, renewed: Renewed) -> None:
        taken = self.now
        if taken is None or taken.page is not page:
            return
        if taken.opened_by_seq >= renewed.seq:
            taken.page = other
            return
        other.way = renewed.way
        taken.page = renewed.before
        self._begin(Stretch(taken.what, renewed.seq, taken.tab_id, other))
        self._paint_over(taken, len(self.canvas) - renewed.at)

    def _change_presence(self, event: Event) -> None:
        was, is_now = self.world.presence, event.payload.state or Presence.ACTIVE
        self.world.presence = is_now
        if was is Presence.ACTIVE and is_now is Presence.IDLE and self.now is not None:
            told, present = event.payload.threshold_ms, self.now
            self._begin(Stretch(What.IDLE, event.seq))
            self._paint_over(present, self.threshold_ms if told is None else told)

    def _paint_over(self, stretch: Stretch, most_ms: int) -> None:
        """The last milliseconds, as far as they are of this stretch, are of the present one."""
        assert self.now is not None
        old, new = self.stretches.index(stretch), self.stretches.index(self.now)
        at = len(self.canvas) - 1
        while at >= 0 and at >= len(self.canvas) - most_ms and self.canvas[at] == old:
            self.canvas[at] = new
            at -= 1

    def _note_reading(self, event: Event) -> None:
        if event.url_id is not None:
            assert self.began is not None
            at = self.began + len(self.canvas)
            told = event.payload
            reading = TextRead(event.seq, at, event.url_id, told.content_id, told.address)
            self.out.texts_read.append(reading)

    def _visit_of(self, event: Event) -> int | None:
        """The present visit, if the text is of its page; else the last of its page in its tab that
        had a millisecond."""
        assert self.now is not None
        if self.now.url_id == event.url_id and event.tab_id in {None, self.now.tab_id}:
            return self.now.opened_by_seq
        painted = set(self.canvas)
        return next(
            (
                stretch.opened_by_seq
                for number, stretch in reversed([*enumerate(self.stretches)])
                if number in painted and number >= self.first_of_browser
                if (stretch.tab_id, stretch.url_id) == (event.tab_id, event.url_id)
            ),
            None,
        )

    def _read_back(self) -> None:
        assert self.began is not None
        left, told_ways = self.began, set[int]()
        for number, run in groupby(self.canvas):
            stretch = self.stretches[number]
            entered, left = left, left + sum(1 for _ in run)
            if stretch.page is None:
                self.out.pauses.append(Pause(PAUSES[stretch.what], entered, left))
                continue
            assert stretch.tab_id is not None
            way = Way() if id(stretch.page.way) in told_ways else stretch.page.way
            told_ways.add(id(stretch.page.way))
            visit = Visit(
                opened_by_seq=stretch.opened_by_seq,
                visit_order=len(self.out.visits) + 1,
                url_id=stretch.page.url_id,
                tab_id=stretch.tab_id,
                entered=entered,
                left=left,
                is_focused=stretch.what is What.FOCUSED,
                title=stretch.title,
                content_id=stretch.content_id,
                transition=way.transition,
                from_url_id=way.from_url_id,
                address=stretch.address,
            )
            self.out.visits.append(visit)
