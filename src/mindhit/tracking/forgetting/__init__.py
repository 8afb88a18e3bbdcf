"""Forgetting a part of what was recorded: a stretch of time, a site, a page, one visit.

    ranges.py      what is to be forgotten: a stretch of time, with or without a site, a page, a session
    redaction.py   pure: which events of a log are concerned, and what stays of them
    redacting.py   one session: its log is redacted and folded again
    preview.py     what a person means, and how much of it there is
    forget.py      verbs: forget it, here or by a job, and how far that is
    late.py        events that arrive later from a forgotten stretch

The log keeps the places of its events (number, time, type, tab, window), as those of pages that were
not recorded; so folding it from nothing gives the timeline without them. Of time that is forgotten a
"no page" pause is left, as of an excluded page. A visit that reaches into a forgotten stretch goes as
a whole, with the events that tell what page it was of.
"""
