"""Every advisory lock of the product, so that no two parts use the same number.

Advisory locks of one database share one space of numbers, or of pairs: locks with two numbers are
registered by their first. SQL and migrations write the number itself; a test checks that every one
they use is listed here.
"""

from __future__ import annotations

from typing import Final

MIGRATE: Final = 0x6D696E64  # "mind": one process migrates at a time (db/migrate.py)

# (7501, hash of a user id): batches of that person share it, and deleting their unused urls takes it
# alone. (7501, 0): the same for urls that nobody uses any more. Owned by tracking.
TRACKING_URLS: Final = 7501

# (7502, 0): starting a session shares it, and dropping a month of raw events takes it alone.
# (7502, 1): creating the partition of a month. Owned by tracking, in the functions of migration 0005.
RAW_EVENT_PARTITIONS: Final = 7502

# (7503, hash of a user id): starting a session, where the person's plan limits how many. Owned by tracking.
SESSION_STARTS: Final = 7503

REGISTERED: Final = frozenset({MIGRATE, TRACKING_URLS, RAW_EVENT_PARTITIONS, SESSION_STARTS})
