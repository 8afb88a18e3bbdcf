"""A reminder as a mail: it can be built from any page, and nothing of it is left where others read."""

from __future__ import annotations

import dataclasses

import pytest

from mindhit import log
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.delivery import ChannelKind, NewNotice, NoticeKind
from mindhit.delivery.texts import digest_body, mail_of
from tests.accounts.kit import add_owner, rows
from tests.delivery.kit import config
from tests.delivery.telling import NOTICE, OUTGOING, channel, only_delivery, tell, work_off
from tests.mail.smtp_servers import mail_server, scripted

CANARY = NewNotice(
    kind=NoticeKind.REMINDER,
    key="canary",
    title="canary title",
    body="canary body",
    url="https://canary.example/canary",
)


def test_a_digest_has_a_line_for_each_of_ten_pages_and_cuts_long_titles() -> None:
    lines = digest_body(["A\nb", "x" * 121, *map(str, range(10))], "en").splitlines()
    assert lines[0] == "• A b"
    assert lines[1] == f"• {'x' * 119}…"
    assert (len(lines), lines[-1]) == (11, "and 2 more")


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("HTTPS://a.example/Path", "https://a.example/Path"),
        ("https://a.example/one two", "https://a.example/one%20two"),
        ("https://a.example/\u2028\u3000", "https://a.example/%E2%80%A8%E3%80%80"),
        ("https://a.example/등대?q=1#x", "https://a.example/등대?q=1#x"),
        ("javascript:alert(1)", "http://mindhit.test/inbox"),
        (None, "http://mindhit.test/inbox"),
    ],
)
async def test_a_mail_leads_to_the_page_whatever_its_address_looks_like(
    db: Database, ada: Person, url: str | None, link: str
) -> None:
    with mail_server() as server:
        settings = config(smtp_host="localhost", smtp_port=server.port, smtp_tls="none")
        await channel(db, ada, ChannelKind.EMAIL, settings)
        await tell(db, ada, NewNotice(kind=NoticeKind.REMINDER, key="1", title="T", url=url))
        await work_off(db, settings)
        text = server.opened().get_body(("plain",))
    assert text is not None
    assert link in text.get_content().split()
    assert "You asked to be reminded of this page." in text.get_content()


@pytest.mark.parametrize("answer", ["450 canary", "550 canary", "hangs", "nobody"])
async def test_a_mail_that_cannot_be_sent_leaves_nothing_of_what_it_said(
    db: Database, ada: Person, capfd: pytest.CaptureFixture[str], answer: str
) -> None:
    """Not with the owner, who reads kept mails and failed jobs, and not in a log."""
    log.configure("json", "debug")
    await add_owner(db)
    async with scripted({"RCPT": answer} if answer != "nobody" else {}) as port:
        host = None if answer == "nobody" else "localhost"
        settings = config(smtp_host=host, smtp_port=port, smtp_tls="none", smtp_timeout=1.0)
        await channel(db, ada, ChannelKind.EMAIL, config(smtp_host="localhost"))
        await tell(db, ada, CANARY)
        await work_off(db, settings)
    said = capfd.readouterr()
    kept = await rows(db, "select * from kept_mails")
    jobs = await rows(db, "select args::text, key, last_error from jobs")
    found = await only_delivery(db)
    assert found["status"] == ("FAILED" if answer in {"450 canary", "hangs"} else "DEAD")
    assert kept == []
    for text in ("canary title", "canary body", "canary.example"):
        assert text not in f"{jobs}{said.out}{said.err}{found['last_error']}"
    assert len(await rows(db, "select from notices where key = 'canary'")) == 1


@pytest.mark.parametrize(("language", "word"), [("en", "Open inbox"), ("ko", "알림함 열기")])
def test_a_mail_that_leads_to_no_page_says_that_it_opens_the_inbox(
    language: str, word: str
) -> None:
    to = {
        "to": "a@b.example",
        "public_url": "https://m.example",
        "unsubscribe": "https://u.example",
    }
    for url, says in ((None, True), ("https://m.example/inbox", True), (NOTICE.url, False)):
        mail = mail_of(dataclasses.replace(OUTGOING, url=url), language=language, **to)
        assert (word in mail.text) is says
