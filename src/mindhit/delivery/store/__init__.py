"""Every statement of delivery. A file for what it is about."""

from mindhit.delivery.store import (
    channels,
    deliveries,
    erasing,
    exporting,
    notices,
    push_subscriptions,
)

__all__ = [
    "channels",
    "deliveries",
    "erasing",
    "exporting",
    "notices",
    "push_subscriptions",
]
