"""The way to the mail server: SMTP, one connection for one mail."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from uuid import uuid4

from aiosmtplib import SMTP, SMTPException

from mindhit import clock
from mindhit.mail.addresses import read_mailbox
from mindhit.mail.compose import compose
from mindhit.mail.failures import Server, in_our_words
from mindhit.mail.model import MailFailed, Message
from mindhit.mail.settings import MailSettings

_FAREWELL_S = 1.0  # for QUIT: the mail is theirs by then, and nobody has to wait for manners


class SmtpClient:
    """The mail server that the settings name, if they name one."""

    def __init__(self, settings: MailSettings) -> None:
        secret = settings.smtp_password
        self._sender = read_mailbox(settings.mail_from)
        self._tls = settings.smtp_tls
        self._server = Server(
            settings.smtp_host,
            settings.smtp_port,
            settings.smtp_timeout,
            settings.smtp_user,
            secret.get_secret_value() if secret else "",
        )

    @property
    def is_configured(self) -> bool:
        return self._server.host is not None

    async def send(self, message: Message) -> None:
        """Return when the server has taken the mail; else raise `MailFailed` or `MailRefused`.

        Takes no longer than the setting `smtp_timeout`, and a moment for the farewell.
        """
        if not self.is_configured:
            raise MailFailed("No mail server is set.", way_out="Set MINDHIT_SMTP_HOST.")
        mail = compose(self._with_id(message), sender=self._sender, now=clock.utc_now())
        client = self._client()
        try:
            async with asyncio.timeout(self._server.timeout_s):
                await client.connect()
                await client.send_message(mail)
            with suppress(SMTPException, OSError):
                await client.quit(timeout=_FAREWELL_S)
        except (SMTPException, OSError, ValueError) as error:
            # `from None`: a trace would show the server's words as they came.
            raise in_our_words(error, self._server) from None
        finally:
            client.close()

    def _with_id(self, message: Message) -> Message:
        """The library would make one with the name of this machine in it."""
        if message.message_id is not None:
            return message
        return replace(message, message_id=f"{uuid4().hex}@{self._sender.domain}")

    def _client(self) -> SMTP:
        server = self._server
        return SMTP(
            hostname=server.host,
            port=server.port,
            username=server.user,
            password=server.password if server.user else None,
            use_tls=self._tls == "tls",
            start_tls=self._tls == "starttls",
            validate_certs=True,
            timeout=server.timeout_s,
            # Else the machine's full name: nobody's business, and a slow resolver's to tell.
            local_hostname=self._sender.domain,
        )
