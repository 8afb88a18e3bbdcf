"""What a report says, in English and Korean. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Final

from mindhit.durations import in_hours

_EN: Final = {
    "subject": "Your session: {title}",
    "untitled": "Session on {date}",
    "when": "{date}, {duration} on {pages}",
    "page": "1 page",
    "pages": "{count} pages",
    "keywords": "It was about {keywords}.",
    "longest": "What you spent the most time on:",
    "highlights": "You highlighted {count} passages.",
    "highlight": "You highlighted one passage.",
    "open": "Open the session",
    "map": "The mind map of this session",
    "why": "You’re getting this email because you recorded a session with MindHit.",
    "stop": "Stop these emails",
}
_KO: Final = {
    "subject": "세션 리포트: {title}",
    "untitled": "{date} 세션",
    "when": "{date}, {pages}를 {duration} 동안 봤어요",
    "page": "페이지 1개",
    "pages": "페이지 {count}개",
    "keywords": "주요 내용: {keywords}",
    "longest": "가장 오래 본 페이지",
    "highlights": "하이라이트 {count}개를 남겼어요.",
    "highlight": "하이라이트 1개를 남겼어요.",
    "open": "세션 열기",
    "map": "이 세션의 마인드맵",
    "why": "MindHit으로 세션을 기록해서 보내 드리는 메일이에요.",
    "stop": "이 메일 그만 받기",
}
TEXTS: Final[Mapping[str, Mapping[str, str]]] = {"en": _EN, "ko": _KO}


def texts_for(language: str) -> Mapping[str, str]:
    return TEXTS.get(language, _EN)


def duration(ms: int, language: str) -> str:
    spoken = in_hours(ms)
    if language != "ko":
        return spoken
    return spoken.replace(" h", "시간").replace(" min", "분").replace("< 1분", "1분 미만")


def date(at: datetime, zone: tzinfo, language: str) -> str:
    local = at.astimezone(zone)
    if language == "ko":
        return f"{local.year}년 {local.month}월 {local.day}일 {local:%H:%M}"
    return f"{local.day} {local:%B %Y, %H:%M}"


def page_count(count: int, language: str) -> str:
    texts = texts_for(language)
    return texts["page"] if count == 1 else texts["pages"].format(count=count)
