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
    body_limit: int = setting(8 * 1024 * 1024, "Largest request body.", unit="bytes", ge=1024)
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
