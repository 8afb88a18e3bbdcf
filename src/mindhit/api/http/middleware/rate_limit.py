"""How many requests one client may make each minute: the setting `rate_limit`."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mindhit.accounts import network_of
from mindhit.api.http.problems import from_error
from mindhit.errors import TooMany


class RateLimit:
    """Requests to the API per client address, over a moving window, counted in this process.

    Paths below one of `separate` are counted apart from the others, with the same limit.
    """

    def __init__(self, app: ASGIApp, per_minute: int, separate: Sequence[str] = ()) -> None:
        self._app = app
        self._item = RateLimitItemPerMinute(max(per_minute, 1))
        self._is_on = per_minute > 0
        self._separate = separate
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"] if scope["type"] == "http" else ""
        if not self._is_on or not path.startswith("/v1/"):
            await self._app(scope, receive, send)
            return
        client = network_of((scope.get("client") or ("unknown",))[0])
        counter = next((each for each in self._separate if path.startswith(each)), "")
        allowed = await self._limiter.hit(self._item, client, counter)
        window = await self._limiter.get_window_stats(self._item, client, counter)
        reset_s = max(1, math.ceil(window.reset_time - time.time()))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["RateLimit-Limit"] = str(self._item.amount)
                headers["RateLimit-Remaining"] = str(window.remaining)
                headers["RateLimit-Reset"] = str(reset_s)
            await send(message)

        if allowed:
            await self._app(scope, receive, send_with_headers)
        else:
            await from_error(TooMany(reset_s))(scope, receive, send_with_headers)
