"""Settings of the HTTP API: what it accepts, and from whom."""

from __future__ import annotations

import ipaddress
import re

from pydantic import field_validator

from mindhit.settings import Section, Words, setting

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[A-Za-z0-9.-]+(:\d+)?")


class ApiSettings(Section):
    heading = "API"

    trusted_proxies: Words = setting(
        ("127.0.0.1",), "Addresses whose X-Forwarded-For and -Proto headers are believed."
    )
    extension_origins: Words = setting(
        (), "Exact origins (`chrome-extension://…`, `moz-extension://…`) that may call the API."
    )
    allowed_hosts: Words = setting(
        (),
        "Further names by which this server is called, besides that of the base URL, this machine's own,"
        " `localhost` and IP addresses.",
    )
    connections: int = setting(2_000, "Connections that are open at once.", ge=10)
    connections_per_address: int = setting(
        200,
        "Connections that one address may have open at once (an IPv6 /64 counts as one). Trusted proxies"
        " have no limit of their own.",
        ge=1,
    )
    streams_per_person: int = setting(
        50, "Live views (of sessions and imports) that one person may have open at once.", ge=1
    )
    body_limit: int = setting(
        8 * 1024 * 1024,
        "Largest batch of events, or changes that are synced, as it is sent; other requests have 1 MiB.",
        unit="bytes",
        ge=1024,
    )
    rate_limit: int = setting(
        600,
        "Requests one client may make each minute, not counting icons; 0 switches the limit off.",
        unit="1/min",
        ge=0,
    )

    @field_validator("extension_origins")
    @classmethod
    def _exact(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin} is not one exact origin, as in chrome-extension://abc")
        return origins

    @field_validator("trusted_proxies")
    @classmethod
    def _addresses(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        for proxy in proxies:
            if proxy != "*":
                ipaddress.ip_network(proxy, strict=False)
        return proxies
