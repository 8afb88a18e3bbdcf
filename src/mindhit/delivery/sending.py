"""Sending one delivery: marked before it is sent, settled after it, no transaction open in between.

If the process dies in between, the delivery is SENDING. It is sent again where the service or the
browser recognises a repeat by its id; with Apprise, where nothing does, it counts as sent.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import Final
from uuid import UUID

from mindhit import accounts, log
from mindhit.accounts import UserId
from mindhit.db import Database, Tx
from mindhit.delivery import configs, metrics, push_subscriptions, store, unsubscribing
from mindhit.delivery.channels import unseal
from mindhit.delivery.configs import AppriseUrl, Config, Ntfy, Webhook
from mindhit.delivery.model import (
    ChannelKind,
    ChannelUnreadable,
    Outgoing,
    SenderBroke,
    Status,
)
from mindhit.delivery.reasons import Reason, ReasonCode
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused, NoSubscriptions
from mindhit.delivery.settings import DeliverySettings
from mindhit.errors import MindHitError
from mindhit.log import reports
from mindhit.mail import MailSettings, SmtpClient, read_mailbox
from mindhit.sealing import SealBroken
from mindhit.settings import Settings

_log = log.get(__name__)
_SHOWS_TWICE: Final = frozenset({ChannelKind.APPRISE})


class Sender:
    """Sends over every kind of channel. What needs libraries of its own loads them when it is used."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._smtp = SmtpClient(settings[MailSettings])
        sender = read_mailbox(settings[MailSettings].mail_from)
        self._contact = settings[DeliverySettings].vapid_subject or f"mailto:{sender.address}"

    @property
    def public_url(self) -> str:
        return self._settings.public_url

    async def begin(self, db: Database, user_id: UUID, delivery_id: UUID) -> Outgoing | None:
        """What is to be sent, marked as being sent; None where there is nothing to send: it was, or
        its notice, its channel or its person is gone."""
        async with db.transaction() as tx:
            return await tx.maybe(store.deliveries.BEGIN, user_id, delivery_id)

    async def send(self, db: Database, notice: Outgoing) -> str | None:
        """The id that the service gave it. Raises `DeliveryFailed` or `DeliveryRefused`."""
        kind = ChannelKind(notice.channel_kind)
        if notice.was_sending and kind in _SHOWS_TWICE:
            return None
        try:
            config = unseal(self._settings, notice.user_id, notice.config, kind)
        except ChannelUnreadable as error:
            raise DeliveryRefused(Reason(ReasonCode.UNREADABLE)) from error
        try:
            with metrics.timed(kind):
                return await self._send(db, kind, config, notice)
        except MindHitError:
            raise
        except Exception as error:  # noqa: BLE001  of this delivery alone; its text may quote the notice
            _report(error, kind)
            raise DeliveryFailed(Reason(ReasonCode.NOT_SENT)) from None

    async def _send(
        self, db: Database, kind: ChannelKind, config: Config, notice: Outgoing
    ) -> str | None:
        # Loaded late: HTTP libraries take longer to load than most commands run.
        from mindhit.delivery.senders import apprise, email, ntfy, webhook  # noqa: PLC0415
        from mindhit.delivery.senders.http import Poster  # noqa: PLC0415

        poster = Poster(configs.private_hosts(self._settings))
        match config:
            case Ntfy():
                return await ntfy.send(poster, config, notice)
            case Webhook():
                await webhook.send(poster, config, notice, datetime.now(UTC))
                return None
            case AppriseUrl():
                schemes = self._settings[DeliverySettings].apprise_schemes
                await apprise.send(config, notice, frozenset(each.lower() for each in schemes))
                return None
        if kind is ChannelKind.WEBPUSH:
            await self._push(db, notice)
            return None
        async with db.read() as tx:
            person = await accounts.show_person(tx, UserId(notice.user_id))
            chosen = await accounts.show_preferences(tx, person.id)
        return await email.send(
            self._smtp,
            notice,
            to=person.email,
            language=chosen.language,
            public_url=self.public_url,
            unsubscribe=unsubscribing.link(self._settings, notice.user_id, notice.channel_id),
        )

    async def _push(self, db: Database, notice: Outgoing) -> None:
        from mindhit.delivery.senders import web_push  # noqa: PLC0415
        from mindhit.delivery.senders.http import Poster  # noqa: PLC0415

        async with db.read() as tx:
            to = await tx.all(store.push_subscriptions.LIST, notice.user_id)
            try:
                key = await push_subscriptions.private_key(tx, self._settings)
            except SealBroken as error:
                raise DeliveryRefused(Reason(ReasonCode.PUSH_KEY_UNREADABLE)) from error
        if key is None or not to:
            raise NoSubscriptions
        pushed = await web_push.send(
            Poster(configs.private_hosts(self._settings)),
            to,
            notice,
            private_key=key,
            subject=self._contact,
        )
        async with db.transaction() as tx:
            await tx.run(store.push_subscriptions.REMOVE_GONE, notice.user_id, pushed.gone)
            await tx.run(store.push_subscriptions.NOTE_PUSHED, notice.user_id, pushed.ok)
        pushed.raise_if_none()


def _report(error: Exception, kind: ChannelKind) -> None:
    """What broke and where, without what it says."""
    place = extract_tb(error.__traceback__)[-1]
    facts = {"reason": type(error).__name__, "place": f"{Path(place.filename).name}:{place.lineno}"}
    _log.error("a sender broke", channel=kind, **facts)
    reports.failure(SenderBroke(), channel=kind, **facts)


async def settle_sent(tx: Tx, notice: Outgoing, provider_id: str | None) -> None:
    statement = store.deliveries.SENT if notice.digest_id is None else store.deliveries.DIGEST_SENT
    await tx.run(statement, notice.user_id, notice.id, provider_id)
    await tx.run(store.channels.NOTE_OK, notice.user_id, notice.channel_id)
    metrics.ended(notice.channel_kind, "sent")


async def settle_failed(
    tx: Tx, notice: Outgoing, error: DeliveryFailed | DeliveryRefused, *, is_over: bool
) -> None:
    """`is_over`: it is not tried again."""
    status = Status.DEAD if is_over else Status.FAILED
    statement = (
        store.deliveries.NOT_SENT if notice.digest_id is None else store.deliveries.DIGEST_NOT_SENT
    )
    await tx.run(statement, notice.user_id, notice.id, status, str(error))
    await tx.run(store.channels.NOTE_ERROR, notice.user_id, notice.channel_id, str(error))
    metrics.ended(notice.channel_kind, "dead" if is_over else "failed")
    if notice.channel_kind == ChannelKind.WEBPUSH and not isinstance(error, NoSubscriptions):
        reports.failure(error, channel=notice.channel_kind)
