"""What is done on a screen before its picture is taken, and states that exist only for a moment, for pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from uuid import UUID

import asyncpg
from playwright.sync_api import Page

MAP: Final = "section[aria-labelledby=map-title]"
ORDER: Final = "section[aria-labelledby=timeline-title] [role=group] button"
SELECT: Final = "[aria-labelledby=sessions-title] button[aria-pressed]"
TOPIC: Final = "[role=tree] [data-type=topic]"
# Over the screen, at a place of the window: not as tall as the page.
AS_SEEN: Final = {
    *("shortcuts", "zoomed", "remind", "undo", "palette", "menu", "reprocess"),
    *("map-node", "map-list", "map-edit", "map-export", "pages", "trail"),
}
_PROCESSING: Final = """
update sessions set status = 'processing', progress = '{"step": "summaries", "done": 4, "total": 7}'
 where id = $1"""
_FAILED_JOBS: Final = """
insert into jobs (queue, kind, lane, domain, args, status, attempts, max_attempts, last_error, created_at,
                  finished_at)
select 'default', j.kind, 'default', j.domain, '{}', 'dead', 5, 5, j.error, now() - j.age - interval '1 hour',
       now() - j.age
  from (values ('page:fetch', 'shop.example', 'FetchFailed: the site answered 403', interval '20 minutes'),
               ('mail:send', null, 'MailFailed: smtp.example.org refused the connection', interval '3 hours'),
               ('mail:send', null, 'MailFailed: smtp.example.org refused the connection', interval '4 hours')
       ) j (kind, domain, error, age)"""


async def fill(database_url: str, processed: str) -> None:
    """Jobs that failed for good, and a session that is being processed again."""
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute(_FAILED_JOBS)
        await connection.execute(_PROCESSING, UUID(processed))
    finally:
        await connection.close()


def scenes(session: str, processed: str) -> dict[str, str]:
    """Those that need no more than an address, or what `act` does there."""
    opened = f"/sessions/{session}"
    return {
        "map-edit": opened,
        "map-export": opened,
        "reprocess": opened,
        "undo": "/",
        "menu": "/",
        "topics": "/",
        "palette": "/",
        "search": "/search?q=water",
        "search-start": "/search",
        "search-none": "/search?q=axolotl",
        "processing": f"/sessions/{processed}",
        "privacy": "/settings/privacy",
        "security": "/settings/security",
        "data": "/settings/data",
        "server": "/settings/server",
        "library": "/library",
        "library-import": "/library/import",
        "library-dead": "/library/dead",
        "connect": "/connect",
    }


# Before anybody has signed in.
OUTSIDE: Final = {
    "landing": "/",
    "sign-in": "/sign-in",
    "sign-up": "/sign-up",
    "reset": "/reset",
    "welcome": "/welcome",
    "confirm": "/confirm",
}


def act(page: Page, name: str) -> None:
    if name in CLICKED:
        page.locator(CLICKED[name]).first.click()
        if name in {"pages", "trail"}:
            page.locator(ORDER).first.evaluate("(button) => button.scrollIntoView()")
    elif name in DONE:
        DONE[name](page)


CLICKED: Final = {
    "map-node": TOPIC,
    "map-list": f"{MAP} [role=group] button:nth-child(2)",
    "menu": "header button[aria-expanded]",
    "pages": f"{ORDER}:nth-child(2)",
    "topics": "[aria-labelledby=time-title] [role=group] button:nth-child(2)",
    "trail": f"{ORDER}:nth-child(3)",
}


def _select(page: Page) -> None:
    page.locator(SELECT).first.click()
    for number in (1, 2):
        page.locator("li[data-session] input[type=checkbox]").nth(number).check()


def _delete(page: Page) -> None:
    _select(page)
    page.get_by_role("button", name=re.compile("^(Delete|삭제)$")).first.click()


def _edit(page: Page) -> None:
    page.locator(TOPIC).first.focus()
    page.keyboard.press("F2")


def _export(page: Page) -> None:
    page.locator(MAP).get_by_role("button", name=re.compile("^(Export|내보내기)$")).click()


def _search(page: Page) -> None:
    page.keyboard.press("/")
    page.locator("dialog [role=combobox]").fill("water")
    page.get_by_role("option").nth(2).wait_for()


def _ask(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Process again…|다시 처리…")).click()


def _zoom(page: Page) -> None:
    brief = page.locator("span[title]", has_text=re.compile(r"^\d+ ?ms$"))
    page.locator("li[data-index]").last.scroll_into_view_if_needed()  # those far away are not drawn
    brief.first.scroll_into_view_if_needed()
    page.locator("li[data-index] > div", has=brief).nth(1).locator("button").first.click()
    for _ in range(2):
        page.keyboard.press("-")
    page.evaluate("scrollTo(0, 0)")
    page.locator("[role=group]:has(> canvas)").hover()


DONE: Final[dict[str, Callable[[Page], None]]] = {
    "map-edit": _edit,
    "map-export": _export,
    "palette": _search,
    "reprocess": _ask,
    "select": _select,
    "shortcuts": lambda page: page.keyboard.press("?"),
    "undo": _delete,
    "zoomed": _zoom,
}


def undo(page: Page) -> None:
    """The next scenes find everything as it was."""
    page.get_by_role("button", name=re.compile("^(Undo|실행 취소)$")).click()
