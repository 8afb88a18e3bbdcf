"""The identity of a page, and why a text has none."""

import uuid
from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a text is not the URL of a page."""

    UNPARSABLE = "it is not a URL"
    SCHEME = "only http and https pages are recorded"
    HOST = "its host cannot be the name of a site"
    LENGTH = "it is too long"


class NotAPage(ValueError):
    """This is not the address of a page.

    The message holds the reason and never the text: a refused URL may carry a password.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"This is not the address of a page: {reason}.")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Url:
    """A page, by its normalised URL. Only `normalise` creates these.

    `hash` is the SHA-256 of `href` in 64 hexadecimal digits; `domain` is the host of `href`,
    without its port.
    """

    href: str
    domain: str
    hash: str

    @property
    def id(self) -> uuid.UUID:
        """The first 16 bytes of the hash: the same page has the same id on every machine."""
        return uuid.UUID(int=int(self.hash[:32], 16))
