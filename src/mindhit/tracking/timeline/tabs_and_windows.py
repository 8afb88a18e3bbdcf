"""The tabs and windows of a browser, as its events describe them. No I/O: each function changes the
state it is given."""

from __future__ import annotations

from typing import Final

from mindhit.tracking.protocol import Event
from mindhit.tracking.timeline.state import State, Tab

# More than anybody has; only a broken client gets there. The oldest is dropped.
MAX_TABS: Final = 2_000
MAX_WINDOWS: Final = 500
DEFAULT_WINDOW: Final = 0


def id_of(event: Event) -> int:
    """Events about a tab have a tab id: validation rejects those without."""
    return 0 if event.tab_id is None else event.tab_id


def tab_of(state: State, event: Event) -> Tab:
    """The tab an event is about, added where it was not known, in the window that the event names."""
    tab_id = id_of(event)
    tab = state.tabs.get(tab_id)
    if tab is None:
        if len(state.tabs) >= MAX_TABS:
            drop(state, next(iter(state.tabs)))
        window_id = event.window_id
        if window_id is None:
            window_id = DEFAULT_WINDOW if state.window_id is None else state.window_id
        tab = state.tabs[tab_id] = Tab(window_id)
    elif event.window_id is not None and tab.window_id != event.window_id:
        if state.active.get(tab.window_id) == tab_id:
            del state.active[tab.window_id]
        tab.window_id = event.window_id
    return tab


def bring_to_front(state: State, tab_id: int, window_id: int) -> None:
    active = state.active
    if window_id not in active and len(active) >= MAX_WINDOWS:
        del active[next(iter(active))]
    active[window_id] = tab_id


def drop(state: State, tab_id: int) -> None:
    tab = state.tabs.pop(tab_id, None)
    if tab is not None and state.active.get(tab.window_id) == tab_id:
        del state.active[tab.window_id]
