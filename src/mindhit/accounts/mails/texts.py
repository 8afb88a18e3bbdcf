"""The wording of account mails, in every language of the product."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mindhit import mail
from mindhit.accounts.links import INVITATION_S, VALID_S
from mindhit.accounts.model import Language, Purpose
from mindhit.mail import Message


class Mail(StrEnum):
    SIGN_UP = "sign_up"
    KNOWN = "known"
    VERIFY = "verify"
    EMAIL = "email"
    RESET = "reset"
    INVITED = "invited"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class _Words:
    subject: str
    paragraphs: tuple[str, ...]  # {valid} is how long the link is valid
    button: str


_LINK_VALID_S: Final = {
    Mail.SIGN_UP: VALID_S[Purpose.SIGN_UP],
    Mail.VERIFY: VALID_S[Purpose.VERIFY],
    Mail.EMAIL: VALID_S[Purpose.EMAIL],
    Mail.RESET: VALID_S[Purpose.RESET],
    Mail.INVITED: INVITATION_S,
}
_WORDS: Final = {
    (Mail.SIGN_UP, Language.EN): _Words(
        "Confirm your email address",
        (
            "Someone, probably you, asked to create a MindHit account with this email address.",
            "To create it, open the link within {valid} and choose a password.",
        ),
        "Choose a password",
    ),
    (Mail.SIGN_UP, Language.KO): _Words(
        "이메일 주소를 확인해 주세요",
        (
            "이 이메일 주소로 MindHit 가입 요청이 있었어요.",
            "{valid} 안에 링크를 열고 비밀번호를 설정하면 계정이 만들어져요.",
        ),
        "비밀번호 설정하기",
    ),
    (Mail.KNOWN, Language.EN): _Words(
        "You already have an account",
        (
            "Someone, probably you, asked to create a MindHit account with this email address.",
            "You already have one.",
            "If you forgot your password, you can reset it on the sign-in page.",
        ),
        "Sign in",
    ),
    (Mail.KNOWN, Language.KO): _Words(
        "이미 가입된 이메일 주소예요",
        (
            "이 이메일 주소로 MindHit 가입 요청이 있었지만, 이미 계정이 있어요.",
            "비밀번호를 잊으셨다면 로그인 화면에서 재설정할 수 있어요.",
        ),
        "로그인",
    ),
    (Mail.VERIFY, Language.EN): _Words(
        "Verify your email address",
        ("Open the link within {valid} to verify that this email address is yours.",),
        "Verify address",
    ),
    (Mail.VERIFY, Language.KO): _Words(
        "이메일 주소를 인증해 주세요",
        ("{valid} 안에 링크를 열어 본인의 이메일 주소임을 인증해 주세요.",),
        "이메일 인증하기",
    ),
    (Mail.EMAIL, Language.EN): _Words(
        "Confirm your new email address",
        (
            "You asked to change the email address of your MindHit account to this one.",
            "To make the change, open the link within {valid}.",
        ),
        "Use this address",
    ),
    (Mail.EMAIL, Language.KO): _Words(
        "새 이메일 주소를 확인해 주세요",
        (
            "MindHit 계정의 이메일 주소를 이 주소로 변경해 달라는 요청이 있었어요.",
            "{valid} 안에 링크를 열면 새 주소로 변경돼요.",
        ),
        "이 주소 사용하기",
    ),
    (Mail.RESET, Language.EN): _Words(
        "Reset your password",
        (
            "Someone, probably you, asked to reset the password of your MindHit account.",
            "The link is valid for {valid}. A new password signs you out everywhere.",
        ),
        "Choose a new password",
    ),
    (Mail.RESET, Language.KO): _Words(
        "비밀번호 재설정 안내",
        (
            "MindHit 계정의 비밀번호 재설정 요청이 있었어요.",
            "링크는 {valid} 동안 유효해요. 비밀번호를 바꾸면 모든 기기에서 로그아웃돼요.",
        ),
        "새 비밀번호 설정하기",
    ),
    (Mail.INVITED, Language.EN): _Words(
        "You’ve been invited",
        (
            "The owner of a MindHit server created an account for you.",
            "To use it, open the link within {valid} and choose a password.",
        ),
        "Choose a password",
    ),
    (Mail.INVITED, Language.KO): _Words(
        "초대를 받으셨어요",
        (
            "MindHit 서버 소유자가 회원님의 계정을 만들었어요.",
            "{valid} 안에 링크를 열고 비밀번호를 설정해 주세요.",
        ),
        "비밀번호 설정하기",
    ),
    (Mail.MOVED, Language.EN): _Words(
        "Your email address was changed",
        (
            "Your MindHit account has a new email address. We no longer send email to this one.",
            "If you didn’t do this, tell the owner of the server right away.",
        ),
        "View your account",
    ),
    (Mail.MOVED, Language.KO): _Words(
        "이메일 주소가 변경됐어요",
        (
            "MindHit 계정의 이메일 주소가 변경되어, 앞으로 이 주소로는 메일을 보내지 않아요.",
            "본인이 변경하지 않았다면 서버 소유자에게 바로 알려 주세요.",
        ),
        "계정 보기",
    ),
}
_FOOTER: Final = {
    Language.EN: "If you didn’t expect this email, you can ignore it. Nothing happens unless the link is opened.",
    Language.KO: "본인과 관련 없는 메일이라면 무시하셔도 돼요. 링크를 열지 않으면 아무것도 바뀌지 않아요.",
}
_MOVED_FOOTER: Final = {
    Language.EN: "You’re getting this email because this was your account’s email address until now.",
    Language.KO: "지금까지 이 주소를 계정의 이메일 주소로 사용하셨기 때문에 보내 드리는 메일이에요.",
}


def write(which: Mail, language: Language, to: str, url: str, message_id: str) -> Message:
    """One mail. `message_id` is the same for every repeat of it."""
    words = _WORDS[which, language]
    valid = _duration(_LINK_VALID_S.get(which, 0.0), language)
    text, html = mail.render(
        title=words.subject,
        paragraphs=[paragraph.format(valid=valid) for paragraph in words.paragraphs],
        button=mail.Button(words.button, url),
        footer=_MOVED_FOOTER[language] if which is Mail.MOVED else _FOOTER[language],
        language=language,
    )
    return Message(
        to=to,
        subject=f"MindHit: {words.subject}",
        text=text,
        html=html,
        language=language,
        message_id=message_id,
    )


def _duration(seconds: float, language: Language) -> str:
    """Whole days or hours: `2 days`, `1시간`."""
    hours = round(seconds / 3600)
    count, unit = (hours // 24, "day") if hours % 24 == 0 else (hours, "hour")
    if language is Language.KO:
        return f"{count}{'일' if unit == 'day' else '시간'}"
    return f"{count} {unit}{'' if count == 1 else 's'}"
