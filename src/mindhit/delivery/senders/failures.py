"""Why a notice was not delivered. The reasons are for its person; operators see them too.

DeliveryFailed     worth a retry: no answer in time, 408, 429, 5xx
DeliveryRefused    it never will be: another 4xx, an address that may not be used
└─ NoSubscriptions no browser of the person shows notices any more
"""

from __future__ import annotations

from mindhit.delivery.reasons import Reason, ReasonCode
from mindhit.errors import Refused, Upstream


class DeliveryFailed(Upstream):
    """The notice could not be delivered; a retry may succeed."""

    def __init__(self, reason: Reason, retry_after_s: float | None = None) -> None:
        super().__init__(str(reason))
        self.retry_after_s = retry_after_s


class DeliveryRefused(Refused):
    """The notice can't be delivered over this channel."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))


class NoSubscriptions(DeliveryRefused):
    """No browser shows notices any more."""

    def __init__(self) -> None:
        super().__init__(Reason(ReasonCode.NO_BROWSERS))
