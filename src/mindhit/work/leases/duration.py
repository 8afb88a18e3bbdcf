"""How long a lease lasts and how often it is renewed.

A worker holds a job for `LEASE_S` and renews it every third of that, so two renewals in a row may
fail before the lease runs out. With a rescue every 5 s (rescuer.py), a dead worker's jobs run again
within 40 s.
"""

from __future__ import annotations

LEASE_S = 30.0
RENEWALS_PER_LEASE = 3


def renew_after(lease_s: float) -> float:
    """Seconds after which a lease is renewed; a renewal must also be answered within this time."""
    return lease_s / RENEWALS_PER_LEASE


def check_every(lease_s: float) -> float:
    """Seconds between two checks for leases to renew."""
    return renew_after(lease_s) / 2
