"""Syncing by WatermelonDB's protocol: a client pulls what it has not heard of, then pushes what it changed.

    records.py   what a client sends, checked. Pure
    pull.py      changes since a counter, in one snapshot
    push.py      a client's changes, in one transaction: all of them or, in a conflict, none

`last_pulled_at` and `timestamp` are the person's sync counter (`counter.py`), not a clock.
"""
