"""Event logs for tests: anything a browser can send, in any order, and at the edges of every rule.

    logs(...)        a hypothesis strategy, which shrinks to the events that matter
    log(seed, ...)   the same logs from a seed, quickly and by the thousand

Few tabs, windows and URLs, so that events meet; time mostly in steps of nothing, 1 ms, a little,
and just below or above what counts as silence. A log draws only a handful of kinds of events:
with all of them at once, hardly any two that belong together would follow each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from random import Random
from unittest.mock import patch
from uuid import UUID

from hypothesis import strategies as st

from mindhit.tracking.protocol import NO_PAYLOAD, Event, EventType, Payload, Presence
from mindhit.tracking.timeline.fold import finish, fold
from mindhit.tracking.timeline.state import State
from tests.tracking.oracle import Timeline, judge

START = 1_700_000_000_000
PAGES = [UUID(int=0xA << 120 | n) for n in range(4)]
CONTENTS = [UUID(int=0xC << 120 | n) for n in range(2)]
TABS = (1, 2, 3)
WINDOWS = (10, 20)
TITLES = (None, None, "", "First", "Second")
TRANSITIONS = (None, "link", "link", "form_submit", "typed", "reload", "forward_back")
ADDRESSES = (None, None, "http://seen.example/", "https://www.seen.example/#/route")


@dataclass(frozen=True)
class Scale:
    """What the fold takes for silence and idleness. Small ones keep a millisecond canvas small."""

    silence_ms: int
    threshold_ms: int

    @contextmanager
    def in_force(self) -> Iterator[None]:
        rules = import_module("mindhit.tracking.timeline.fold")
        with patch.multiple(rules, SILENCE_MS=self.silence_ms, IDLE_THRESHOLD_MS=self.threshold_ms):
            yield

    def judge(self, events: Iterable[Event], stop: int) -> Timeline:
        return judge(events, stop, silence_ms=self.silence_ms, threshold_ms=self.threshold_ms)


REAL = Scale(180_000, 60_000)
SMALL = Scale(300, 60)


@dataclass(frozen=True)
class Happening:
    """An event that has no place in a log yet: it comes `after_ms` the one before it."""

    after_ms: int
    type: EventType
    tab_id: int | None = None
    window_id: int | None = None
    url_id: UUID | None = None
    payload: Payload = NO_PAYLOAD


def numbered(happenings: Iterable[Happening], start: int = START) -> list[Event]:
    """A log with `seq` from 1 on. Where `after_ms` is negative, the clock was set back."""
    events: list[Event] = []
    t = start
    for seq, one in enumerate(happenings, 1):
        t += one.after_ms
        events.append(Event(seq, t, one.type, one.tab_id, one.window_id, one.url_id, one.payload))
    return events


def fold_whole(events: Iterable[Event], stop: int) -> Timeline:
    """The fold of a session from its first event to its stop, in the form of the judge's."""
    folded = fold(State(), events)
    end = finish(folded.state, stop)
    assert not end.highlights
    assert not end.texts_read
    visits, pauses = folded.visits + end.visits, folded.pauses + end.pauses
    return Timeline(visits, pauses, folded.highlights, folded.texts_read)


def _page(rng: Random) -> UUID | None:
    return rng.choice([*PAGES, *PAGES, None])


def _window(rng: Random) -> int | None:
    return rng.choice([WINDOWS[0], None, WINDOWS[0], WINDOWS[1]])


def _activation(rng: Random, _: Scale, after_ms: int) -> Happening:
    payload = Payload(title=rng.choice(TITLES), address=rng.choice(ADDRESSES))
    tab_id, window_id, url_id = rng.choice(TABS), _window(rng), _page(rng)
    return Happening(after_ms, EventType.TAB_ACTIVATED, tab_id, window_id, url_id, payload)


def _navigation(rng: Random, _: Scale, after_ms: int) -> Happening:
    is_read = rng.choice([None, None, False, True])
    payload = Payload(
        title=rng.choice(TITLES),
        transition=rng.choice(TRANSITIONS),
        redirect=rng.choice([False, False, True]),
        opener_tab_id=rng.choice([None, None, *TABS]),
        extraction_ok=is_read,
        content_id=rng.choice(CONTENTS) if is_read else None,
        new_document=rng.choice([False, False, True]),
        address=rng.choice(ADDRESSES),
    )
    tab_id, window_id, url_id = rng.choice(TABS), _window(rng), _page(rng)
    return Happening(after_ms, EventType.NAV_COMMITTED, tab_id, window_id, url_id, payload)


def _submission(rng: Random, _: Scale, after_ms: int) -> Happening:
    """Mostly in one tab and at two addresses, so that a form posts to its own."""
    payload = Payload(transition="form_submit", new_document=True, title=rng.choice(TITLES))
    url_id = rng.choice(PAGES[:2])
    return Happening(after_ms, EventType.NAV_COMMITTED, 1, None, url_id, payload)


def _redirect(rng: Random, scale: Scale, after_ms: int) -> Happening:
    one = _navigation(rng, scale, after_ms)
    payload = Payload(title=one.payload.title, transition=one.payload.transition, redirect=True)
    url_id = rng.choice([*PAGES, None])
    return Happening(after_ms, EventType.NAV_COMMITTED, one.tab_id, None, url_id, payload)


def _extraction(rng: Random, _: Scale, after_ms: int) -> Happening:
    is_ok = rng.choice([False, True, True])
    content_id = rng.choice(CONTENTS) if is_ok else None
    payload = Payload(
        title=rng.choice(TITLES),
        extraction_ok=is_ok,
        content_id=content_id,
        address=rng.choice(ADDRESSES),
    )
    tab_id, url_id = rng.choice([*TABS, None]), rng.choice(PAGES)
    return Happening(after_ms, EventType.CONTENT_EXTRACTED, tab_id, None, url_id, payload)


def _focus(rng: Random, _: Scale, after_ms: int) -> Happening:
    payload = Payload(focused=rng.choice([None, True, False]))
    window_id = rng.choice([-1, None, *WINDOWS])
    return Happening(after_ms, EventType.WINDOW_FOCUS_CHANGED, None, window_id, None, payload)


def _presence(rng: Random, scale: Scale, after_ms: int) -> Happening:
    threshold_ms = rng.choice([None, 0, 1, scale.threshold_ms // 4, scale.threshold_ms, 10**9])
    payload = Payload(state=rng.choice([*Presence, Presence.IDLE]), threshold_ms=threshold_ms)
    return Happening(after_ms, EventType.IDLE_STATE_CHANGED, payload=payload)


def _highlight(rng: Random, _: Scale, after_ms: int) -> Happening:
    tab_id, url_id = rng.choice([*TABS, None]), rng.choice(PAGES)
    return Happening(after_ms, EventType.HIGHLIGHT, tab_id, None, url_id, Payload(text="marked"))


def _removal(rng: Random, _: Scale, after_ms: int) -> Happening:
    return Happening(after_ms, EventType.TAB_REMOVED, rng.choice(TABS), _window(rng))


def _sign_of_life(_: Random, __: Scale, after_ms: int) -> Happening:
    return Happening(after_ms, EventType.ALIVE)


def _restart(rng: Random, scale: Scale, after_ms: int) -> Happening:
    if rng.random() < 0.5:
        return Happening(after_ms, EventType.ALIVE, payload=Payload(restart=True))
    one = _activation(rng, scale, after_ms)
    payload = Payload(title=one.payload.title, restart=True)
    return Happening(after_ms, one.type, one.tab_id, one.window_id, one.url_id, payload)


def _rejected(_: Random, __: Scale, after_ms: int) -> Happening:
    return Happening(after_ms, EventType.REJECTED, payload=Payload(rejected="unreadable"))


Kind = Callable[[Random, Scale, int], Happening]
KINDS: Sequence[Kind] = (
    *(_activation, _navigation) * 4,
    *(_redirect, _extraction, _focus, _presence, _submission) * 2,
    *(_highlight, _removal, _sign_of_life, _restart, _rejected),
)


def _step(rng: Random, scale: Scale) -> int:
    """Milliseconds to the next event."""
    silence = scale.silence_ms
    return rng.choice(
        [
            *(0, 0, 1, 1),
            *(rng.randint(2, 30), rng.randint(2, silence // 3)) * 3,
            rng.choice([silence - 1, silence, silence + 1, 2 * silence]),
            rng.choice([-1, -rng.randint(2, silence)]),
        ]
    )


def happen(rng: Random, kinds: Sequence[Kind], scale: Scale) -> Happening:
    return rng.choice(kinds)(rng, scale, _step(rng, scale))


def log(seed: int, count: int = 60, scale: Scale = SMALL) -> list[Event]:
    rng = Random(seed)
    kinds = rng.sample(KINDS, rng.randint(3, len(KINDS)))
    return numbered(happen(rng, kinds, scale) for _ in range(count))


@st.composite
def logs(draw: st.DrawFn, scale: Scale = SMALL, max_size: int = 40) -> list[Event]:
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=3, max_size=9))
    rngs = st.randoms(use_true_random=False)
    one = st.builds(happen, rngs, st.just(kinds), st.just(scale))
    return numbered(draw(st.lists(one, min_size=1, max_size=max_size)))
