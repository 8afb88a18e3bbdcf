"""What each kind of channel needs to know, and whether it may be used. Pure.

    ntfy      {server, topic, token?}      webhook   {url}, and a secret that is made here
    apprise   {url}                        email, webpush   nothing: the person's address and browsers

Addresses must be https, and not written as a private address; hosts that the operator lists are
exempt from both. Where a name leads is checked when it is connected to.
"""

from __future__ import annotations

import base64
import importlib.util
import re
import secrets
from collections.abc import Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import msgspec

from mindhit.delivery import limits
from mindhit.delivery.model import BadChannel, ChannelKind
from mindhit.delivery.settings import DeliverySettings
from mindhit.mail import MailSettings
from mindhit.settings import Settings
from mindhit.urls.fetching import is_private_host

_TOPIC: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")  # as ntfy has it
_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,200}")
_SCHEME: Final = re.compile(r"([a-z0-9]{1,20})://\S+", re.IGNORECASE)
_SECRET_BYTES: Final = 32
NTFY: Final = "https://ntfy.sh"


class Nothing(msgspec.Struct, frozen=True, tag="none", forbid_unknown_fields=True):
    """Of channels that need no more than their person."""


class Ntfy(msgspec.Struct, frozen=True, tag="ntfy", forbid_unknown_fields=True):
    topic: str
    server: str = NTFY
    token: str | None = None


class Webhook(msgspec.Struct, frozen=True, tag="webhook", forbid_unknown_fields=True):
    """`secret` signs what is sent (Standard Webhooks): `whsec_` and base64."""

    url: str
    secret: str = ""


class AppriseUrl(msgspec.Struct, frozen=True, tag="apprise", forbid_unknown_fields=True):
    url: str


Config: TypeAlias = Nothing | Ntfy | Webhook | AppriseUrl
_TYPES: Final[Mapping[ChannelKind, type[Config]]] = {
    ChannelKind.WEBPUSH: Nothing,
    ChannelKind.EMAIL: Nothing,
    ChannelKind.NTFY: Ntfy,
    ChannelKind.WEBHOOK: Webhook,
    ChannelKind.APPRISE: AppriseUrl,
}


def offered(settings: Settings) -> list[ChannelKind]:
    """The kinds that this server can send over. Browsers are added by themselves."""
    is_there = {
        ChannelKind.EMAIL: settings[MailSettings].smtp_host is not None,
        ChannelKind.APPRISE: importlib.util.find_spec("apprise") is not None,
    }
    return [kind for kind in ChannelKind if is_there.get(kind, True)]


def check(kind: ChannelKind, config: Mapping[str, Any], settings: Settings) -> Config:
    """The configuration as it is kept. Raises `BadChannel`, which says which part is wrong."""
    if kind not in offered(settings):
        raise BadChannel("This server can't send over this kind of channel.", setting="kind")
    try:
        read = msgspec.convert({**config, "type": _tag(kind)}, _TYPES[kind])
    except msgspec.ValidationError as error:
        raise BadChannel(f"These settings are not valid for a {kind} channel: {error}.") from None
    allowed = private_hosts(settings)
    match read:
        case Ntfy():
            return _checked_ntfy(read, allowed)
        case Webhook():
            if read.secret:
                raise BadChannel("MindHit generates the secret. Leave it out.", setting="secret")
            made = base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()
            url = _checked_url(read.url, "url", allowed)
            return Webhook(url=url, secret=f"whsec_{made}")
        case AppriseUrl():
            return _checked_apprise(read)
    return read


def decode(kind: ChannelKind, text: str) -> Config:
    return msgspec.json.decode(text, type=_TYPES[kind])


def secret_of(config: Config) -> str | None:
    return config.secret if isinstance(config, Webhook) else None


def keep_secret(config: Config, known: Config | None) -> Config:
    """The new configuration of a webhook with the secret that its receiver knows."""
    if isinstance(config, Webhook) and isinstance(known, Webhook):
        return msgspec.structs.replace(config, secret=known.secret)
    return config


def target_of(config: Config) -> str | None:
    """Where a channel leads, as far as that is no secret: topics, paths and tokens are."""
    match config:
        case Ntfy():
            return urlsplit(config.server).netloc
        case Webhook():
            return urlsplit(config.url).netloc
        case AppriseUrl():
            return f"{config.url.partition('://')[0].lower()}://…"
    return None


def private_hosts(settings: Settings) -> frozenset[str]:
    return frozenset(host.lower() for host in settings[DeliverySettings].delivery_hosts)


def is_allowed_host(url: str, allowed: frozenset[str]) -> bool:
    return (urlsplit(url).hostname or "") in allowed


def check_push_endpoint(endpoint: str, settings: Settings) -> str:
    """The address at a push service that a browser names."""
    return _checked_url(endpoint, "endpoint", private_hosts(settings))


def check_push_keys(p256dh: str, auth: str) -> None:
    """A point of the curve P-256, uncompressed, and 16 random bytes; both in base64url."""
    for name, value, length in (("p256dh", p256dh, 65), ("auth", auth, 16)):
        try:
            found = base64.b64decode(value + "=" * (-len(value) % 4), altchars=b"-_", validate=True)
        except ValueError:
            found = b""
        if len(found) != length:
            raise BadChannel("This is not the key of a push subscription.", setting=name)


def _tag(kind: ChannelKind) -> str:
    return str(_TYPES[kind].__struct_config__.tag)


def _checked_ntfy(config: Ntfy, allowed: frozenset[str]) -> Ntfy:
    if not _TOPIC.fullmatch(config.topic):
        raise BadChannel("Use 1 to 64 letters, digits, hyphens or underscores.", setting="topic")
    if config.token is not None and not _TOKEN.fullmatch(config.token):
        raise BadChannel("This is not an access token.", setting="token")
    server = _checked_url(config.server, "server", allowed).rstrip("/")
    if urlsplit(server).query:
        raise BadChannel("Enter the server's address alone.", setting="server")
    return Ntfy(topic=config.topic, server=server, token=config.token or None)


def _checked_url(url: str, setting: str, allowed: frozenset[str]) -> str:
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise BadChannel("This is not a web address.", setting=setting) from None
    if not host or parts.scheme not in {"http", "https"} or len(url) > limits.URL:
        raise BadChannel("This is not a web address.", setting=setting)
    if not url.isascii() or not url.isprintable() or parts.username is not None or parts.fragment:
        raise BadChannel("This address has parts that can't be used.", setting=setting)
    if host in allowed:
        return url.strip()
    if parts.scheme != "https":
        raise BadChannel("The address must start with https://.", setting=setting)
    if is_private_host(host):
        raise BadChannel("This address is in a private network.", setting=setting)
    return url.strip()


def _checked_apprise(config: AppriseUrl) -> AppriseUrl:
    found = _SCHEME.fullmatch(config.url.strip())
    if found is None or len(config.url) > limits.URL:
        raise BadChannel("Enter an Apprise address, such as tgram://…", setting="url")
    if found[1].lower() in {"http", "https", "file"}:
        raise BadChannel("Use a webhook channel for a web address.", setting="url")
    return AppriseUrl(url=config.url.strip())
