"""Keys and domains of jobs: names that fit into an index."""

from __future__ import annotations

LONGEST_NAME = 1000  # bytes; an index entry has room for 2,700


def is_storable(name: str) -> bool:
    """1 to LONGEST_NAME bytes of UTF-8 without NUL, which PostgreSQL rejects."""
    try:
        length = len(name.encode())
    except UnicodeEncodeError:  # an unpaired surrogate
        return False
    return 0 < length <= LONGEST_NAME and "\0" not in name
