"""Web addresses in texts: nobody reads them, so no summary, title or keyword shows one. Pure.

What counts is what people would call a link when they see it: with a scheme, with `www.`, or a host
of a common domain with a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ENDS: Final = r"\s<>\"“”‘’«»「」『』（）"  # what no address goes over
_ADDRESS: Final = re.compile(
    rf"(?:(?<![\w.+-])[a-z][a-z0-9+.-]{{1,20}}://|(?<![\w.@-])www\d?\.(?=\w))[^{_ENDS}]+"
    r"|(?<![\w.@/-])(?:[a-z0-9-]{1,63}\.){1,5}(?:com|org|net|edu|gov|info|kr|jp|uk|de|eu)/"
    rf"[^{_ENDS}]*",
    re.IGNORECASE,
)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HOST: Final = re.compile(r"(?:[^/?#@]*@)?([^/?#:]*)")
# The end of the sentence around it, and the bracket that was opened before it.
_NOT_ITS_END: Final = ".,;:!?…'*_~`|。，、！？"
_GAP: Final = "\0"
_IN_BRACKETS: Final = re.compile(rf"[^\S\n]*[(\[<{{][^\S\n]*{_GAP}[^\S\n]*[)\]>}}]")
_BEFORE_MARK: Final = re.compile(rf"[^\S\n]*{_GAP}(?=[.,;:!?…)\]}}]|[^\S\n]*(?:\n|$))")


def addresses_in(text: str) -> Iterator[str]:
    return (_parts(found[0])[0] for found in _ADDRESS.finditer(text))


def without_addresses(text: str) -> str:
    """A text with gaps where its addresses were, without the brackets around them."""
    if "/" not in text and "www" not in text.lower():
        return text
    text = _ADDRESS.sub(lambda found: _GAP + _parts(found[0])[1], text.replace(_GAP, " "))
    if _GAP not in text:
        return text
    return _BEFORE_MARK.sub("", _IN_BRACKETS.sub("", text)).replace(_GAP, " ")


def named_by_their_sites(text: str) -> str:
    """Each address as the name of its site, so that the sentence around it stays one."""
    return _ADDRESS.sub(lambda found: _site(found[0]), text)


def _site(found: str) -> str:
    address, after = _parts(found)
    host = _HOST.match(_SCHEME.sub("", address, count=1))
    name = re.sub(r"^www\d?\.", "", host[1], flags=re.IGNORECASE) if host else ""
    return name + after


def _parts(found: str) -> tuple[str, str]:
    """An address, and what follows it without a space and does not belong to it."""
    address = found.rstrip(_NOT_ITS_END)
    for opening, closing in ("()", "[]", "{}"):
        while address.endswith(closing) and address.count(closing) > address.count(opening):
            address = address[:-1].rstrip(_NOT_ITS_END)
    return address, found[len(address) :]
