"""Mail addresses: what counts as one, and when two are the same. Pure rules.

What `mail` can write to is an address; that it is somebody's, only an opened link can prove.
"""

from __future__ import annotations

import unicodedata

from mindhit import mail
from mindhit.accounts.model import BadAddress
from mindhit.mail import Mailbox, MailRefused


def clean(address: str) -> str:
    """The address as it will be shown and written to, or `BadAddress`."""
    _read(address)
    return unicodedata.normalize("NFC", address.strip())


def key(address: str) -> str:
    """What two spellings of one address have in common. The part before the @ may by the book
    differ in case; no provider lets two people have that."""
    return unicodedata.normalize("NFC", _read(address).address.casefold())


def is_same_address(one: str, other: str) -> bool:
    try:
        return key(one) == key(other)
    except BadAddress:
        return False


def _read(address: str) -> Mailbox:
    if "<" in address:  # a name and an address: good in a header, not here
        raise BadAddress
    try:
        return mail.read_mailbox(unicodedata.normalize("NFC", address.strip()))
    except MailRefused:
        raise BadAddress from None
