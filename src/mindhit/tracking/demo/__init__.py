"""Somebody else's two weeks: what a newcomer sees before they have recorded anything.

Pure: `sessions` reads `browsing.toml`, and `Sample.events` makes of a session's steps the events that
a browser would have sent. The same sessions have the same ids for the same person, so loading them
twice is loading them once; and all their events hang on the start of the session, so one that was
cut off goes on with the times it began with.
"""

from mindhit.tracking.demo.browser import Sample, sessions

__all__ = ["Sample", "sessions"]
