"""Account mails on their way: through a real mail server, past a bad one, and not past a forger."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest

from mindhit import accounts
from mindhit.accounts import Language
from mindhit.accounts.mails import texts
from mindhit.accounts.mails.texts import Mail
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.work.testing import pass_time
from tests.accounts.kit import (
    LINK,
    PASSWORD,
    URL,
    add,
    browser_of,
    client_of,
    rows,
    run_jobs,
    settings,
)
from tests.mail.smtp_servers import MailServer, mail_server


def settings_for(server: MailServer, **more: Any) -> Settings:
    return settings(
        smtp_host="localhost", smtp_port=server.port, smtp_tls="none", smtp_timeout=5.0, **more
    )


def plain_text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


async def test_a_reset_link_arrives_by_mail_and_works(db: Database) -> None:
    ada = await add(db)
    with mail_server() as server:
        config = settings_for(server)
        async with browser_of(db, ada, config) as browser:
            await browser.patch("/v1/me/settings", json={"language": "ko"})
            await browser.post("/v1/auth/reset", json={"email": "ada@example.org"})
            await run_jobs(db, config)
            mail = server.opened()
            assert mail["To"] == "ada@example.org"
            assert mail["Subject"] == "MindHit: 비밀번호 재설정 안내"
            found = LINK.search(plain_text(mail))
            assert found is not None
            chosen = {"token": found[2], "password": "another horse entirely"}
            assert (await browser.post("/v1/auth/reset/confirm", json=chosen)).status_code == 204


async def test_a_mail_is_retried_while_the_mail_server_is_unreachable(db: Database) -> None:
    await add(db)
    with mail_server() as server:
        config = settings_for(server)
        async with client_of(db, config) as client:
            await client.post("/v1/auth/reset", json={"email": "ada@example.org"})
        server.to_data = "451 Later"
        await run_jobs(db, config)
        [job] = await rows(db, "select status, last_error from jobs")
        assert job["status"] == "queued"
        assert "451 Later" in job["last_error"]
        server.to_data = ""
        await pass_time(db, 60)
        await run_jobs(db, config)
        assert len(server.taken) == 1
        [job] = await rows(db, "select status from jobs")
        assert job["status"] == "succeeded"


async def test_an_address_that_the_server_does_not_know_is_given_up(db: Database) -> None:
    await add(db)
    with mail_server() as server:
        server.to_rcpt = "550 No such user"
        config = settings_for(server)
        async with client_of(db, config) as client:
            await client.post("/v1/auth/reset", json={"email": "ada@example.org"})
        await run_jobs(db, config)
        [job] = await rows(db, "select status, last_error from jobs")
        assert job["status"] == "dead"
        assert "550 No such user" in job["last_error"]


@pytest.mark.parametrize(
    "forged",
    [
        "ada@example.org\r\nBcc: eve@example.org",
        "ada@example.org\nSubject: hello",
        "ada@example.org, eve@example.org",
        "ada@example.org%0d%0aBcc:eve@example.org",
        "Ada <ada@example.org>",
        "ada@example.org\x00",
        "ada@example.org\u2028Bcc: eve@example.org",
    ],
)
async def test_no_address_smuggles_a_header_into_a_mail(db: Database, forged: str) -> None:
    ada = await add(db)
    with mail_server() as server:
        config = settings_for(server, sign_up="open")
        async with browser_of(db, ada, config) as browser:
            for path, more in (
                ("/v1/auth/reset", {}),
                ("/v1/auth/sign-up", {"password": PASSWORD}),
                ("/v1/me/email", {"password": PASSWORD}),
            ):
                answer = await browser.post(path, json={"email": forged, **more})
                assert answer.status_code == 422, path
        await run_jobs(db, config)
        assert server.taken == []


async def test_an_invitation_is_mailed_where_mail_can_be_sent(db: Database) -> None:
    with mail_server() as server:
        config = settings_for(server)
        async with client_of(db, config), db.transaction() as tx:
            made = await accounts.invite(tx, config, "new@example.org", accounts.Origin())
        assert made.mailed is True
        await run_jobs(db, config)
        assert f"{URL}/reset#" in plain_text(server.opened())


def test_every_mail_is_written_in_every_language() -> None:
    for which in Mail:
        for language in Language:
            message = texts.write(which, language, "a@example.org", f"{URL}/x#token", "id@x")
            assert f"{URL}/x#token" in message.text
            assert message.html is not None
            assert "'" not in message.subject + message.text  # typographic ones, as in other mails
            assert (language == "ko") == any("가" <= c <= "힣" for c in message.subject)
