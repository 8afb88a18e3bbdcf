"""How long plans keep sessions: announced a week ahead, and then deleted.

    announce ──a week──▶ delete
       │
       └──another plan, or the session ended later after all──▶ withdrawn

Nothing is deleted that was not announced, and nothing whose plan keeps it by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from mindhit import accounts, billing, delivery, log
from mindhit.accounts import UserId
from mindhit.db import Database, Tx
from mindhit.delivery import NewNotice, NoticeKind
from mindhit.tracking import sessions, store
from mindhit.tracking.model import SessionId

AHEAD: Final = timedelta(days=7)
EVERY_S: Final = 86_400
DELETED_AT_ONCE: Final = 200  # sessions in one run of the job
_FIRST: Final = UUID(int=0)
_log = log.get(__name__)
_TITLES: Final = {
    "en": {
        True: "1 session will be deleted on {day}",
        False: "{count} sessions will be deleted on {day}",
    },
    "ko": {True: "세션 1개가 {day}에 삭제돼요", False: "세션 {count}개가 {day}에 삭제돼요"},
}
_BODY: Final = {
    "en": "Your plan keeps sessions for {days} days. Export what you want to keep, or upgrade.",
    "ko": "현재 요금제에서는 세션을 {days}일 동안 보관해요. 남기고 싶은 세션은 내보내거나 요금제를 바꿔 주세요.",
}


async def keep_to_plans(db: Database, now: datetime, public_url: str) -> bool:
    """False where more is due than one run deletes."""
    await withdraw(db)
    await announce(db, now, public_url)
    return await delete_due(db, now)


async def withdraw(db: Database) -> None:
    """Take back what plans keep after all."""
    after = _FIRST
    while people := await db.alone(store.expiring.PEOPLE, after):
        for user_id in people:
            async with db.transaction() as tx:
                days = (await billing.allowance(tx, user_id)).retention_days
                await tx.run(store.expiring.WITHDRAW, user_id, days)
        after = people[-1]


async def announce(db: Database, now: datetime, public_url: str) -> None:
    after = _FIRST
    while True:
        async with db.read() as tx:
            people = await billing.people_with_retention(tx, after)
        if not people:
            return
        for each in people:
            async with db.transaction() as tx:
                found = await tx.all(store.expiring.ANNOUNCE, each.user_id, each.days, now + AHEAD)
                if found:
                    await _tell(tx, each.user_id, each.days, found, now, public_url)
        after = people[-1].user_id


async def delete_due(db: Database, now: datetime) -> bool:
    found = await db.alone(store.expiring.DUE, now, DELETED_AT_ONCE)
    deleted = 0
    for each in found:
        try:
            deleted += await _delete(db, each, now)
        except Exception:  # noqa: BLE001  one that can't be deleted is not in the way of everybody else's
            _log.exception("a session that is due can't be deleted", session_id=str(each.id))
    return len(found) < DELETED_AT_ONCE or not deleted


async def _delete(db: Database, due: store.expiring.Due, now: datetime) -> bool:
    async with db.transaction() as tx:
        days = (await billing.allowance(tx, due.user_id)).retention_days
        is_due = await tx.maybe(store.expiring.LOCK_DUE, due.id, due.user_id, now, days)
        if is_due is not None:
            await sessions.delete(tx, due.user_id, SessionId(due.id))
    return is_due is not None


async def _tell(
    tx: Tx,
    user_id: UUID,
    days: int,
    expiring: Sequence[datetime],
    now: datetime,
    public_url: str,
) -> None:
    chosen = await accounts.show_preferences(tx, UserId(user_id))
    language = chosen.language if chosen.language in _TITLES else "en"
    first = min(expiring).astimezone(ZoneInfo(chosen.timezone))
    words = {"count": len(expiring), "day": f"{first:%Y-%m-%d}", "days": days}
    notice = NewNotice(
        kind=NoticeKind.RETENTION,
        key=f"retention:{now.isoformat()}",
        title=_TITLES[language][len(expiring) == 1].format(**words),
        body=_BODY[language].format(**words),
        url=f"{public_url}{billing.PLAN_SCREEN}",
    )
    await delivery.notify(tx, user_id, notice, now=now)
