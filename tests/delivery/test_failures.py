"""Every way in which a channel can fail, at real servers: tried again, given up, or removed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from aiohttp import web

from mindhit import delivery
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.delivery import ChannelKind, DeliveryFailed, DeliveryRefused, ServiceName
from mindhit.delivery.limits import ANSWER_BYTES
from mindhit.delivery.senders.http import Poster
from mindhit.work.testing import pass_time
from tests.accounts.kit import client_of, rows
from tests.delivery.kit import HOST, Service, config, service
from tests.delivery.telling import NOTICE, channel, only_delivery, subscribe, tell, work_off
from tests.mail.conftest import Certificate, certificate
from tests.mail.smtp_servers import mail_server, scripted
from tests.servers import free_port

__all__ = ["certificate"]  # a fixture


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_a_push_service_that_is_busy_is_asked_again(
    db: Database, ada: Person, at: Service, status: int
) -> None:
    await subscribe(db, ada, f"{at.url}/push/1")
    at.status = status
    await tell(db, ada)
    await work_off(db)
    assert (await only_delivery(db))["status"] == "FAILED"
    at.status = 201
    await pass_time(db, 120)
    await work_off(db)
    assert (await only_delivery(db))["status"] == "SENT"
    assert at.got[0].headers["Topic"] == at.got[1].headers["Topic"]
    assert len(await rows(db, "select from push_subscriptions")) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 413])
async def test_a_push_that_is_refused_is_not_repeated_and_its_browser_stays(
    db: Database, ada: Person, at: Service, status: int
) -> None:
    await subscribe(db, ada, f"{at.url}/push/1")
    at.status = status
    await tell(db, ada)
    await work_off(db)
    found = await only_delivery(db)
    assert (found["status"], found["last_error"]) == (
        "DEAD",
        f"The push service answered {status}.",
    )
    assert len(await rows(db, "select from push_subscriptions")) == 1


async def test_a_push_waits_for_the_browser_that_may_get_it_later(
    db: Database, ada: Person, at: Service
) -> None:
    has_refused = asyncio.Event()

    async def refuse(_: web.Request) -> web.Response:
        has_refused.set()
        return web.Response(status=403)

    async def be_busy(_: web.Request) -> web.Response:
        await has_refused.wait()
        return web.Response(status=503)

    async with service() as refusing:
        refusing.hook, at.hook = refuse, be_busy
        await subscribe(db, ada, f"{refusing.url}/push/1")
        await subscribe(db, ada, f"{at.url}/push/2")
        await tell(db, ada)
        await work_off(db)
    assert (await only_delivery(db))["status"] == "FAILED"


@pytest.mark.parametrize("kind", [ChannelKind.NTFY, ChannelKind.WEBHOOK])
async def test_a_service_that_is_not_there_is_tried_again(
    db: Database, ada: Person, kind: ChannelKind
) -> None:
    url = f"http://{HOST}:{free_port()}"
    of = {"server": url, "topic": "t"} if kind is ChannelKind.NTFY else {"url": url}
    await channel(db, ada, kind, config(), **of)
    await tell(db, ada)
    await work_off(db)
    found = await only_delivery(db)
    assert found["status"] == "FAILED"
    assert found["last_error"].endswith("can't be reached.")
    assert url not in found["last_error"]


async def test_a_service_that_never_answers_is_given_up_in_time(at: Service) -> None:
    is_over = asyncio.Event()

    async def hang(_: web.Request) -> web.Response:
        await is_over.wait()
        return web.Response()

    at.hook = hang
    impatient = Poster(frozenset({HOST}), timeout_s=0.3)
    with pytest.raises(DeliveryFailed, match="ntfy did not answer in time"):
        await impatient.post(ServiceName.NTFY, at.url, body=b"{}", headers={})
    is_over.set()
    assert len(at.got) == 1


async def test_a_service_that_hangs_up_may_work_later(at: Service) -> None:
    async def hang_up(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    at.hook = hang_up
    with pytest.raises(DeliveryFailed, match="can't be reached"):
        await Poster(frozenset({HOST})).post(ServiceName.NTFY, at.url, body=b"{}", headers={})


async def test_a_certificate_that_nobody_trusts_may_be_replaced(certificate: Certificate) -> None:
    async with service(certificate.for_server()) as at:
        with pytest.raises(DeliveryFailed, match="certificate is not valid"):
            await Poster(frozenset({"localhost"})).post(
                ServiceName.NTFY, at.url.replace(HOST, "localhost"), body=b"{}", headers={}
            )
    assert at.got == []


async def test_of_a_long_answer_only_the_beginning_is_read(at: Service) -> None:
    at.answer = "x" * (4 * ANSWER_BYTES)
    answer = await Poster(frozenset({HOST})).post(ServiceName.NTFY, at.url, body=b"{}", headers={})
    assert len(answer.body) <= ANSWER_BYTES


@pytest.mark.parametrize("status", [200, 204])
async def test_every_success_is_one(at: Service, status: int) -> None:
    at.status = status
    answer = await Poster(frozenset({HOST})).post(ServiceName.NTFY, at.url, body=b"{}", headers={})
    assert answer.status == status


async def test_a_redirect_is_not_followed(at: Service) -> None:
    at.status, at.headers = 307, {"Location": f"{at.url}/elsewhere"}
    with pytest.raises(DeliveryRefused, match="answered 307"):
        await Poster(frozenset({HOST})).post(ServiceName.NTFY, at.url, body=b"{}", headers={})
    assert len(at.got) == 1


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"to_data": "451 later"}, "FAILED"),
        ({"to_rcpt": "450 busy"}, "FAILED"),
        ({"to_rcpt": "550 nobody here"}, "DEAD"),
        ({"to_data": "554 spam"}, "DEAD"),
    ],
)
async def test_a_mail_server_that_says_no_is_asked_again_or_not(
    db: Database, ada: Person, said: dict[str, str], status: str
) -> None:
    with mail_server() as server:
        settings = config(smtp_host="localhost", smtp_port=server.port, smtp_tls="none")
        await channel(db, ada, ChannelKind.EMAIL, settings)
        for name, value in said.items():
            setattr(server, name, value)
        await tell(db, ada)
        await work_off(db, settings)
        assert (await only_delivery(db))["status"] == status
        for name in said:
            setattr(server, name, "")
        await pass_time(db, 120)
        await work_off(db, settings)
        assert len(server.taken) == (1 if status == "FAILED" else 0)
    assert await rows(db, "select * from kept_mails") == []


async def test_a_mail_server_that_hangs_is_tried_again_and_nothing_is_kept(
    db: Database, ada: Person, capfd: pytest.CaptureFixture[str]
) -> None:
    async with scripted({"EHLO": "hangs"}) as port:
        settings = config(smtp_host="localhost", smtp_port=port, smtp_tls="none", smtp_timeout=1.0)
        await channel(db, ada, ChannelKind.EMAIL, settings)
        await tell(db, ada)
        await work_off(db, settings)
    assert (await only_delivery(db))["status"] == "FAILED"
    assert await rows(db, "select * from kept_mails") == []
    said = capfd.readouterr()
    jobs = await rows(db, "select args::text, last_error from jobs")
    assert NOTICE.title not in str(jobs) + said.out + said.err


@pytest.mark.parametrize(("status", "expected"), [(500, "FAILED"), (404, "FAILED")])
async def test_apprise_does_not_say_why_so_it_is_tried_again(
    db: Database, ada: Person, at: Service, status: int, expected: str
) -> None:
    at.status = status
    await channel(db, ada, ChannelKind.APPRISE, config(), url=at.url.replace("http://", "json://"))
    await tell(db, ada)
    await work_off(db, config(apprise_schemes=("json",)))
    assert (await only_delivery(db))["status"] == expected


async def test_one_click_switches_the_mails_off_and_nothing_else(db: Database, ada: Person) -> None:
    with mail_server() as server:
        settings = config(smtp_host="localhost", smtp_port=server.port, smtp_tls="none")
        await channel(db, ada, ChannelKind.EMAIL, settings)
        await tell(db, ada)
        await work_off(db, settings)
        mail = server.opened()
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        link = str(mail["List-Unsubscribe"]).strip("<>")
        # As it is, in one line: mail programs decode nothing here.
        raw = server.taken[0].content
        assert isinstance(raw, bytes)
        assert f"\r\nList-Unsubscribe: <{link}>\r\n".encode() in raw
        text = mail.get_body(("plain",))
        assert text is not None
        assert link in text.get_content()
        path = link.removeprefix("http://mindhit.test")
        async with client_of(db, settings) as anybody:
            asked = await anybody.get(path)
            assert (asked.status_code, "Stop these emails" in asked.text) == (200, True)
            assert await is_on(db)  # opening the link has changed nothing
            one_click = {"List-Unsubscribe": "One-Click"}
            for _ in range(2):
                assert (await anybody.post(path, data=one_click)).status_code == 200
            assert not await is_on(db)
            assert (await anybody.post(f"{path[:-3]}abc")).status_code == 404
            assert (await anybody.post("/v1/channels/unsubscribe/x.y")).status_code == 404
        again: Any = delivery.NewNotice(kind=NOTICE.kind, key="price:2", title="Again")
        assert await tell(db, ada, again) is not None
        await work_off(db, settings)
        assert len(server.taken) == 1
    assert len(await rows(db, "select from notices")) == 2


async def is_on(db: Database) -> bool:
    [found] = await rows(db, "select enabled from channels")
    return bool(found["enabled"])
