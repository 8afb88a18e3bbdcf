"""Delivery: brings a notice to a person, in the app and over the channels they chose.

    notices.py              telling somebody something; the inbox
    channels.py             a person's channels; configs.py: what each kind needs, and what may be used
    push_subscriptions.py   browsers that show notices
    at_once.py              delivering now, for whoever has to know what became of it
    reasons.py              why a notice was not delivered
    sending.py              one notice over one channel; senders/ has one file per kind
    testing_channels.py     "send me a test"
    usage.py                telling that a plan's tokens run out
    digests.py              several notices as one message
    quiet_hours.py          when channels are silent
    unsubscribing.py        the link that ends mails

Promises: a notice with the same key is told once; it is in the inbox in the transaction that told it;
each channel gets it once, as far as the service can recognise a repeat; a channel that fails holds up
no other; where a channel leads is encrypted and never shown, logged or exported, and never leads into a
private network. Owns `notices`, `deliveries`, `channels`, `push_subscriptions`, `vapid_keys` and the
jobs `delivery:send`, `delivery:digest`, `delivery:test`, `delivery:usage`, `delivery:sweep`. Knows nothing of reminders or shops.
"""

from mindhit.delivery import store as _store
from mindhit.delivery.at_once import Delivered, Prepared, deliver_now, leave_the_rest, prepare
from mindhit.delivery.channels import (
    Shown,
    add_channel,
    change_channel,
    list_channels,
    remove_channel,
)
from mindhit.delivery.configs import offered
from mindhit.delivery.digests import deliver_digest, leave_digests, prepare_digest
from mindhit.delivery.job_types import usage_reached
from mindhit.delivery.jobs import erase, jobs, schedules
from mindhit.delivery.model import (
    BadChannel,
    BadNoticeLink,
    ChannelExists,
    ChannelId,
    ChannelKind,
    ChannelNotFound,
    DeliveryId,
    NewNotice,
    Notice,
    NoticeId,
    NoticeKind,
    NoticeNotFound,
    Status,
    SubscriptionId,
    SubscriptionNotFound,
    TooManyChannels,
)
from mindhit.delivery.notices import (
    READ_KEPT_DAYS,
    count_unread,
    is_under_way,
    list_notices,
    notify,
    put_many_into_inbox,
    quiet_end,
    quiet_now,
    read_all_notices,
    read_notice,
    retire_keys,
    withdraw,
    without_channels,
)
from mindhit.delivery.push_subscriptions import public_key, subscribe, unsubscribe
from mindhit.delivery.quiet_hours import quiet_until
from mindhit.delivery.reasons import Reason, ReasonCode, ServiceName, read_reason
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused
from mindhit.delivery.sending import Sender
from mindhit.delivery.settings import DeliverySettings
from mindhit.delivery.testing_channels import Tested, test_channel
from mindhit.slices import Slice

SLICE = Slice(
    "delivery",
    settings=DeliverySettings,
    jobs=jobs,
    schedules=schedules,
    exports={
        "notices": _store.exporting.NOTICES,
        "channels": _store.exporting.CHANNELS,
        "deliveries": _store.exporting.DELIVERIES,
        "push_subscriptions": _store.exporting.SUBSCRIPTIONS,
    },
    erase=erase,
)

__all__ = [
    "READ_KEPT_DAYS",
    "SLICE",
    "BadChannel",
    "BadNoticeLink",
    "ChannelExists",
    "ChannelId",
    "ChannelKind",
    "ChannelNotFound",
    "Delivered",
    "DeliveryFailed",
    "DeliveryId",
    "DeliveryRefused",
    "DeliverySettings",
    "NewNotice",
    "Notice",
    "NoticeId",
    "NoticeKind",
    "NoticeNotFound",
    "Prepared",
    "Reason",
    "ReasonCode",
    "Sender",
    "ServiceName",
    "Shown",
    "Status",
    "SubscriptionId",
    "SubscriptionNotFound",
    "Tested",
    "TooManyChannels",
    "add_channel",
    "change_channel",
    "count_unread",
    "deliver_digest",
    "deliver_now",
    "is_under_way",
    "leave_digests",
    "leave_the_rest",
    "list_channels",
    "list_notices",
    "notify",
    "offered",
    "prepare",
    "prepare_digest",
    "public_key",
    "put_many_into_inbox",
    "quiet_end",
    "quiet_now",
    "quiet_until",
    "read_all_notices",
    "read_notice",
    "read_reason",
    "remove_channel",
    "retire_keys",
    "subscribe",
    "test_channel",
    "unsubscribe",
    "usage_reached",
    "withdraw",
    "without_channels",
]
