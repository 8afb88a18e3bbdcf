"""Sending over SMTP: one connection per mail."""

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

_QUIT_S = 1.0  # the mail has been accepted by then


class SmtpClient:
    """The configured mail server, if there is one."""

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
        """Return when the server has accepted the mail; else raise `MailFailed` or `MailRefused`.

        Takes at most `smtp_timeout`, plus a second for QUIT.
        """
        if not self.is_configured:
            raise MailFailed("No mail server is configured.", way_out="Set MINDHIT_SMTP_HOST.")
        mail = compose(self._with_id(message), sender=self._sender, now=clock.utc_now())
        client = self._client()
        try:
            async with asyncio.timeout(self._server.timeout_s):
                await client.connect()
                await client.send_message(mail)
            with suppress(SMTPException, OSError):
                await client.quit(timeout=_QUIT_S)
        except (SMTPException, OSError, ValueError) as error:
            # `from None`: a traceback would show the server's words unfiltered.
            raise in_our_words(error, self._server) from None
        finally:
            client.close()

    def _with_id(self, message: Message) -> Message:
        """The library would generate one with this machine's name in it."""
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
            # The default is the machine's full name, which is private and slow to resolve.
            local_hostname=self._sender.domain,
        )
