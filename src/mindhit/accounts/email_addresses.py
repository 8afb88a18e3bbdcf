"""Email addresses: what counts as one, and when two are the same. Pure rules.

An address is valid if `mail` can write to it; that it is somebody's, only an opened link proves.
"""

from __future__ import annotations

import unicodedata

from mindhit import mail
from mindhit.accounts.model import BadAddress
from mindhit.mail import Mailbox, MailRefused


def clean(address: str) -> str:
    """The address as it is shown and written to, or `BadAddress`."""
    _read(address)
    return unicodedata.normalize("NFC", address.strip())


def key(address: str) -> str:
    """The same for all spellings of an address. By the standard the part before the @ is case-sensitive;
    no provider gives such addresses to two people."""
    return unicodedata.normalize("NFC", _read(address).address.casefold())


def is_same_address(one: str, other: str) -> bool:
    try:
        return key(one) == key(other)
    except BadAddress:
        return False


def _read(address: str) -> Mailbox:
    if "<" in address:  # a name and an address: fine in a header, not here
        raise BadAddress
    try:
        return mail.read_mailbox(unicodedata.normalize("NFC", address.strip()))
    except MailRefused:
        raise BadAddress from None
