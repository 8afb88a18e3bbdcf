"""Telling people that the tokens of their plan are running out."""

from __future__ import annotations

from typing import Final

from mindhit import accounts, billing
from mindhit.accounts import UserId
from mindhit.clock import utc_now
from mindhit.db import Tx
from mindhit.delivery.job_types import TellUsage
from mindhit.delivery.model import NewNotice, NoticeKind
from mindhit.delivery.notices import notify

_ALL: Final = 100
_TITLES: Final = {
    "en": {False: "{percent}% of your AI tokens used", True: "Your AI tokens are used up"},
    "ko": {False: "AI 토큰을 {percent}% 사용했어요", True: "AI 토큰을 모두 사용했어요"},
}
_BODIES: Final = {
    "en": {
        False: "You’ve used {used} of {limit} tokens. They reset on {day}.",
        True: "Until {day}, the built-in engine summarises your pages. Nothing stops working.",
    },
    "ko": {
        False: "토큰 {limit}개 중 {used}개를 사용했어요. {day}에 다시 채워져요.",
        True: "{day}까지는 내장 엔진이 페이지를 요약해요. 다른 기능은 그대로 쓸 수 있어요.",
    },
}


async def tell_usage(tx: Tx, asked: TellUsage, public_url: str) -> None:
    """Once per period and share. Not where the plan or the period is another by now."""
    user_id = UserId(asked.user_id)
    usage, _ = await billing.show_usage(tx, user_id, utc_now())
    if usage.limit is None or usage.period.start != asked.period_start:
        return
    chosen = await accounts.show_preferences(tx, user_id)
    language = chosen.language if chosen.language in _TITLES else "en"
    is_all = asked.percent >= _ALL
    words = {
        "percent": asked.percent,
        "used": f"{usage.used:,}",
        "limit": f"{usage.limit:,}",
        "day": f"{usage.period.end.astimezone(chosen.zone):%Y-%m-%d}",
    }
    notice = NewNotice(
        kind=NoticeKind.USAGE,
        key=f"usage:{asked.period_start.isoformat()}:{asked.percent}",
        title=_TITLES[language][is_all].format(**words),
        body=_BODIES[language][is_all].format(**words),
        url=f"{public_url}{billing.PLAN_SCREEN}",
    )
    await notify(tx, user_id, notice)
