"""Parsing an email address: exactly one, or an error. Pure.

The standard library's parsers accept almost anything and return several addresses, or a part of
one, where a person would see a mistake. Here two forms are valid, `anna@example.com` and
`Anna <anna@example.com>`. Quoted local parts and numeric hosts are not: nobody has such an address,
but attacks use them.
"""

from __future__ import annotations

import re
import unicodedata

from ada_url import idna_to_ascii

from mindhit.mail.model import Mailbox, MailRefused

_FORM = re.compile(
    r'(?:"(?P<quoted>(?:[^"\\]|\\.)*)" *<(?P<behind_quoted>[^<>]*)>'
    r"|(?P<name>[^<>\"]*?) *<(?P<behind_name>[^<>]*)>"
    r"|(?P<bare>[^<>]*))"
)
_SEPARATORS = re.compile(r"[,;:@]")
# Letters beyond ASCII are allowed (RFC 6531); the server must support SMTPUTF8 then.
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\U0010ffff-]+"
_LOCAL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_NUMBERS = re.compile(r"[\d.]+")

# Characters that end a line or a string somewhere (C0, C1, U+2028, U+2029), and surrogates.
_UNFIT = {"Cc", "Cs", "Zl", "Zp"}
LONGEST = 254  # octets of an address that a server must accept (RFC 5321, erratum 1690)


def read_mailbox(value: str) -> Mailbox:
    """The one address in `value`, or `MailRefused` with a sentence about what is wrong."""
    refuse_controls(value, "The address")
    form = _FORM.fullmatch(value.strip())
    if form is None:
        raise _bad(value)
    name = re.sub(r"\\(.)", r"\1", form["quoted"] or "") or form["name"] or ""
    if form["name"] and _SEPARATORS.search(form["name"]):
        raise _bad(value)
    local, _, domain = _address(form).rpartition("@")
    try:
        domain = idna_to_ascii(domain).decode()
    except ValueError:
        raise _bad(value) from None
    if (
        not _is_local(local)
        or not _is_domain(domain)
        or len(f"{local}@{domain}".encode()) > LONGEST
    ):
        raise _bad(value)
    return Mailbox(" ".join(name.split()), local, domain)


def refuse_controls(value: str, what: str, *, but: str = "") -> None:
    """Refuse line ends, NUL and other control characters, which a header must not contain."""
    for character in value:
        if unicodedata.category(character) in _UNFIT and character not in but:
            raise MailRefused(
                f"{what} of a mail contains a character that is not allowed"
                f" (U+{ord(character):04X}); the mail was not sent."
            )


def _address(form: re.Match[str]) -> str:
    return next(form[g] for g in ("behind_quoted", "behind_name", "bare") if form[g] is not None)


def _is_local(local: str) -> bool:
    return _LOCAL.fullmatch(local) is not None and local.isprintable() and len(local.encode()) <= 64


def _is_domain(domain: str) -> bool:
    return (
        _DOMAIN.fullmatch(domain) is not None
        and len(domain) <= 253
        and not _NUMBERS.fullmatch(domain)
    )


def _bad(value: str) -> MailRefused:
    shown = value if len(value) <= 80 else value[:79] + "…"
    if value.count("@") > 1 and re.search(r"[,;]", value):
        return MailRefused(f"“{shown}” is more than one address.")
    return MailRefused(
        f"“{shown}” is not an email address.", way_out="Write it as name@example.com."
    )
