"""On whose behalf a request uses database connections: first its address, then its person."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

from mindhit.accounts import network_of
from mindhit.db.shares import Urgency, Use, on_behalf_of

STATE_KEY = "use"


class ConnectionShares:
    """`recording` and `can_wait` say how the paths of such requests end. Authentication finds the `Use` in the
    request's state, and puts in the person."""

    def __init__(self, app: ASGIApp, recording: Sequence[str], can_wait: Sequence[str]) -> None:
        self._app = app
        self._recording = tuple(recording)
        self._can_wait = tuple(can_wait)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            await self._app(scope, receive, send)
            return
        client = network_of((scope.get("client") or ("unknown",))[0])
        use = Use(client, self._urgency(scope["path"]), is_anonymous=True)
        scope.setdefault("state", {})[STATE_KEY] = use
        with on_behalf_of(use):
            await self._app(scope, receive, send)

    def _urgency(self, path: str) -> Urgency:
        if path.endswith(self._recording):
            return Urgency.RECORDING
        return Urgency.CAN_WAIT if path.endswith(self._can_wait) else Urgency.ORDINARY
