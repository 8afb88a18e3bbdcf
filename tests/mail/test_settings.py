"""The settings of mail: wrong ones are refused at the start, not at the first mail."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from mindhit.mail import MailSettings, SmtpClient


@pytest.mark.parametrize(
    "sender",
    [
        "MindHit <mindhit@example.com>",
        "a.b+c@x-y.example",
        "<a@b>",
        "마인드히트 <m@b.kr>",
        '"Mind, Hit" <a@xn--3e0b707e.kr>',
    ],
)
def test_a_sender_is_one_address(sender: str) -> None:
    assert MailSettings(mail_from=sender).mail_from == sender


@pytest.mark.parametrize(
    "sender",
    [
        *(
            "",
            "MindHit",
            "a@b, c@d",
            "A <a@b>, B <c@d>",
            "a@b>",
            "<a@b",
            "A <a@b> B",
            "a@b\r\nBcc: x",
        ),
        *(
            "A\n<a@b>",
            "a@b\n",
            "a@",
            "@b",
            "a@@b",
            "a@-b",
            "a@b-",
            "a..b@c",
            ".a@b",
            "a@b:c <d@e>",
            "a@127.0.0.1",
            "\u2028<a@b>",
        ),
    ],
)
def test_a_sender_that_is_not_one_address_is_refused(sender: str) -> None:
    with pytest.raises(ValidationError, match="must be one address"):
        MailSettings(mail_from=sender)


@given(
    st.text(max_size=20),
    st.text("aZ0._+-", max_size=10),
    st.text("aZ0.-", max_size=10),
    st.sampled_from(["{2}@{3}", "<{2}@{3}>", "{1}<{2}@{3}>", "{1} <{2}@{3}>", '"{1}" <{2}@{3}>']),
)
def test_what_the_settings_take_for_an_address_is_one(
    name: str, local: str, domain: str, form: str
) -> None:
    with suppress(ValidationError):
        assert SmtpClient(MailSettings(mail_from=form.format("", name, local, domain)))


@pytest.mark.parametrize("host", ["smtp.example.com:587", "smtp://example.com", "a b", "u@host"])
def test_a_host_is_a_name_alone(host: str) -> None:
    with pytest.raises(ValidationError, match="only a host name"):
        MailSettings(smtp_host=host)
    assert MailSettings(smtp_host="::1").smtp_host == "::1"


def test_the_password_does_not_show() -> None:
    shown = MailSettings(smtp_host="h", smtp_user="u", smtp_password=SecretStr("hunter2"))
    assert "hunter2" not in repr(shown)
    assert "hunter2" not in repr(SmtpClient(shown).__dict__)
