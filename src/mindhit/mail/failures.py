"""Translates SMTP errors into `MailFailed` and `MailRefused`; besides `smtp` nothing knows the library.

A 5xx about this mail (its recipient, its content) is permanent. A problem with MindHit itself (its
password, its sender, the certificate) is retried whatever the code: an operator can fix it, and the
waiting mails are sent then.

The server's words are quoted, since they often say what to do, after removing the password from
them: plain, as AUTH encodes it, or cut off. A server that doesn't understand a line may repeat it.
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

_SEE_SIGN_IN = "Check MINDHIT_SMTP_USER and MINDHIT_SMTP_PASSWORD."
_SEE_SENDER = "Check whether the server lets this user send as MINDHIT_MAIL_FROM."
_SEE_TLS = "Check MINDHIT_SMTP_TLS and MINDHIT_SMTP_PORT."
_SEE_HOST = "Check MINDHIT_SMTP_HOST and MINDHIT_SMTP_PORT."
_SEE_CERTIFICATE = (
    "Use the server name from its certificate in MINDHIT_SMTP_HOST, or make this machine trust the"
    " authority that signed it."
)
# The library reports missing features of a server only by these messages.
_LACKS = {
    "STARTTLS extension not supported": "does not offer STARTTLS",
    "AUTH extension is not supported": "offers no way to sign in",
    "No suitable authentication": "offers no supported way to sign in",
}


@dataclass(frozen=True, slots=True)
class Server:
    """The mail server, and how we sign in to it."""

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
            return _answered(server, "does not accept mail for this address", refusal)
        case SMTPDataError() | SMTPSenderRefused(code=552):  # 552: MAIL FROM announces the size
            return _answered(server, "does not accept this mail", error)
        case SMTPResponseException():
            return _failed(server, *_standing(error), error)
        case SMTPNotSupported():
            return MailRefused(
                f"The mail server {server.name} does not support addresses with letters"
                " beyond ASCII.",
                server=server.name,
            )
    return _failed(server, *_silence(server, error))


def without_secret(words: str, user: str, password: str) -> str:
    """The text without the password, its encoded forms, and pieces of these."""
    if not password:
        return words
    encoded = (password, f"\0{user}\0{password}")
    forms = [password, *(base64.b64encode(form.encode()).decode() for form in encoded)]
    for form in forms:
        words = words.replace(form, _HIDDEN)
    return _WORD.sub(lambda w: _HIDDEN if any(w[0] in form for form in forms) else w[0], words)


def _answered(server: Server, what: str, answer: SMTPResponseException) -> MailFailed | MailRefused:
    """The code decides, unless the server requires signing in first."""
    if answer.code == _NEEDS_SIGN_IN:
        return _failed(server, *_standing(answer), answer)
    if answer.code < 500:
        return _failed(server, f"{what} at the moment", None, answer)
    said = _said(server, answer)
    return MailRefused(
        f"The mail server {server.name} {what}: {said}.", server=server.name, said=said
    )


def _standing(answer: SMTPResponseException) -> tuple[str, str]:
    """What the server objects to, whatever the mail, and what to check."""
    if answer.code == _NEEDS_SIGN_IN:
        return "requires a user name and a password", _SEE_SIGN_IN
    match answer:
        case SMTPAuthenticationError():
            return "does not accept the user name and password", _SEE_SIGN_IN
        case SMTPSenderRefused():
            return "does not accept mail from this sender", _SEE_SENDER
    return "refuses the connection", _SEE_HOST


def _silence(server: Server, error: Exception) -> tuple[str, str]:
    """Why there was no usable answer, and what to check."""
    match _cause(error):
        case ssl.SSLCertVerificationError(verify_message=fault):
            return f"has a certificate that is not trusted ({fault})", _SEE_CERTIFICATE
        case ssl.SSLError():
            return "does not speak TLS as configured", _SEE_TLS
        case TimeoutError():
            return f"did not accept the mail within {server.timeout_s:g} s", _SEE_HOST
        case SMTPServerDisconnected():
            return "closed the connection", _SEE_TLS
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
    """What the system says about a connection, without the address, which is named already."""
    cause = _cause(error)
    if isinstance(cause, OSError) and cause.errno is not None:
        return os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)
    return str(cause)


def _cause(error: Exception) -> Exception:
    """The library wraps most errors of the operating system, but not all."""
    return error.__cause__ if isinstance(error.__cause__, OSError) else error
