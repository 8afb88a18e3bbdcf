"""Settings of fetching: whether, how much and how long, and which private networks are allowed."""

from __future__ import annotations

from ipaddress import ip_network

from pydantic import field_validator

from mindhit import __version__
from mindhit.fetching.browser.choice import AUTO
from mindhit.fetching.limits import (
    BODY_BYTES,
    CONNECT_S,
    FIRST_BYTE_S,
    HOPS,
    TOTAL_S,
)
from mindhit.settings import Section, Words, setting


class FetchSettings(Section):
    heading = "Fetching pages"

    fetching: bool = setting(
        True, "Whether MindHit fetches pages itself; if off, it never contacts a site."
    )
    fetch_user_agent: str = setting(
        f"Mozilla/5.0 (compatible; MindHit/{__version__})",
        "How MindHit introduces itself to sites; in robots.txt its name is `mindhit`.",
        min_length=1,
    )
    fetch_connect_timeout: float = setting(
        CONNECT_S, "Longest time until a site accepts a connection.", unit="s", gt=0
    )
    fetch_first_byte_timeout: float = setting(
        FIRST_BYTE_S,
        "Longest time until a site begins to answer, and longest silence after that.",
        unit="s",
        gt=0,
    )
    fetch_timeout: float = setting(
        TOTAL_S, "Longest time for one page with its redirects.", unit="s", gt=0
    )
    fetch_body_limit: int = setting(
        BODY_BYTES,
        "Largest page, as sent and decompressed; most of what is larger is no article.",
        unit="bytes",
        ge=1024,
        le=64 * 2**20,
    )
    fetch_redirect_limit: int = setting(
        HOPS, "Most redirects on the way to a page, over all sites.", ge=0, le=50
    )
    fetch_browser: str = setting(
        AUTO,
        "Browser for pages that have no text without their scripts: `auto` (a Chromium on this"
        " machine, if there is one), `off`, or a program.",
    )
    allowed_networks: Words = setting(
        (),
        "Private networks that may be connected to all the same, as in `192.168.1.0/24`:"
        " for a wiki at home. Metadata services never are.",
    )

    @field_validator("fetch_user_agent")
    @classmethod
    def _one_line(cls, agent: str) -> str:
        if not (agent.isascii() and agent.isprintable()):
            raise ValueError("must be one line of ASCII")
        return agent

    @field_validator("allowed_networks")
    @classmethod
    def _networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        for network in networks:
            ip_network(network)  # its ValueError says what is wrong
        return networks
