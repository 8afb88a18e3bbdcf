"""Mails without a mail server: kept, listed, passed on, forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from mindhit import mail
from mindhit.db import Database, Nothing, Write
from mindhit.mail import (
    KeptMailId,
    KeptMailNotFound,
    MailRefused,
    MailSettings,
    Message,
    SmtpClient,
)
from tests.mail.smtp_servers import client, mail_server

LINK = "https://mind.example/reset?token=abc"
MESSAGE = Message("Anna <Anna@example.com>", "비밀번호", f"여기를 여세요:\n{LINK}\n", "<p>hi</p>")
AGE = Write(Nothing, "update kept_mails set created_at = now() - $1::interval", across_users="test")


@pytest.fixture
def logged() -> Iterator[list[EventDict]]:
    with capture_logs() as lines:
        yield lines


async def keep(db: Database, to: str = "anna@example.com", user_id: UUID | None = None) -> None:
    async with db.transaction() as tx:
        await mail.keep(tx, Message(to, "s", "t"), user_id)


async def recipients(db: Database) -> list[str]:
    async with db.read() as tx:
        return [kept.recipient for kept in await mail.list_kept(tx)]


async def test_without_a_server_a_mail_is_kept_and_logged(
    db: Database, logged: list[EventDict]
) -> None:
    user_id = uuid4()
    assert not await mail.deliver(db, SmtpClient(MailSettings(smtp_host=None)), MESSAGE, user_id)
    async with db.read() as tx:
        [kept] = await mail.list_kept(tx)
    assert (kept.user_id, kept.recipient) == (user_id, "Anna@example.com")
    assert (kept.subject, kept.text) == (MESSAGE.subject, MESSAGE.text)
    assert kept.created_at.utcoffset() == timedelta(0)
    [line] = logged
    assert line["log_level"] == "warning"
    assert line["recipient"] == "Anna@example.com"
    assert LINK in line["text"]


async def test_with_a_server_nothing_is_kept(db: Database, logged: list[EventDict]) -> None:
    with mail_server() as server:
        assert await mail.deliver(db, client(server.port), MESSAGE, None)
    assert server.opened()["Subject"] == MESSAGE.subject
    assert await recipients(db) == []
    assert logged == []


async def test_what_could_not_be_sent_is_not_kept(db: Database) -> None:
    with pytest.raises(MailRefused):
        await keep(db, "a@x.de, b@y.de")
    assert await recipients(db) == []


async def test_a_repeat_of_a_mail_is_the_same_mail(db: Database, logged: list[EventDict]) -> None:
    for message_id in ("<reset.7@mind.example>", "reset.7@mind.example"):
        async with db.transaction() as tx:
            await mail.keep(tx, Message("a@b.de", "s", "t", message_id=message_id), None)
    assert await recipients(db) == ["a@b.de"]
    assert len(logged) == 1


async def test_the_list_is_newest_first_and_bounded(db: Database) -> None:
    for number in range(3):
        await keep(db, f"{number}@example.com")
    async with db.read() as tx:
        kept = await mail.list_kept(tx, limit=2)
    assert [each.recipient for each in kept] == ["2@example.com", "1@example.com"]


async def test_a_mail_that_was_passed_on_is_discarded(db: Database) -> None:
    await keep(db, "one@example.com")
    await keep(db, "two@example.com")
    async with db.transaction() as tx:
        await mail.discard_kept(tx, (await mail.list_kept(tx))[0].id)
    assert await recipients(db) == ["one@example.com"]
    async with db.transaction() as tx:
        with pytest.raises(KeptMailNotFound):
            await mail.discard_kept(tx, KeptMailId(10**6))


async def test_a_person_is_forgotten_by_id_and_by_address(db: Database) -> None:
    anna = uuid4()
    await keep(db, "old-address@example.com", anna)
    await keep(db, "Minsu@메일.한국")
    await keep(db, "other@example.com", uuid4())
    async with db.transaction() as tx:
        assert await mail.erase(tx, anna, "minsu@메일.한국") == 2
    assert await recipients(db) == ["other@example.com"]


async def test_forgetting_does_not_fail_over_an_address_that_is_none(db: Database) -> None:
    anna = uuid4()
    await keep(db, user_id=anna)
    async with db.transaction() as tx:
        assert await mail.erase(tx, anna, "not\0an address") == 1


async def test_a_person_gets_what_is_theirs(db: Database) -> None:
    anna = uuid4()
    await keep(db, "first@example.com", anna)
    await keep(db, "second@example.com", anna)
    await keep(db, "other@example.com", uuid4())
    await keep(db, "nobody@example.com")
    async with db.read() as tx:
        exported = await tx.all(mail.SLICE.exports["kept_mails"], anna)
    assert [row.recipient for row in exported] == ["first@example.com", "second@example.com"]


async def test_old_mails_go_and_young_ones_stay(db: Database) -> None:
    await keep(db, "old@example.com")
    async with db.transaction() as tx:
        await tx.run(AGE, timedelta(days=31))
    await keep(db, "young@example.com")
    async with db.transaction() as tx:
        assert await mail.prune(tx, older_than=timedelta(days=30)) == 1
    assert await recipients(db) == ["young@example.com"]
