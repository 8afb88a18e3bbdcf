"""What may leave for a provider: its protocol's headers, our key, and only to the address that was chosen.

Providers' libraries read dozens of variables of the machine's environment: another address, another
token, an organisation that pays, headers to add. A list of their names would be out of date with the
next release. So each request is compared with what was asked for, whatever made it differ. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from mindhit.fetching import AddressForbidden
from mindhit.language.providers.kinds import ProviderKind

# What the protocols need, in lower case. `user-agent` and `accept-encoding` are set by the transport.
_HEADERS: Final = frozenset(
    {
        *("accept", "content-length", "content-type", "host", "transfer-encoding", "connection"),
        *("anthropic-version", "user-agent", "accept-encoding"),
    }
)
_PORTS: Final = {"http": 80, "https": 443}
_CREDENTIAL: Final[Mapping[ProviderKind, tuple[str, str]]] = {
    ProviderKind.OPENAI: ("authorization", "Bearer {}"),
    ProviderKind.COMPATIBLE: ("authorization", "Bearer {}"),
    ProviderKind.CLAUDE: ("x-api-key", "{}"),
    ProviderKind.GEMINI: ("x-goog-api-key", "{}"),
}


@dataclass(frozen=True, slots=True)
class AllowedRequests:
    kind: ProviderKind
    base_url: str
    key: str

    def check(self, url: str) -> None:
        """Raises `AddressForbidden` for a request to anywhere but the chosen server."""
        if not _is_below(url, self.base_url):
            raise AddressForbidden(reason="not the server that was chosen")

    def headers(self, found: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Those of the protocol, with our key and no other credential."""
        name, form = _CREDENTIAL[self.kind]
        kept = [(each, value) for each, value in found if each.lower() in _HEADERS]
        return [*kept, (name, form.format(self.key))]


def _is_below(url: str, base_url: str) -> bool:
    """The client writes addresses in its own way: host in lower case, no default port."""
    asked, chosen = urlsplit(url), urlsplit(base_url)
    return (
        asked.username is None
        and _server(asked) == _server(chosen)
        and asked.path.startswith(f"{chosen.path.rstrip('/')}/")
    )


def _server(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)
