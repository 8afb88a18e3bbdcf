"""Sending account mails. Called by jobs, so that no answer depends on whether an address is known.

Where there is no mail server, a mail is kept in the transaction that makes its link; where there
is one, it is sent after that transaction, since a mail server may take its time.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit import mail
from mindhit.accounts import audit, email_addresses, store
from mindhit.accounts.links import make_link
from mindhit.accounts.mails.texts import Mail, write
from mindhit.accounts.model import Event, Language, Origin, Purpose, UserId
from mindhit.accounts.preferences import show_preferences
from mindhit.db import Database, Tx
from mindhit.mail import Message, SmtpClient


@dataclass(frozen=True, slots=True)
class Mailer:
    """Verbs that return False if the recipient no longer exists. `message_id` is the same for
    every repeat of a mail."""

    smtp: SmtpClient
    public_url: str

    async def send_sign_up(self, db: Database, sign_up_id: UUID, message_id: str) -> bool:
        """The link that completes a sign-up; to somebody with an account, that they have one."""
        async with db.transaction() as tx:
            asked = await tx.maybe(store.links.SIGN_UP, sign_up_id)
            if asked is None:
                return False
            known = await tx.maybe(store.people.BY_EMAIL, email_addresses.key(asked.email))
            if known is None:
                which = Mail.SIGN_UP
                url, _ = await make_link(tx, self.public_url, Purpose.SIGN_UP, sign_up_id=asked.id)
            else:
                which, url = Mail.KNOWN, f"{self.public_url}/sign-in"
                await tx.run(store.links.DROP_SIGN_UPS, email_addresses.key(asked.email))
            message = write(which, Language(asked.language), asked.email, url, message_id)
            await self._keep(tx, message, known.id if known else None)
        await self._send(message)
        return True

    async def send_reset(
        self, db: Database, email_key: str, origin: Origin, message_id: str
    ) -> bool:
        """To nobody, if nobody has the address: the request is recorded all the same."""
        async with db.transaction() as tx:
            person = await tx.maybe(store.people.BY_EMAIL, email_key)
            await audit.note(tx, Event.RESET_ASKED, person.id if person else None, origin)
        if person is None:
            return True
        return await self.send_link(db, person.id, Mail.RESET, Purpose.RESET, message_id)

    async def send_link(
        self,
        db: Database,
        user_id: UserId,
        which: Mail,
        purpose: Purpose,
        message_id: str,
        *,
        to: str | None = None,
        valid_s: float | None = None,
    ) -> bool:
        """A mail with a one-time link, to the person's address or `to`."""
        return await self._send_to_person(db, user_id, which, purpose, message_id, to, valid_s)

    async def send_moved(self, db: Database, user_id: UserId, former: str, message_id: str) -> bool:
        """To the former address: if it wasn't the person who changed it, they learn of it."""
        return await self._send_to_person(db, user_id, Mail.MOVED, None, message_id, former)

    async def _send_to_person(
        self,
        db: Database,
        user_id: UserId,
        which: Mail,
        purpose: Purpose | None,
        message_id: str,
        to: str | None = None,
        valid_s: float | None = None,
    ) -> bool:
        async with db.transaction() as tx:
            # Locked: a person who is being erased at the same time leaves no mail behind.
            person = await tx.maybe(store.people.LOCKED, user_id)
            if person is None:
                return False
            chosen = await show_preferences(tx, user_id)
            to = to or person.email
            url = f"{self.public_url}/settings/security"
            if purpose is not None:
                url, _ = await make_link(
                    tx, self.public_url, purpose, user_id=user_id, email=to, valid_s=valid_s
                )
            message = write(which, Language(chosen.language), to, url, message_id)
            await self._keep(tx, message, user_id)
        await self._send(message)
        return True

    async def _keep(self, tx: Tx, message: Message, user_id: UserId | None) -> None:
        if not self.smtp.is_configured:
            await mail.keep(tx, message, user_id)

    async def _send(self, message: Message) -> None:
        if self.smtp.is_configured:
            await self.smtp.send(message)
