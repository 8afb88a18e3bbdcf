"""How much of a site's time and of our memory one page may take. Where an operator can change a
limit, this is its default (settings.py)."""

from __future__ import annotations

from typing import Final

CONNECT_S: Final = 5.0
FIRST_BYTE_S: Final = 10.0
TOTAL_S: Final = 30.0
BODY_BYTES: Final = 5 * 2**20
HOPS: Final = 10

# Of an answer's head. Policies of large sites come near 8 KiB a header, whole heads near 20.
LINE_BYTES: Final = 8 * 1024
HEADER_BYTES: Final = 16 * 1024
HEADERS: Final = 128
HEAD_BYTES: Final = 64 * 1024

# Longest wait that a site may ask for: a Retry-After of a year is a mistake.
LONGEST_WAIT_S: Final = 86_400.0
# "Retry-After: 0" from a site that throttles would be asked again at once, for ever.
SHORTEST_WAIT_S: Final = 1.0
# When it says 429 and not for how long.
USUAL_WAIT_S: Final = 60.0
