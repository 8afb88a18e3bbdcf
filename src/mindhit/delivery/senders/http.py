"""One POST to a service that a person named: guarded, bounded, every failure in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import aiohttp
from yarl import URL

from mindhit import __version__
from mindhit.delivery.configs import is_allowed_host
from mindhit.delivery.limits import ANSWER_BYTES, SEND_S
from mindhit.delivery.reasons import Reason, ReasonCode, ServiceName
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused
from mindhit.fetching import AddressForbidden, forbidden_in, guarded_session
from mindhit.fetching.guard import ANYWHERE, PUBLIC
from mindhit.fetching.model import Permanent
from mindhit.fetching.retry_after import retry_after_s

TRANSIENT: Final = frozenset({408, 425, 429})
USER_AGENT: Final = f"MindHit/{__version__}"


@dataclass(frozen=True, slots=True)
class Posted:
    status: int
    body: bytes


class Poster:
    """Sends to public addresses, and to the private hosts that the operator lists."""

    def __init__(self, private_hosts: frozenset[str], timeout_s: float = SEND_S) -> None:
        self._private_hosts = private_hosts
        self._timeout_s = timeout_s

    async def post(
        self,
        service: ServiceName,
        url: str,
        *,
        body: bytes,
        headers: Mapping[str, str],
        accepted: frozenset[int] = frozenset(),
    ) -> Posted:
        """The answer, if it is a success or one of `accepted`. Redirects are not followed: a service
        that has moved is entered again by its owner, not by whoever answers at the old address.

        Raises `DeliveryFailed` where it may work later, else `DeliveryRefused`.
        """
        is_listed = is_allowed_host(url, self._private_hosts)
        guard = ANYWHERE if is_listed else PUBLIC
        try:
            checked = guard.check_url(url)
            async with guarded_session(guard, total_s=self._timeout_s) as session:
                sent = {"User-Agent": USER_AGENT, **headers}
                async with session.post(
                    URL(checked, encoded=True), data=body, headers=sent, allow_redirects=False
                ) as response:
                    answer = await _beginning(response.content)
                    wait = retry_after_s(response.headers.get("Retry-After"), datetime.now(UTC))
                    status = response.status
        except (AddressForbidden, Permanent) as error:
            raise DeliveryRefused(Reason(ReasonCode.ADDRESS_FORBIDDEN, service)) from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _failure(service, error) from error
        if 200 <= status < 300 or status in accepted:
            return Posted(status, answer)
        answered = Reason(ReasonCode.ANSWERED, service, status)
        if status >= 500 or status in TRANSIENT:
            raise DeliveryFailed(answered, wait)
        raise DeliveryRefused(answered)


async def _beginning(stream: aiohttp.StreamReader) -> bytes:
    """As much as is read of an answer, however many pieces it comes in."""
    read = bytearray()
    while len(read) < ANSWER_BYTES and (piece := await stream.read(ANSWER_BYTES - len(read))):
        read += piece
    return bytes(read)


def _failure(service: ServiceName, error: Exception) -> DeliveryFailed | DeliveryRefused:
    if forbidden_in(error):
        return DeliveryRefused(Reason(ReasonCode.PRIVATE_NETWORK, service))
    if isinstance(error, TimeoutError):
        return DeliveryFailed(Reason(ReasonCode.NO_ANSWER, service))
    if isinstance(error, aiohttp.ClientSSLError):
        return DeliveryFailed(Reason(ReasonCode.BAD_CERTIFICATE, service))
    return DeliveryFailed(Reason(ReasonCode.UNREACHABLE, service))
