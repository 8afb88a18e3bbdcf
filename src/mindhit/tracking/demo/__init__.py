"""The demo: two weeks of made-up browsing, for somebody who has not recorded anything yet.

`sessions` reads `browsing.toml`, and `Sample.events` turns a session's steps into the events that a
browser would have sent. For the same person the sessions always have the same ids, so loading them twice
does nothing more; and the times of all events follow from the session's start, so a session that was
interrupted continues where it stopped.
"""

from mindhit.tracking.demo.browser import Sample, sessions

__all__ = ["Sample", "sessions"]
