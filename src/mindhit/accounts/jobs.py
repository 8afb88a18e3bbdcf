"""What the jobs of accounts do: mails with links, exports, erasing people, sweeping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mindhit.accounts import store, sweeping
from mindhit.accounts.job_types import (
    Erase,
    MailEmailLink,
    MailInvitation,
    MailMoved,
    MailResetLink,
    MailSignUpLink,
    MailVerifyLink,
    MakeExport,
    Sweep,
)
from mindhit.accounts.leaving import erase
from mindhit.accounts.leaving.making import Maker
from mindhit.accounts.links import INVITATION_S
from mindhit.accounts.mails.send import Mailer
from mindhit.accounts.mails.texts import Mail
from mindhit.accounts.model import Origin, Purpose
from mindhit.db.disk_space import DiskSpace
from mindhit.mail import MailSettings, SmtpClient
from mindhit.slices import Jobs, Product
from mindhit.work import Discard, Schedule, Snooze, Work

_GONE: Final = Discard("the person no longer exists")


@dataclass(frozen=True, slots=True)
class Handlers:
    """The slice's handlers, with what they need of the server's settings."""

    mailer: Mailer
    product: Product

    async def mail_sign_up(self, work: Work[MailSignUpLink]) -> Discard | None:
        sent = await self.mailer.send_sign_up(work.db, work.args.sign_up_id, _message_id(work))
        return None if sent else Discard("the sign-up no longer exists")

    async def mail_verify(self, work: Work[MailVerifyLink]) -> Discard | None:
        sent = await self.mailer.send_link(
            work.db, work.args.user_id, Mail.VERIFY, Purpose.VERIFY, _message_id(work)
        )
        return None if sent else _GONE

    async def mail_email(self, work: Work[MailEmailLink]) -> Discard | None:
        args = work.args
        async with work.db.read() as tx:
            if await tx.maybe(store.devices.BY_ID, args.user_id, args.device_id) is None:
                return Discard("the browser that asked has been signed out")
        sent = await self.mailer.send_link(
            work.db, args.user_id, Mail.EMAIL, Purpose.EMAIL, _message_id(work), to=args.email
        )
        return None if sent else _GONE

    async def mail_moved(self, work: Work[MailMoved]) -> Discard | None:
        args = work.args
        sent = await self.mailer.send_moved(work.db, args.user_id, args.email, _message_id(work))
        return None if sent else _GONE

    async def mail_reset(self, work: Work[MailResetLink]) -> Discard | None:
        args = work.args
        origin = Origin(args.address, args.device)
        sent = await self.mailer.send_reset(work.db, args.email_key, origin, _message_id(work))
        return None if sent else _GONE

    async def mail_invitation(self, work: Work[MailInvitation]) -> Discard | None:
        sent = await self.mailer.send_link(
            work.db,
            work.args.user_id,
            Mail.INVITED,
            Purpose.RESET,
            _message_id(work),
            valid_s=INVITATION_S,
        )
        return None if sent else _GONE

    async def erase_person(self, work: Work[Erase]) -> Discard | Snooze | None:
        async with work.db.read() as tx:
            user_id = await tx.maybe(store.erasure.ASKED, work.args.erasure_id)
        if user_id is None:
            return Discard("already erased")
        try:
            await erase.erase_person(work.db, user_id, self.product)
        except erase.NotLeft as failed:  # tried again until it works, however often
            return Snooze(erase.RETRY_S, str(failed))
        return None

    async def sweep(self, work: Work[Sweep]) -> None:
        await sweeping.sweep(work.db)


def _message_id(work: Work[Any]) -> str:
    return f"job-{work.id}@mindhit"


def jobs(product: Product) -> Jobs:
    settings = product.settings
    do = Handlers(Mailer(SmtpClient(settings[MailSettings]), settings.public_url), product)
    return {
        MailSignUpLink: do.mail_sign_up,
        MailVerifyLink: do.mail_verify,
        MailEmailLink: do.mail_email,
        MailMoved: do.mail_moved,
        MailResetLink: do.mail_reset,
        MailInvitation: do.mail_invitation,
        MakeExport: Maker(product, DiskSpace(settings)),
        Erase: do.erase_person,
        Sweep: do.sweep,
    }


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (Schedule("accounts:sweep", Sweep(), every_s=sweeping.EVERY_S),)
