"""Mail servers for tests: a real one, and one that answers by a script where no real one would."""

from __future__ import annotations

import asyncio
import socket
import ssl
import warnings
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from mindhit.mail import MailSettings, SmtpClient
from tests import servers

PASSWORD = "correct-Horse+battery/9"
HANGS = "hangs"


def client(port: int, **settings: Any) -> SmtpClient:
    """A client for a server on this machine; unencrypted and impatient unless told otherwise."""
    base: dict[str, Any] = {"smtp_host": "localhost", "smtp_tls": "none", "smtp_timeout": 10.0}
    return SmtpClient(MailSettings(**{**base, "smtp_port": port, **settings}))


@dataclass
class MailServer:
    """What a real server took in, and what it is to say instead of server it."""

    port: int
    taken: list[Envelope] = field(default_factory=list)
    to_rcpt: str = ""
    to_data: str = ""

    async def handle_RCPT(  # noqa: N802  the names are aiosmtpd's
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        if self.to_rcpt:
            return self.to_rcpt
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.to_data:
            return self.to_data
        self.taken.append(envelope)
        return "250 Taken"

    def opened(self) -> EmailMessage:
        """The one mail that came."""
        [envelope] = self.taken
        assert isinstance(envelope.content, bytes)
        return BytesParser(EmailMessage, policy=policy.default).parsebytes(envelope.content)


def _knows(
    server: SMTP, session: Session, envelope: Envelope, method: str, data: object
) -> AuthResult:
    assert isinstance(data, LoginPassword)
    good = (data.login, data.password) == (b"anna", PASSWORD.encode())
    return AuthResult(success=good, handled=False)


@contextmanager
def mail_server(
    *,
    starttls: ssl.SSLContext | None = None,
    tls: ssl.SSLContext | None = None,
    sign_in: bool = False,
    utf8: bool = True,
) -> Iterator[MailServer]:
    """aiosmtpd in a thread of its own."""
    server = MailServer(servers.free_port())
    controller = Controller(
        server,
        hostname="localhost",
        port=server.port,
        ssl_context=tls,
        tls_context=starttls,
        require_starttls=starttls is not None,
        auth_required=sign_in,
        auth_require_tls=False,
        authenticator=_knows,
        enable_SMTPUTF8=utf8,
    )
    with warnings.catch_warnings():
        # Said at every connection to whoever asks for passwords without TLS; here it is the point.
        warnings.filterwarnings("ignore", "Requiring AUTH while not requiring TLS", UserWarning)
        controller.start()
        try:
            yield server
        finally:
            controller.stop()


@asynccontextmanager
async def scripted(answers: Mapping[str, str], *, slowly_s: float = 0) -> AsyncIterator[int]:
    """A server that says `answers[verb]`, hangs where that is HANGS, and else takes everything,
    each time after `slowly_s`.

    "" is the greeting and "." the end of the data; `{line}` in an answer is what it was asked.
    """
    usual = {"": "220 hello", "EHLO": "250-here\r\n250 AUTH PLAIN", "DATA": "354 go on"}

    talks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        verb, line = "", ""
        while answer := answers.get(verb, usual.get(verb, "250 ok")):
            if answer == HANGS:
                await reader.read()  # until the other side gives up
                return
            await asyncio.sleep(slowly_s)
            writer.write(answer.format(line=line).encode() + b"\r\n")
            in_data = answer.startswith("354")
            got = await (reader.readuntil(b"\r\n.\r\n") if in_data else reader.readline())
            if not got:
                return
            line = got.decode(errors="replace").strip()
            verb = "." if in_data else line.split(" ")[0]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.add(cast("asyncio.Task[None]", asyncio.current_task()))
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await talk(reader, writer)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "localhost", 0, family=socket.AF_INET)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()
        await asyncio.gather(*talks)
