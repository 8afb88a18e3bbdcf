"""One answer of a server, as it came: before redirects are followed and anything is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Answer:
    url: str
    status: int
    headers: Mapping[str, str]  # case-insensitive
    body: bytes = field(default=b"", repr=False)  # decompressed
    wire_bytes: int = 0

    @property
    def location(self) -> str:
        """Servers send UTF-8 as it is, which HTTP reads as Latin-1."""
        raw = self.headers.get("Location", "")
        try:
            return raw.encode("utf-8", "surrogateescape").decode()
        except UnicodeDecodeError:
            return raw.encode("utf-8", "surrogateescape").decode("latin-1")

    @property
    def is_redirect(self) -> bool:
        return self.status in {301, 302, 303, 307, 308} and "Location" in self.headers

    @property
    def content_type(self) -> str:
        """Lower case, without parameters."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
