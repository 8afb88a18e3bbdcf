"""Settings of mail: the mail server and the sender."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import SecretStr, field_validator

from mindhit.mail.addresses import read_mailbox
from mindhit.mail.model import MailRefused
from mindhit.settings import Section, setting


class MailSettings(Section):
    heading = "Mail"

    smtp_host: str | None = setting(
        None, "Mail server; without one, mails are kept for the owner to pass on."
    )
    smtp_port: int = setting(587, "Port of the mail server.", ge=1, le=65535)
    smtp_tls: Literal["starttls", "tls", "none"] = setting(
        "starttls",
        "`starttls` (port 587), `tls` from the first byte (465), or `none`: unencrypted.",
    )
    smtp_user: str | None = setting(None, "User name at the mail server.")
    smtp_password: SecretStr | None = setting(None, "Password at the mail server.")
    smtp_timeout: float = setting(
        20.0, "Longest time that sending one mail may take.", unit="s", gt=0
    )
    mail_from: str = setting(
        "MindHit <mindhit@localhost>", "Sender of all mails: one address, with or without a name."
    )

    @field_validator("smtp_host")
    @classmethod
    def _host_alone(cls, host: str | None) -> str | None:
        if host is not None and re.search(r"[\s/@]|^[^:]*:\d+$", host):
            raise ValueError("must be only a host name; the port is a separate setting")
        return host

    @field_validator("mail_from")
    @classmethod
    def _one_mailbox(cls, sender: str) -> str:
        try:
            read_mailbox(sender)
        except MailRefused:
            raise ValueError("must be one address, as in MindHit <mindhit@example.com>") from None
        return sender
