"""Mail: sends one message to one address.

`deliver` hands a message to the configured mail server; without one, the mail is kept in the
database and logged, for the owner to pass on. `render` lays out the product's mails; the wording
belongs to the slice that sends them. Promises: one message goes to one address, and no value can
add a header, a recipient or a line; a server that hangs is given up after a timeout; no error, log
line or fact ever holds the password. If a process dies while sending, a mail may be sent twice:
with the same `message_id`, mail clients show it once. Owns `kept_mails`. Knows nothing about
accounts.
"""

from mindhit.mail import store as _store
from mindhit.mail.addresses import read_mailbox
from mindhit.mail.deliver import deliver
from mindhit.mail.keep import discard_kept, erase, keep, list_kept, prune
from mindhit.mail.layout import render
from mindhit.mail.model import (
    Button,
    Image,
    KeptMail,
    KeptMailId,
    KeptMailNotFound,
    Mailbox,
    MailFailed,
    MailRefused,
    Message,
    Picture,
    Rendered,
)
from mindhit.mail.settings import MailSettings
from mindhit.mail.smtp import SmtpClient
from mindhit.slices import Slice

SLICE = Slice(
    "mail",
    settings=MailSettings,
    exports={"kept_mails": _store.OF_USER},
    erase=erase,
)

__all__ = [
    "SLICE",
    "Button",
    "Image",
    "KeptMail",
    "KeptMailId",
    "KeptMailNotFound",
    "MailFailed",
    "MailRefused",
    "MailSettings",
    "Mailbox",
    "Message",
    "Picture",
    "Rendered",
    "SmtpClient",
    "deliver",
    "discard_kept",
    "erase",
    "keep",
    "list_kept",
    "prune",
    "read_mailbox",
    "render",
]
