"""By which names this server may be called.

A page whose own name was pointed at our address (DNS rebinding) calls us by that name. So we answer to
the name in `base_url`, to `allowed_hosts`, to this machine's own name, to `localhost`, and to any IP address,
which needs no DNS. Health checks are answered to everybody.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from mindhit.api.http.problems import problem
from mindhit.api.settings import ApiSettings
from mindhit.settings import Settings

_OPEN: Final = frozenset({"/healthz", "/readyz"})


class KnownHosts:
    """Refuses requests whose Host is not ours."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        own = socket.gethostname().lower()
        named = {urlsplit(settings.public_url).hostname or "", settings.host.lower()}
        listed = {each.lower() for each in settings[ApiSettings].allowed_hosts}
        self._known = {*named, *listed, own, f"{own}.local", "localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in _OPEN:
            host = Headers(scope=scope).get("host")
            if host is not None and not self._is_ours(host):
                # Not 400: browsers that record take that for something wrong with their events.
                refusal = problem(
                    421,
                    "This server isn't configured for that host name.",
                    kind="unknown-host",
                    way_out="Set MINDHIT_BASE_URL, or add the name to MINDHIT_ALLOWED_HOSTS.",
                )
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_ours(self, host: str) -> bool:
        name = _without_port(host)
        return name in self._known or name.endswith(".localhost") or _is_address(name)


def _without_port(host: str) -> str:
    """`[::1]:8787` is `::1`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower().removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
