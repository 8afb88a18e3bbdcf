"""Where SMTP's errors become the product's words; nothing beside `post` knows the library.

What concerns this mail (its recipient, its content) is refused for good when the server says so
with 5xx. What concerns MindHit itself (its password, its sender, the certificate) fails whatever
the code: an operator can mend it, and the mails that wait are sent then.

The server's words are quoted, since they often say what to do, and are searched for the password
before: as it is, as AUTH encodes it, or cut off. A server that does not understand a line may
well repeat it.
"""

from __future__ import annotations

import base64
import os
import re
import ssl
from dataclasses import dataclass, field

from aiosmtplib import (
    SMTPAuthenticationError,
    SMTPDataError,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

from mindhit.mail.model import MailFailed, MailRefused

_LONGEST_ANSWER = 300
_NEEDS_SIGN_IN = 530
_HIDDEN = "[hidden]"
_WORD = re.compile(r"[^\s'\"<>()\[\],;:]{4,}")

_SEE_SIGN_IN = "Mend MINDHIT_SMTP_USER and MINDHIT_SMTP_PASSWORD."
_SEE_SENDER = "See whether the server lets this user send as MINDHIT_MAIL_FROM."
_SEE_TLS = "See MINDHIT_SMTP_TLS and MINDHIT_SMTP_PORT."
_SEE_HOST = "See MINDHIT_SMTP_HOST and MINDHIT_SMTP_PORT."
_SEE_CERTIFICATE = (
    "Name the server in MINDHIT_SMTP_HOST as its certificate does, or add the authority behind"
    " the certificate to those that this machine trusts."
)
# What the library says, by its own words alone, of a server that cannot do what we ask.
_LACKS = {
    "STARTTLS extension not supported": "does not offer STARTTLS",
    "AUTH extension is not supported": "offers no way to sign in",
    "No suitable authentication": "offers no way to sign in that we know",
}


@dataclass(frozen=True, slots=True)
class Server:
    """Whom we speak with, and as whom."""

    host: str | None
    port: int
    timeout_s: float
    user: str | None
    password: str = field(repr=False)

    @property
    def name(self) -> str:
        return f"{self.host}:{self.port}"


def in_our_words(error: Exception, server: Server) -> MailFailed | MailRefused:
    match error:
        case SMTPRecipientsRefused(recipients=[refusal, *_]):
            return _answered(server, "does not take mail for this address", refusal)
        case SMTPDataError() | SMTPSenderRefused(code=552):  # 552: MAIL FROM announces the size
            return _answered(server, "does not take this mail", error)
        case SMTPResponseException():
            return _failed(server, *_standing(error), error)
        case SMTPNotSupported():
            return MailRefused(
                f"The mail server {server.name} cannot write to an address with letters beyond"
                " ASCII.",
                server=server.name,
            )
    return _failed(server, *_silence(server, error))


def without_secret(words: str, user: str, password: str) -> str:
    """The words without the password, without its encoded forms and without pieces of these."""
    if not password:
        return words
    encoded = (password, f"\0{user}\0{password}")
    forms = [password, *(base64.b64encode(form.encode()).decode() for form in encoded)]
    for form in forms:
        words = words.replace(form, _HIDDEN)
    return _WORD.sub(lambda w: _HIDDEN if any(w[0] in form for form in forms) else w[0], words)


def _answered(server: Server, what: str, answer: SMTPResponseException) -> MailFailed | MailRefused:
    """What the server says of this mail decides, unless it wants to know first who we are."""
    if answer.code == _NEEDS_SIGN_IN:
        return _failed(server, *_standing(answer), answer)
    if answer.code < 500:
        return _failed(server, f"{what} at the moment", None, answer)
    said = _said(server, answer)
    return MailRefused(
        f"The mail server {server.name} {what}: {said}.", server=server.name, said=said
    )


def _standing(answer: SMTPResponseException) -> tuple[str, str]:
    """What the server has against us, whatever the mail, and where to look."""
    if answer.code == _NEEDS_SIGN_IN:
        return "wants a name and a password", _SEE_SIGN_IN
    match answer:
        case SMTPAuthenticationError():
            return "does not accept our name and password", _SEE_SIGN_IN
        case SMTPSenderRefused():
            return "does not take mail from us", _SEE_SENDER
    return "does not serve us", _SEE_HOST


def _silence(server: Server, error: Exception) -> tuple[str, str]:
    """Why there was no answer that counts, and where to look."""
    match _cause(error):
        case ssl.SSLCertVerificationError(verify_message=fault):
            return f"shows a certificate that is not trusted ({fault})", _SEE_CERTIFICATE
        case ssl.SSLError():
            return "does not speak TLS as we do", _SEE_TLS
        case TimeoutError():
            return f"did not take the mail within {server.timeout_s:g} s", _SEE_HOST
        case SMTPServerDisconnected():
            return "broke off the conversation", _SEE_TLS
    for sign, what in _LACKS.items():
        if sign in str(error):
            return what, _SEE_TLS
    return f"cannot be reached ({_clean(server, _reason(error))})", _SEE_HOST


def _failed(
    server: Server, what: str, way_out: str | None, answer: SMTPResponseException | None = None
) -> MailFailed:
    if answer is None:
        return MailFailed(
            f"The mail server {server.name} {what}.", way_out=way_out, server=server.name
        )
    said = _said(server, answer)
    return MailFailed(
        f"The mail server {server.name} {what}: {said}.",
        way_out=way_out,
        server=server.name,
        said=said,
    )


def _said(server: Server, answer: SMTPResponseException) -> str:
    return f"{answer.code} {_clean(server, answer.message)}".strip()


def _clean(server: Server, words: str) -> str:
    words = without_secret(words, server.user or "", server.password)
    line = "".join(c for c in " ".join(words.split()) if c.isprintable())
    return line[:_LONGEST_ANSWER].rstrip(". ")


def _reason(error: Exception) -> str:
    """What the system says of a connection, without the address that we name already."""
    cause = _cause(error)
    if isinstance(cause, OSError) and cause.errno is not None:
        return os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)
    return str(cause)


def _cause(error: Exception) -> Exception:
    """The library wraps what the system says of a connection; not always, and not when it ends."""
    return error.__cause__ if isinstance(error.__cause__, OSError) else error
