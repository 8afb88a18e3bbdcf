"""Mail: sends one message.

`deliver` hands a message to the mail server that the settings name; where none is set, the mail
is kept in the database and logged, for the owner to pass on by hand. `render` gives the product's
mails their looks; what they say belongs to whoever sends them. Promises: one message goes to one
address, and no value can add a header, a recipient or a line of its own; a server that hangs is
given up in time; no error, log line or fact ever holds the password. Sending twice is possible
where a process dies in between: a message with an id of its own (`message_id`) arrives as one.
Owns `kept_mails`. Knows nothing of accounts.
"""

from mindhit.mail import store as _store
from mindhit.mail.addresses import read_mailbox
from mindhit.mail.deliver import deliver
from mindhit.mail.keep import discard_kept, erase, keep, list_kept, prune
from mindhit.mail.layout import render
from mindhit.mail.model import (
    Button,
    KeptMail,
    KeptMailId,
    KeptMailNotFound,
    Mailbox,
    MailFailed,
    MailRefused,
    Message,
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
    "KeptMail",
    "KeptMailId",
    "KeptMailNotFound",
    "MailFailed",
    "MailRefused",
    "MailSettings",
    "Mailbox",
    "Message",
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
