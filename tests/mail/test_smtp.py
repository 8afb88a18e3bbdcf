"""Sending, to real servers: what arrives, and what is said when nothing does."""

from __future__ import annotations

import base64
import logging
import socket
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.mail import MailFailed, MailRefused, MailSettings, Message, SmtpClient
from mindhit.mail.failures import without_secret
from tests import servers
from tests.mail.conftest import Certificate
from tests.mail.smtp_servers import HANGS, PASSWORD, client, mail_server, scripted

KOREAN = Message(
    to="김민수 <minsu@example.com>",
    subject="비밀번호를 다시 정해 주세요: 마인드히트에서 보내는 아주 긴 제목의 메일입니다, 정말로요",
    text="안녕하세요.\n\n.점으로 시작하는 줄\nhttps://mind.example/reset?token="
    + "가나다" * 60
    + "\n",
    html="<p>안녕하세요 <b>민수</b>님</p>",
    language="ko",
    message_id="<reset.7@mind.example>",
)
PLAIN = Message(to="anna@example.com", subject="Hello", text="Hello\n")


async def test_a_korean_mail_arrives_as_it_was_written() -> None:
    with mail_server() as server:
        await client(server.port, mail_from="마인드히트 <mind@example.org>").send(KOREAN)
    mail = server.opened()
    [envelope] = server.taken
    assert (envelope.mail_from, envelope.rcpt_tos) == ("mind@example.org", ["minsu@example.com"])
    assert mail["Subject"] == KOREAN.subject
    assert mail["From"].addresses[0].display_name == "마인드히트"
    assert mail["To"].addresses[0].display_name == "김민수"
    assert mail["Message-ID"] == "<reset.7@mind.example>"
    assert mail["Content-Language"] == "ko"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["X-Auto-Response-Suppress"] == "All"
    assert mail["Date"].datetime.utcoffset() is not None
    assert mail.get_content_type() == "multipart/alternative"
    text, page = mail.iter_parts()
    assert text.get_content().replace("\r\n", "\n") == KOREAN.text
    assert page.get_content_type() == "text/html"
    assert page.get_content().strip() == KOREAN.html


async def test_what_travels_is_seven_bits_wide() -> None:
    with mail_server() as server:
        await client(server.port).send(KOREAN)
    content = server.taken[0].content
    assert isinstance(content, bytes)
    assert content.isascii()
    assert max(map(len, content.split(b"\r\n"))) <= 998


async def test_a_mail_without_an_id_gets_one_that_names_no_machine() -> None:
    with mail_server() as server:
        for _ in range(2):
            await client(server.port, mail_from="mind@example.org").send(PLAIN)
    contents = [each.content for each in server.taken if isinstance(each.content, bytes)]
    ids = [content.partition(b"Message-ID: ")[2] for content in contents]
    assert ids[0] != ids[1]
    assert socket.gethostname().encode() not in ids[0].partition(b"\r\n")[0]
    assert b"@example.org>" in ids[0].partition(b"\r\n")[0]


async def test_an_address_beyond_ascii_needs_a_server_that_knows_how() -> None:
    message = Message(to="민수@메일.한국", subject="s", text="t")
    with mail_server() as server:
        await client(server.port).send(message)
    assert server.taken[0].rcpt_tos == ["민수@xn--h32bq4v.xn--3e0b707e"]
    with mail_server(utf8=False) as server, pytest.raises(MailRefused, match="beyond ASCII"):
        await client(server.port).send(message)


async def test_starttls_is_spoken_with_a_trusted_server(trusted: Certificate) -> None:
    with mail_server(starttls=trusted.for_server()) as server:
        await client(server.port, smtp_tls="starttls").send(PLAIN)
    assert server.opened()["Subject"] == "Hello"


async def test_tls_is_spoken_with_a_trusted_server(trusted: Certificate) -> None:
    with mail_server(tls=trusted.for_server()) as server:
        await client(server.port, smtp_tls="tls").send(PLAIN)
    assert server.opened()["Subject"] == "Hello"


@pytest.mark.parametrize("mode", ["starttls", "tls"])
async def test_nothing_is_given_to_a_server_that_is_not_trusted(
    certificate: Certificate, mode: str
) -> None:
    with (
        mail_server(**{mode: certificate.for_server()}) as server,  # type: ignore[arg-type]
        pytest.raises(MailFailed, match=r"not trusted.*self.signed") as failed,
    ):
        await client(server.port, smtp_tls=mode).send(PLAIN)
    assert server.taken == []
    assert "MINDHIT_SMTP_HOST" in str(failed.value.way_out)


@pytest.mark.parametrize("mode", ["starttls", "tls"])
async def test_nothing_is_given_to_a_server_under_anothers_name(
    trusted: Certificate, mode: str
) -> None:
    with (
        mail_server(**{mode: trusted.for_server()}) as server,  # type: ignore[arg-type]
        pytest.raises(MailFailed, match="not trusted"),
    ):
        await client(server.port, smtp_tls=mode, smtp_host="127.0.0.1").send(PLAIN)
    assert server.taken == []


async def test_starttls_is_not_given_up_where_the_server_does_not_offer_it() -> None:
    with (
        mail_server() as server,
        pytest.raises(MailFailed, match="does not offer STARTTLS") as failed,
    ):
        await client(server.port, smtp_tls="starttls").send(PLAIN)
    assert server.taken == []
    assert "MINDHIT_SMTP_TLS" in str(failed.value.way_out)


async def test_tls_to_a_port_that_speaks_none_is_reported() -> None:
    with mail_server() as server, pytest.raises(MailFailed, match="does not speak TLS"):
        await client(server.port, smtp_tls="tls").send(PLAIN)


async def test_the_right_password_signs_in() -> None:
    with mail_server(sign_in=True) as server:
        await client(server.port, smtp_user="anna", smtp_password=PASSWORD).send(PLAIN)
    assert server.opened()["Subject"] == "Hello"


async def test_a_wrong_password_fails_until_someone_fixes_it() -> None:
    with mail_server(sign_in=True) as server, pytest.raises(MailFailed, match="535") as failed:
        await client(server.port, smtp_user="anna", smtp_password="wrong-Horse").send(PLAIN)
    assert "MINDHIT_SMTP_PASSWORD" in str(failed.value.way_out)
    assert failed.value.facts["server"] == f"localhost:{server.port}"


async def test_a_server_that_wants_a_password_is_named() -> None:
    with (
        mail_server(sign_in=True) as server,
        pytest.raises(MailFailed, match="requires a user name") as failed,
    ):
        await client(server.port).send(PLAIN)
    assert "MINDHIT_SMTP_PASSWORD" in str(failed.value.way_out)


async def test_a_server_without_a_sign_in_method_is_reported() -> None:
    async with scripted({"EHLO": "250 here"}) as port:
        with pytest.raises(MailFailed, match="no way to sign in"):
            await client(port, smtp_user="anna", smtp_password=PASSWORD).send(PLAIN)


@pytest.mark.parametrize(
    "answer",
    [
        "535 no: {line}",
        "500 what is '{line}'?",
        f"535 the password {PASSWORD} is wrong",
        f"535 cut: {base64.b64encode(PASSWORD.encode()).decode()[:15]}",
    ],
)
async def test_no_word_of_a_failure_is_the_password(
    answer: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with scripted({"AUTH": answer}) as port:
        sender = client(port, smtp_user="anna", smtp_password=PASSWORD)
        with pytest.raises(MailFailed, match="name and password") as failed:
            await sender.send(PLAIN)
    told = [
        *(str(failed.value), repr(failed.value), str(failed.value.facts), repr(sender.__dict__)),
        "".join(traceback.format_exception(failed.value)),
        caplog.text,
    ]
    encoded = base64.b64encode(f"\0anna\0{PASSWORD}".encode()).decode()
    for secret in (PASSWORD, encoded, base64.b64encode(PASSWORD.encode()).decode()[:15]):
        assert not [words for words in told if secret in words]
    assert "[hidden]" in str(failed.value)


_TEXT = st.characters(codec="utf-8")


@given(st.text(_TEXT, min_size=4, max_size=20), st.text(_TEXT, max_size=20), st.text(max_size=40))
def test_the_password_never_survives_in_a_servers_words(
    password: str, before: str, after: str
) -> None:
    encoded = base64.b64encode(password.encode()).decode()
    hidden = without_secret(f"{before}{password} {encoded} {encoded[:-2]} {after}", "me", password)
    assert hidden.count("[hidden]") >= 2
    assert encoded not in hidden.replace("[hidden]", "")


@pytest.mark.parametrize(
    ("where", "answer"),
    [
        ("", "421 come back later"),
        ("", "554 no service"),
        ("EHLO", "421 too busy"),
        ("MAIL", "451 not now"),
        ("MAIL", "550 we do not know this sender"),
        ("RCPT", "450 greylisted, try later"),
        ("DATA", "451 no space"),
        (".", "452 no space"),
    ],
)
async def test_temporary_refusals_are_retried(where: str, answer: str) -> None:
    async with scripted({where: answer}) as port:
        with pytest.raises(MailFailed) as failed:
            await client(port).send(PLAIN)
    assert f"localhost:{port}" in str(failed.value)
    assert answer in str(failed.value)


@pytest.mark.parametrize(
    ("where", "answer"),
    [
        ("RCPT", "550 5.1.1 no such user"),
        ("DATA", "554 not this"),
        (".", "554 spam"),
        ("MAIL", "552 too large"),
    ],
)
async def test_a_permanent_refusal_is_not_retried(where: str, answer: str) -> None:
    async with scripted({where: answer}) as port:
        with pytest.raises(MailRefused) as refused:
            await client(port).send(PLAIN)
    assert refused.value.facts == {"server": f"localhost:{port}", "said": answer}
    assert answer in str(refused.value)


async def test_a_real_server_refuses_temporarily_and_permanently() -> None:
    with mail_server() as server:
        server.to_rcpt = "450 4.2.1 greylisted"
        with pytest.raises(MailFailed, match=r"for this address at the moment: 450 4.2.1 greyl"):
            await client(server.port).send(PLAIN)
        server.to_rcpt = "550 5.1.1 no such user"
        with pytest.raises(MailRefused, match=r"for this address: 550 5.1.1 no such user"):
            await client(server.port).send(PLAIN)
        server.to_rcpt, server.to_data = "", "554 5.7.1 spam"
        with pytest.raises(MailRefused, match=r"does not accept this mail: 554 5.7.1 spam"):
            await client(server.port).send(PLAIN)


async def test_an_unreachable_server_is_named() -> None:
    port = servers.free_port()
    with pytest.raises(MailFailed, match=rf"localhost:{port} cannot be reached \(\w"):
        await client(port).send(PLAIN)


@pytest.mark.parametrize("host", ["nowhere.invalid", "a..b", "x" * 70 + ".example"])
async def test_an_unknown_host_is_reported(host: str) -> None:
    # A resolver may say so, or take longer than we wait.
    with pytest.raises(MailFailed, match=r"cannot be reached|did not accept the mail within"):
        await client(25, smtp_host=host, smtp_timeout=5.0).send(PLAIN)


@pytest.mark.parametrize("where", ["", "EHLO", "MAIL", "RCPT", "DATA", "."])
async def test_a_server_that_hangs_is_given_up_in_time(where: str) -> None:
    async with scripted({where: HANGS}) as port:
        with pytest.raises(MailFailed, match=r"within 0\.3 s"):
            await client(port, smtp_timeout=0.3).send(PLAIN)


async def test_a_server_that_is_slow_at_every_step_has_no_more_time_than_one_that_hangs() -> None:
    async with scripted({}, slowly_s=0.2) as port:
        with pytest.raises(MailFailed, match=r"within 0\.5 s"):
            await client(port, smtp_timeout=0.5).send(PLAIN)


async def test_a_server_that_hangs_in_the_tls_handshake_is_given_up_in_time() -> None:
    async with scripted({"": HANGS}) as port:
        with pytest.raises(MailFailed, match=r"within 0\.3 s"):
            await client(port, smtp_timeout=0.3, smtp_tls="tls").send(PLAIN)


async def test_an_accepted_mail_counts_as_sent_whatever_quit_answers() -> None:
    for farewell in (HANGS, "", "421 goodbye", "nonsense"):
        async with scripted({"QUIT": farewell}) as port:
            await client(port).send(PLAIN)


@pytest.mark.parametrize("where", ["", "EHLO", "MAIL", "RCPT", "."])
@pytest.mark.parametrize("answer", ["", "this is not SMTP"])
async def test_a_server_that_disconnects_or_talks_nonsense_is_retried(
    where: str, answer: str
) -> None:
    async with scripted({where: answer}) as port:
        with pytest.raises(MailFailed):
            await client(port).send(PLAIN)


async def test_without_a_server_nothing_is_sent() -> None:
    nowhere = SmtpClient(MailSettings(smtp_host=None))
    assert not nowhere.is_configured
    with pytest.raises(MailFailed, match="No mail server"):
        await nowhere.send(PLAIN)


async def test_a_bad_mail_is_refused_before_anyone_is_called() -> None:
    with pytest.raises(MailRefused):
        await client(servers.free_port()).send(Message(to="a@x, b@y", subject="s", text="t"))
