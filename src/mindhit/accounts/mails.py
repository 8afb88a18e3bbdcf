"""The wording of account mails, in every language of the product. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mindhit import mail
from mindhit.accounts.model import Language
from mindhit.mail import Message


class Letter(StrEnum):
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
    paragraphs: tuple[str, ...]
    button: str


_WORDS = {
    (Letter.SIGN_UP, Language.EN): _Words(
        "Confirm your address",
        (
            "Somebody, most likely you, asked for a MindHit account with this address.",
            "Open the link within two days and choose a password, and the account is yours.",
        ),
        "Choose a password",
    ),
    (Letter.SIGN_UP, Language.KO): _Words(
        "이메일 주소를 확인해 주세요",
        (
            "이 주소로 MindHit 계정을 만들어 달라는 요청이 있었습니다.",
            "이틀 안에 링크를 열고 비밀번호를 정하면 계정이 만들어집니다.",
        ),
        "비밀번호 정하기",
    ),
    (Letter.KNOWN, Language.EN): _Words(
        "You have an account already",
        (
            "Somebody, most likely you, asked for a MindHit account with this address, which has one.",
            "If the password is forgotten, choose a new one on the page for signing in.",
        ),
        "Sign in",
    ),
    (Letter.KNOWN, Language.KO): _Words(
        "이미 계정이 있습니다",
        (
            "이 주소로 MindHit 계정을 만들어 달라는 요청이 있었지만, 이미 계정이 있습니다.",
            "비밀번호를 잊으셨다면 로그인 화면에서 새로 정할 수 있습니다.",
        ),
        "로그인",
    ),
    (Letter.VERIFY, Language.EN): _Words(
        "Is this your address?",
        ("Open the link within two days to confirm that mail to this address reaches you.",),
        "Confirm the address",
    ),
    (Letter.VERIFY, Language.KO): _Words(
        "본인의 주소가 맞나요?",
        ("이틀 안에 링크를 열어 이 주소로 메일을 받을 수 있음을 확인해 주세요.",),
        "주소 확인하기",
    ),
    (Letter.EMAIL, Language.EN): _Words(
        "Your new address",
        (
            "You asked MindHit to write to this address from now on.",
            "It counts as soon as you open the link, within an hour.",
        ),
        "Use this address",
    ),
    (Letter.EMAIL, Language.KO): _Words(
        "새 이메일 주소",
        (
            "MindHit 계정의 주소를 이 주소로 바꾸어 달라는 요청이 있었습니다.",
            "한 시간 안에 링크를 열면 새 주소가 적용됩니다.",
        ),
        "이 주소 사용하기",
    ),
    (Letter.RESET, Language.EN): _Words(
        "Choose a new password",
        (
            "Somebody, most likely you, asked for a new password for your MindHit account.",
            "The link is good for an hour. A new password signs you out everywhere.",
        ),
        "Choose a new password",
    ),
    (Letter.RESET, Language.KO): _Words(
        "새 비밀번호를 정해 주세요",
        (
            "MindHit 계정의 비밀번호를 새로 정하겠다는 요청이 있었습니다.",
            "링크는 한 시간 동안 쓸 수 있습니다. 비밀번호를 바꾸면 모든 기기에서 로그아웃됩니다.",
        ),
        "새 비밀번호 정하기",
    ),
    (Letter.INVITED, Language.EN): _Words(
        "You are invited to MindHit",
        (
            "The owner of a MindHit server has made an account for you.",
            "Open the link within a week and choose a password.",
        ),
        "Choose a password",
    ),
    (Letter.INVITED, Language.KO): _Words(
        "MindHit에 초대되었습니다",
        (
            "MindHit 서버의 관리자가 계정을 만들었습니다.",
            "일주일 안에 링크를 열어 비밀번호를 정해 주세요.",
        ),
        "비밀번호 정하기",
    ),
    (Letter.MOVED, Language.EN): _Words(
        "Your address was changed",
        (
            "Your MindHit account has a new address; mail no longer goes to this one.",
            "If it was not you, tell the owner of the server at once.",
        ),
        "Look at your account",
    ),
    (Letter.MOVED, Language.KO): _Words(
        "이메일 주소가 바뀌었습니다",
        (
            "MindHit 계정의 주소가 바뀌어, 앞으로 이 주소로는 메일이 오지 않습니다.",
            "본인이 바꾸지 않았다면 서버 관리자에게 바로 알려 주세요.",
        ),
        "계정 보기",
    ),
}
_FOOTER = {
    Language.EN: "If it was not you, you need not do anything: without the link nothing happens.",
    Language.KO: "본인이 요청하지 않았다면 아무것도 하지 않으셔도 됩니다. 링크를 열지 않으면 아무 일도 일어나지 않습니다.",
}
_REASON = {
    Language.EN: "You get this mail because it was the address of your account until now.",
    Language.KO: "지금까지 이 주소가 계정의 주소였기 때문에 보내는 메일입니다.",
}


def write(letter: Letter, language: Language, to: str, url: str, name: str) -> Message:
    """One mail. `name` is the same for every repeat of it."""
    words = _WORDS[letter, language]
    text, html = mail.render(
        title=words.subject,
        paragraphs=words.paragraphs,
        button=mail.Button(words.button, url),
        footer=_REASON[language] if letter is Letter.MOVED else _FOOTER[language],
        language=language,
    )
    return Message(
        to=to,
        subject=f"MindHit: {words.subject}",
        text=text,
        html=html,
        language=language,
        message_id=name,
    )
