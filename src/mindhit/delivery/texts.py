"""What delivery says itself: the mail around a notice, and the notice of a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from mindhit import mail
from mindhit.delivery.model import NoticeKind, Outgoing
from mindhit.mail import Button, Message

_BUTTON: Final = {"en": "Open", "ko": "열기"}
_INBOX_BUTTON: Final = {"en": "Open inbox", "ko": "알림함 열기"}
_FOOTER: Final = {
    "en": "You’re getting this because email is one of your notification channels in MindHit. You can"
    " change that under Settings → Notifications.",
    "ko": "MindHit 알림 채널에 이메일을 추가해 두어서 보내 드려요. ‘설정 → 알림’에서 바꿀 수 있어요.",
}
_STOP: Final = {"en": "Stop these emails", "ko": "메일 그만 받기"}
_REMINDER: Final = {
    "en": "You asked to be reminded of this page.",
    "ko": "다시 보려고 알림을 설정해 둔 페이지예요.",
}
TEST_TITLE: Final = {"en": "Test notification from MindHit", "ko": "MindHit 테스트 알림"}
TEST_BODY: Final = {
    "en": "This channel works. Notifications will arrive here.",
    "ko": "채널이 잘 연결되었어요. 앞으로 알림이 여기로 와요.",
}
_DIGEST_LINES: Final = 10
_DIGEST_TITLE: Final = 120  # characters
_HOST: Final = "mindhit.invalid"  # of message ids; nobody's


def mail_of(
    notice: Outgoing, *, to: str, language: str, public_url: str, unsubscribe: str
) -> Message:
    language = language if language in _BUTTON else "en"
    title = _line(notice.title)
    inbox = f"{public_url}/inbox"
    to_open = _link(notice.url) or inbox
    button = Button((_INBOX_BUTTON if to_open == inbox else _BUTTON)[language], to_open)
    rendered = mail.render(
        title=title,
        paragraphs=_paragraphs(notice, language),
        footer=_FOOTER[language],
        language=language,
        button=button,
        footer_link=Button(_STOP[language], unsubscribe),
    )
    return Message(
        to=to,
        subject=title,
        text=rendered.text,
        html=rendered.html,
        language=language,
        message_id=f"{notice.id}@{_HOST}",
        headers={
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def digest_title(count: int, language: str) -> str:
    return f"다시 볼 페이지 {count}개" if language == "ko" else f"{count} pages to come back to"


def digest_body(titles: Sequence[str], language: str) -> str:
    """A line for each, of as many as anybody reads."""
    lines = [f"• {_cut(_line(title))}" for title in titles[:_DIGEST_LINES]]
    more = len(titles) - len(lines)
    if more:
        lines.append(f"외 {more}개" if language == "ko" else f"and {more} more")
    return "\n".join(lines)


def _cut(title: str) -> str:
    return title if len(title) <= _DIGEST_TITLE else f"{title[: _DIGEST_TITLE - 1].rstrip()}…"


def _paragraphs(notice: Outgoing, language: str) -> list[str]:
    """What the notice says; a reminder of a page without a note says at least why it comes."""
    said = "\n".join(_line(each) for each in notice.body.splitlines() if each.strip())
    if said:
        return [said]
    return [_REMINDER[language] if notice.kind == NoticeKind.REMINDER else _line(notice.title)]


def _link(url: str | None) -> str | None:
    """An address as it may stand in a mail: pages keep theirs as it was seen, with spaces too."""
    scheme, _, rest = (url or "").partition("://")
    if scheme.lower() not in {"http", "https"} or not rest:
        return None
    return f"{scheme.lower()}://" + "".join(
        quote(each) if each.isspace() or not each.isprintable() else each for each in rest
    )


def _line(text: str) -> str:
    """One line that a header can hold: control characters and line ends are spaces."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(printable.split()) or "MindHit"
