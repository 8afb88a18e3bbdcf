"""A notice reaches each service as that service wants it."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import hmac
import time
from datetime import UTC, datetime

import aiohttp
import pytest
from aiohttp.base_protocol import BaseProtocol
from joserfc import jwt
from joserfc.jwk import ECKey

from mindhit import delivery
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.delivery import ChannelKind, NewNotice, NoticeKind
from mindhit.delivery.configs import AppriseUrl
from mindhit.delivery.senders import apprise, http
from tests.accounts.kit import browser_of, rows
from tests.delivery.kit import BROWSER, Service, config, decoded, service
from tests.delivery.telling import (
    NOTICE,
    OUTGOING,
    channel,
    only_delivery,
    subscribe,
    tell,
    work_off,
)
from tests.mail.smtp_servers import mail_server


async def test_ntfy_gets_a_message_it_can_recognise_again(
    db: Database, ada: Person, at: Service
) -> None:
    at.answer = '{"id": "hwQ2YpKdmg", "event": "message"}'
    await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada", token="tk_1")
    await tell(db, ada)
    await work_off(db)
    sent = await only_delivery(db)
    [got] = at.got
    assert got.headers["Authorization"] == "Bearer tk_1"
    assert got.json == {
        "topic": "ada",
        "title": NOTICE.title,
        "message": NOTICE.body,
        "click": NOTICE.url,
        "tags": ["moneybag"],
        "sequence_id": str(sent["id"]),
    }
    assert (sent["status"], sent["provider_id"]) == ("SENT", "hwQ2YpKdmg")
    [known] = await rows(db, "select last_ok_at, last_error from channels")
    assert known["last_ok_at"] is not None
    assert known["last_error"] is None


async def test_a_webhook_is_signed_with_the_secret_that_was_shown_once(
    db: Database, ada: Person, at: Service
) -> None:
    _, secret = await channel(db, ada, ChannelKind.WEBHOOK, config(), url=f"{at.url}/hook?x=1")
    assert secret is not None
    await tell(db, ada)
    await work_off(db)
    [got] = at.got
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert got.headers["webhook-signature"] == f"v1,{mac}"
    assert got.headers["webhook-id"] == str((await only_delivery(db))["id"])
    assert abs(int(got.headers["webhook-timestamp"]) - datetime.now(UTC).timestamp()) < 60
    assert got.json["type"] == "notice.price"
    assert got.json["data"]["title"] == NOTICE.title


async def test_a_browser_can_decrypt_a_push_and_its_service_knows_who_sent_it(
    db: Database, ada: Person, at: Service
) -> None:
    at.status = 201
    await subscribe(db, ada, f"{at.url}/push/1")
    notice_id = await tell(db, ada)
    await work_off(db)
    [got] = at.got
    assert BROWSER.decrypt(got.body) == {
        "key": NOTICE.key,
        "kind": "price",
        "title": NOTICE.title,
        "body": NOTICE.body,
        "url": NOTICE.url,
        "notice_id": str(notice_id),
    }
    assert (got.headers["Content-Encoding"], got.headers["TTL"]) == ("aes128gcm", "86400")
    assert len(got.headers["Topic"]) <= 32
    scheme, _, rest = got.headers["Authorization"].partition(" ")
    parts = dict(each.strip().split("=", 1) for each in rest.split(","))
    point = decoded(parts["k"])
    key = ECKey.import_key(
        {
            "kty": "EC",
            "crv": "P-256",
            "x": base64.urlsafe_b64encode(point[1:33]).rstrip(b"=").decode(),
            "y": base64.urlsafe_b64encode(point[33:]).rstrip(b"=").decode(),
        }
    )
    claims = jwt.decode(parts["t"], key, algorithms=["ES256"]).claims
    assert scheme == "vapid"
    assert claims["aud"] == at.url
    assert 0 < claims["exp"] - time.time() <= 86_400  # push services take no longer ones
    assert claims["sub"] == "mailto:mindhit@localhost"
    async with browser_of(db, ada, config()) as browser:
        assert (await browser.get("/v1/push/key")).json()["key"] == parts["k"]
    assert (await only_delivery(db))["status"] == "SENT"


async def test_a_push_is_cut_to_what_services_take(db: Database, ada: Person, at: Service) -> None:
    await subscribe(db, ada, f"{at.url}/push/1")
    long = NewNotice(kind=NoticeKind.PRICE, key="long", title="가" * 2000, body='"\n' * 1000)
    await tell(db, ada, long)
    await work_off(db)
    [got] = at.got
    assert len(got.body) < 4096
    assert BROWSER.decrypt(got.body)["title"].startswith("가가")


async def test_a_browser_that_is_gone_is_removed_and_the_others_get_it(
    db: Database, ada: Person, at: Service
) -> None:
    async with service() as gone:
        gone.status = 410
        await subscribe(db, ada, f"{gone.url}/push/old")
        await subscribe(db, ada, f"{at.url}/push/new")
        await tell(db, ada)
        await work_off(db)
    assert (await only_delivery(db))["status"] == "SENT"
    assert [row["endpoint"] for row in await rows(db, "select * from push_subscriptions")] == [
        f"{at.url}/push/new"
    ]
    assert len(await rows(db, "select * from channels")) == 1


async def test_without_a_browser_it_says_so(db: Database, ada: Person, at: Service) -> None:
    at.status = 404
    await subscribe(db, ada, f"{at.url}/push/1")
    await tell(db, ada)
    await work_off(db)
    found = await only_delivery(db)
    assert (found["status"], found["attempts"]) == ("DEAD", 1)
    assert "No browser" in found["last_error"]


@pytest.mark.parametrize("what", ["revoked_at = now()", "expires_at = now() - interval '1 hour'"])
async def test_a_browser_that_is_signed_out_gets_nothing(
    db: Database, ada: Person, at: Service, what: str
) -> None:
    await subscribe(db, ada, f"{at.url}/push/1")
    async with db.transaction() as tx:
        await tx._connection.execute(f"update devices set {what}")
    await tell(db, ada)
    await work_off(db)
    assert at.got == []


async def test_mail_comes_to_ones_own_address_and_is_kept_nowhere(
    db: Database, ada: Person
) -> None:
    with mail_server() as server:
        settings = config(smtp_host="localhost", smtp_port=server.port, smtp_tls="none")
        await channel(db, ada, ChannelKind.EMAIL, settings)
        await tell(db, ada)
        await work_off(db, settings)
        sent = server.opened()
    found = await only_delivery(db)
    assert sent["To"] == ada.email
    assert sent["Subject"] == NOTICE.title
    assert sent["Message-ID"] == f"<{found['provider_id']}>"
    assert NOTICE.url is not None
    text = sent.get_body(("plain",))
    assert text is not None
    assert NOTICE.url in text.get_content()
    assert await rows(db, "select * from kept_mails") == []


async def test_apprise_may_not_connect_to_a_host_of_somebodys_choice(
    db: Database, ada: Person, at: Service
) -> None:
    """Unless the operator allows it, and then it does."""
    url = at.url.replace("http://", "json://")
    await channel(db, ada, ChannelKind.APPRISE, config(), url=url)
    await tell(db, ada)
    await work_off(db)
    assert at.got == []
    assert (await only_delivery(db))["status"] == "DEAD"
    await tell(db, ada, NewNotice(kind=NoticeKind.PRICE, key="2", title="Second", body="b"))
    await work_off(db, config(apprise_schemes=("json",)))
    [got] = at.got
    assert got.json["title"] == "Second"


async def test_a_long_message_is_cut_to_what_ntfy_shows(
    db: Database, ada: Person, at: Service
) -> None:
    await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
    await tell(db, ada, dataclasses.replace(NOTICE, body="가" * 2000))
    await work_off(db)
    [got] = at.got
    assert len(got.json["message"].encode()) <= 4000
    assert got.json["message"].startswith("가" * 1300)
    assert got.json["message"].endswith("가…")


@pytest.mark.parametrize(
    "url",
    [
        "zulip://bot@chat.lan/token/stream",
        "nostr://key?relay=ws://10.0.0.1",
        "bsky://ada.example:app-pass",
        "fcm://project/device?keyfile=http://10.0.0.1/",
        "vapid://ada@example.org?keyfile=/etc/passwd",
        "SYSLOG://",
    ],
)
async def test_apprise_reaches_neither_chosen_hosts_nor_this_machine_by_other_ways(
    url: str,
) -> None:
    """Their addresses have no host, as Apprise sees it."""
    with pytest.raises(delivery.DeliveryRefused, match="does not allow"):
        await apprise.send(AppriseUrl(url), OUTGOING, frozenset())


async def test_an_answer_is_read_whole_in_however_many_pieces_it_comes() -> None:
    protocol = BaseProtocol(asyncio.get_running_loop())
    protocol.connection_made(asyncio.Transport())
    stream = aiohttp.StreamReader(protocol, 2**16)
    reading = asyncio.create_task(http._beginning(stream))
    for piece in (b'{"id": ', b'"1"}'):
        stream.feed_data(piece)
        await asyncio.sleep(0)  # it is read
    stream.feed_eof()
    assert await reading == b'{"id": "1"}'
