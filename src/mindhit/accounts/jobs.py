"""Work behind an answer: mails with links, forgetting people, sweeping out what is over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from mindhit import mail
from mindhit.accounts import addresses, audit, erasing, store
from mindhit.accounts.links import INVITED_S, make_link
from mindhit.accounts.mails import Letter, write
from mindhit.accounts.model import DeviceId, Event, Language, Origin, Purpose, UserId
from mindhit.db import Database, Tx
from mindhit.errors import Upstream
from mindhit.mail import MailRefused, MailSettings, Message, Post
from mindhit.slices import Jobs, Product
from mindhit.work import Discard, Lane, Schedule, Snooze, Work, job

KEPT = timedelta(days=30)
LEAVE_AGAIN_S = 300.0
_soon: dict[str, Any] = {"lane": Lane.CRITICAL, "attempts": 6, "backoff_s": (5, 30, 120, 600, 1800)}


@job("accounts:mail_sign_up", discard_on=(MailRefused,), **_soon)
@dataclass(frozen=True, slots=True)
class MailSignUpLink:
    sign_up_id: UUID


@job("accounts:mail_verify", key="user_id", discard_on=(MailRefused,), **_soon)
@dataclass(frozen=True, slots=True)
class MailVerifyLink:
    user_id: UserId


@job("accounts:mail_email", discard_on=(MailRefused,), **_soon)
@dataclass(frozen=True, slots=True)
class MailEmailLink:
    user_id: UserId
    email: str
    device_id: DeviceId


@job("accounts:mail_moved", discard_on=(MailRefused,), **_soon)
@dataclass(frozen=True, slots=True)
class MailMoved:
    user_id: UserId
    email: str


@job("accounts:mail_reset", discard_on=(MailRefused,), **_soon)
@dataclass(frozen=True, slots=True)
class MailResetLink:
    email_key: str
    address: str | None
    device: str


@job("accounts:mail_invitation", discard_on=(MailRefused,), **_soon)
@dataclass(frozen=True, slots=True)
class MailInvitation:
    user_id: UserId


@job("accounts:erase", key="erasure_id", attempts=20, backoff_s=(5, 60, 600, 3600))
@dataclass(frozen=True, slots=True)
class Erase:
    erasure_id: UUID


@job("accounts:sweep", lane=Lane.LOW, key="name", attempts=3)
@dataclass(frozen=True, slots=True)
class Sweep:
    name: str = "all"


@dataclass(frozen=True, slots=True)
class Handlers:
    """The slice's handlers, with what they need of the server's settings."""

    post: Post
    public_url: str
    product: Product
    mail_domain: str = "mindhit"

    async def mail_sign_up(self, work: Work[MailSignUpLink]) -> Discard | None:
        async with work.db.transaction() as tx:
            asked = await tx.maybe(store.links.SIGN_UP, work.args.sign_up_id)
            if asked is None:
                return Discard("the sign-up is gone")
            known = await tx.maybe(store.people.BY_EMAIL, addresses.key(asked.email))
            if known is None:
                letter = Letter.SIGN_UP
                url, _ = await make_link(tx, self.public_url, Purpose.SIGN_UP, sign_up_id=asked.id)
            else:
                letter, url = Letter.KNOWN, f"{self.public_url}/sign-in"
                await tx.run(store.links.DROP_SIGN_UPS, addresses.key(asked.email))
            message = write(letter, Language(asked.language), asked.email, url, self._name(work))
            await self._keep_or_not(tx, message, known.id if known else None)
        await self._send_or_not(message)
        return None

    async def mail_verify(self, work: Work[MailVerifyLink]) -> Discard | None:
        return await self._mail_link(work, work.args.user_id, Letter.VERIFY, Purpose.VERIFY)

    async def mail_email(self, work: Work[MailEmailLink]) -> Discard | None:
        args = work.args
        async with work.db.read() as tx:
            if await tx.maybe(store.devices.BY_ID, args.user_id, args.device_id) is None:
                return Discard("whoever asked has been signed out")
        return await self._mail_link(work, args.user_id, Letter.EMAIL, Purpose.EMAIL, args.email)

    async def mail_moved(self, work: Work[MailMoved]) -> Discard | None:
        """To the address that was: should it not have been the person, they learn of it."""
        return await self._mail_link(work, work.args.user_id, Letter.MOVED, None, work.args.email)

    async def mail_invitation(self, work: Work[MailInvitation]) -> Discard | None:
        return await self._mail_link(
            work, work.args.user_id, Letter.INVITED, Purpose.RESET, valid_s=INVITED_S
        )

    async def mail_reset(self, work: Work[MailResetLink]) -> Discard | None:
        async with work.db.transaction() as tx:
            person = await tx.maybe(store.people.BY_EMAIL, work.args.email_key)
            user_id = person.id if person else None
            origin = Origin(work.args.address, work.args.device)
            await audit.note(tx, Event.RESET_ASKED, user_id, origin)
        if user_id is None:
            return None  # nobody has this address; nobody is told
        return await self._mail_link(work, user_id, Letter.RESET, Purpose.RESET)

    async def erase_person(self, work: Work[Erase]) -> Discard | Snooze | None:
        async with work.db.read() as tx:
            user_id = await tx.maybe(store.erasing.ASKED, work.args.erasure_id)
        if user_id is None:
            return Discard("already erased")
        try:
            await erasing.erase_person(work.db, user_id, self.product)
        except Upstream as failed:  # somebody else's server, in a slice's `leave`: until it works
            return Snooze(LEAVE_AGAIN_S, str(failed))
        return None

    async def sweep(self, work: Work[Sweep]) -> None:
        for statement in store.erasing.SWEEPS:
            await work.db.alone(statement)
        await _prune_mails(work.db)

    async def _mail_link(
        self,
        work: Work[Any],
        user_id: UserId,
        letter: Letter,
        purpose: Purpose | None,
        to: str | None = None,
        valid_s: float | None = None,
    ) -> Discard | None:
        async with work.db.transaction() as tx:
            # Locked: a person who is being forgotten meanwhile leaves no mail behind.
            person = await tx.maybe(store.people.LOCKED, user_id)
            if person is None:
                return Discard("the person is gone")
            chosen = await tx.one(store.preferences.OF, user_id)
            to = to or person.email
            url = f"{self.public_url}/settings/security"
            if purpose is not None:
                url, _ = await make_link(
                    tx, self.public_url, purpose, user_id=user_id, email=to, valid_s=valid_s
                )
            message = write(letter, Language(chosen.language), to, url, self._name(work))
            await self._keep_or_not(tx, message, user_id)
        await self._send_or_not(message)
        return None

    async def _keep_or_not(self, tx: Tx, message: Message, user_id: UserId | None) -> None:
        if not self.post.is_set:
            await mail.keep(tx, message, user_id)

    async def _send_or_not(self, message: Message) -> None:
        """Outside of any transaction: a mail server may take its time."""
        if self.post.is_set:
            await self.post.send(message)

    def _name(self, work: Work[Any]) -> str:
        return f"job-{work.id}@{self.mail_domain}"


async def _prune_mails(db: Database) -> None:
    async with db.transaction() as tx:
        await mail.prune(tx, KEPT)


def jobs(product: Product) -> Jobs:
    settings = product.settings
    do = Handlers(Post(settings[MailSettings]), settings.public_url, product)
    return {
        MailSignUpLink: do.mail_sign_up,
        MailVerifyLink: do.mail_verify,
        MailEmailLink: do.mail_email,
        MailMoved: do.mail_moved,
        MailResetLink: do.mail_reset,
        MailInvitation: do.mail_invitation,
        Erase: do.erase_person,
        Sweep: do.sweep,
    }


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (Schedule("accounts:sweep", Sweep(), every_s=3600),)
