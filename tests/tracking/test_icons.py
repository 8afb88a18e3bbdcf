"""Icons of sites: brought along by pages, kept when they are small PNGs, served by our own server."""

from __future__ import annotations

import base64
import struct
import uuid
from datetime import UTC, datetime
from hashlib import md5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit import wiring
from mindhit.accounts import Scope
from mindhit.db import Database
from mindhit.tracking import icons
from mindhit.tracking.demo import sessions
from mindhit.tracking.demo.icons import icon_of
from mindhit.tracking.protocol import ICON_PREFIX, MAX_ICON
from tests.accounts.kit import add, browser_of, client_of, run_jobs, token_of, traces
from tests.tracking.kit import START, Json, activate, alive, event, execute, fetch, nav
from tests.tracking.readers import Reader, reader

A, B = "https://example.org/a", "https://example.org/b"
ELSEWHERE = "https://example.com/a"
ICON = icon_of("example.org")
OTHER = icon_of("example.com")
ADDRESS = "https://example.org/i.png"
NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


def png(width: int, height: int, more: bytes = b"") -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + more


def address(picture: bytes) -> str:
    return ICON_PREFIX + base64.b64encode(picture).decode()


def path_of(icon: str) -> str:
    return f"/v1/icons/{md5(icon.encode()).hexdigest()}"


def read(seq: int, at: int, url: str, favicon: str | None, text: str = "What it says.") -> Json:
    payload = {"content": text, "title": "A page", "meta": {"favicon": favicon, "ogTitle": "A"}}
    return event(seq, "CONTENT_EXTRACTED", at, tabId=1, url=url, payload=payload)


async def favicons(ada: Reader, *events: Json) -> list[str | None]:
    """Of the visits of a session with these events."""
    session = await ada.record("Reading", *events, alive(len(events) + 1, 9_000))
    await run_jobs(ada.records.db)
    return [visit["favicon"] for visit in (await ada.show(session))["page_visits"]]


@pytest.mark.parametrize(
    "text",
    [
        ICON,
        address(png(1, 1)),
        address(png(64, 64)),
        address(png(32, 32, b"\0" * (2_982 - 24))),  # 3,998 characters
    ],
)
def test_a_small_png_is_an_icon(text: str) -> None:
    assert len(text) <= MAX_ICON
    assert icons.is_icon(text)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        ADDRESS,
        ICON_PREFIX,
        ICON_PREFIX + "é" * 40,
        ICON_PREFIX + "AAAA",
        ICON[:-1],
        ICON + "A",
        ICON.replace("base64,", "base64, "),
        ICON.replace("image/png", "image/svg+xml"),
        ICON.replace("image/png", "text/html"),
        ICON.replace("data:", "DATA:"),
        address(b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
        address(b"GIF89a" + bytes(40)),
        address(png(65, 32)),
        address(png(32, 65)),
        address(png(0, 32)),
        address(png(2**31, 1)),
        address(png(32, 32)[:-1]),
        address(png(32, 32, b"\0" * (2_983 - 24))),
    ],
)
def test_what_is_none_is_no_icon(text: str | None) -> None:
    assert not icons.is_icon(text)


@given(st.one_of(st.text(), st.text().map(ICON_PREFIX.__add__), st.binary().map(address)))
def test_whatever_a_page_calls_its_icon_can_be_judged(text: str) -> None:
    if icons.is_icon(text):
        assert icons.png_of(text).startswith(b"\x89PNG")


async def test_an_icon_is_shown_by_our_own_server(db: Database) -> None:
    async with reader(db) as ada:
        events = (
            activate(1, 0, A),
            read(2, 10, A, ICON),
            nav(3, 1_000, B),
            read(4, 1_010, B, ADDRESS, "Other words."),
        )
        assert await favicons(ada, *events) == [path_of(ICON), ADDRESS]
        answer = await ada.browser.get(path_of(ICON))
    assert answer.status_code == 200
    assert answer.content == base64.b64decode(ICON.removeprefix(ICON_PREFIX))
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'"
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"


async def test_the_page_that_is_open_has_its_icon_too(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        await ada.records.send(session, activate(1, 0, A), read(2, 10, A, ICON), alive(3, 20))
        [now] = (await ada.show(session))["page_visits"]
    assert (now["left_at"], now["favicon"]) == (None, path_of(ICON))


async def test_what_is_no_icon_is_dropped_and_its_page_is_kept(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        for n, wrong in enumerate(
            [address(png(65, 65)), ICON_PREFIX + "secret", "data:text/html,x"]
        ):
            url = f"{A}/{n}"
            receipt = await ada.records.send(session, read(n + 1, n, url, wrong, f"text {n}"))
            assert (receipt["accepted"], receipt["rejected"]) == (1, [])
    kept = await fetch(
        db, "select content, favicon, icon, meta from page_contents order by content"
    )
    assert [(each["content"], each["favicon"], each["icon"]) for each in kept] == [
        (f"text {n}", None, None) for n in range(3)
    ]
    assert [each["meta"] for each in kept] == [{"ogTitle": "A"}] * 3


async def test_the_same_text_is_the_same_with_any_icon(db: Database) -> None:
    """A page is read before its icon has come, and then again with it."""
    async with reader(db) as ada:
        events = [
            activate(1, 0, A),
            read(2, 10, A, None),
            read(3, 20, A, ADDRESS),
            read(4, 30, A, ICON),
            read(5, 40, A, ADDRESS),
        ]
        session = await ada.records.start(started_at=START)
        for each in events:
            await ada.records.send(session, each)
        [first] = await fetch(db, "select id, favicon, icon from page_contents")
        assert first["favicon"] == ICON
        assert path_of(ICON).endswith(first["icon"])
        assert await favicons(ada, *events) == [path_of(ICON)]  # of one batch, and known
        [second] = await fetch(db, "select id, favicon, icon from page_contents")
        assert second == first


async def test_two_sites_that_say_the_same_have_each_its_own_icon(db: Database) -> None:
    async with reader(db) as ada:
        first = activate(1, 0, A), read(2, 10, A, ICON)
        second = nav(3, 1_000, ELSEWHERE), read(4, 1_010, ELSEWHERE, OTHER)
        assert await favicons(ada, *first, *second) == [path_of(ICON), path_of(OTHER)]


async def test_icons_that_come_in_one_batch_with_texts_without_are_kept(db: Database) -> None:
    async with reader(db) as ada:
        events = activate(1, 0, A), read(2, 10, A, ICON), read(3, 20, A, None)
        assert await favicons(ada, *events) == [path_of(ICON)]
    assert len(await fetch(db, "select from page_contents")) == 1


async def test_an_icon_that_is_there_stays(db: Database) -> None:
    async with reader(db) as ada:
        assert await favicons(ada, activate(1, 0, A), read(2, 10, A, ICON)) == [path_of(ICON)]
        assert await favicons(ada, activate(1, 0, A), read(2, 10, A, OTHER)) == [path_of(ICON)]


async def test_an_icon_of_the_pages_newest_text_stands_for_a_visit_without(db: Database) -> None:
    async with reader(db) as ada:
        events = activate(1, 0, A), read(2, 10, A, ADDRESS, "before"), nav(3, 1_000, B)
        session = await ada.record("First", *events, alive(4, 2_000))
        await favicons(ada, activate(1, 0, A), read(2, 5_000, A, ICON, "after"))
        first = (await ada.show(session))["page_visits"][0]
    assert first["favicon"] == path_of(ICON)


async def test_whoever_excludes_a_domain_has_icons_all_the_same(db: Database) -> None:
    async with reader(db) as ada:
        chosen = {"excluded_domains": ["bank.example"]}
        assert (await ada.browser.patch("/v1/me/settings", json=chosen)).status_code == 200
        assert await favicons(ada, activate(1, 0, A), read(2, 10, A, ICON)) == [path_of(ICON)]
        hidden = "https://bank.example/"
        assert await favicons(ada, activate(1, 0, hidden), read(2, 10, hidden, OTHER)) == []
        assert (await ada.browser.get(path_of(OTHER))).status_code == 404
    assert await traces(db, OTHER) == {}


async def test_an_icon_opens_to_its_reader_and_to_nobody_else(db: Database) -> None:
    async with reader(db) as ada:
        await favicons(ada, activate(1, 0, A), read(2, 10, A, ICON))
        token = await token_of(db, ada.records.person, Scope.API)
        eve = await add(db, "eve@example.org")
        async with browser_of(db, eve) as other, client_of(db) as nobody:
            assert (await other.get(path_of(ICON))).status_code == 404
            assert (await nobody.get(path_of(ICON))).status_code == 401
            known = {"Authorization": f"Bearer {token}"}
            assert (await nobody.get(path_of(ICON), headers=known)).status_code == 200
            await execute(db, "update page_contents set user_id = null")
            assert (await other.get(path_of(ICON))).status_code == 200
        for wrong in ("0" * 32, path_of(OTHER).rpartition("/")[2]):
            assert (await ada.browser.get(f"/v1/icons/{wrong}")).status_code == 404
        for wrong in ("x", path_of(ICON).rpartition("/")[2].upper(), "0" * 33):
            assert (await ada.browser.get(f"/v1/icons/{wrong}")).status_code == 422


async def test_a_file_has_no_path_of_the_server_in_it(db: Database) -> None:
    async with reader(db) as ada:
        events = (
            activate(1, 0, A),
            read(2, 10, A, ICON),
            nav(3, 1_000, B),
            read(4, 1_010, B, ADDRESS, "Other words."),
        )
        session = await ada.record("Reading", *events, alive(5, 2_000))
        await run_jobs(db)
        path = f"/v1/sessions/{session}/export"
        whole = (await ada.browser.get(path, params={"format": "json"})).json()
        assert [visit["favicon"] for visit in whole["page_visits"]] == [None, ADDRESS]
        for kind in ("json", "md", "csv"):
            assert "/icons/" not in (await ada.browser.get(path, params={"format": kind})).text


async def test_a_page_full_of_icons_uses_up_nothing_of_what_calls_may(db: Database) -> None:
    ada = await add(db)
    key = {"Authorization": f"Bearer {await token_of(db, ada, Scope.API)}"}
    async with client_of(db, wiring.make_settings(rate_limit=50), **key) as client:
        for _ in range(50):
            assert (await client.get(path_of(ICON))).status_code == 404
        assert (await client.get(path_of(ICON))).status_code == 429
        assert (await client.get("/v1/sessions")).status_code == 200


def test_the_demo_has_an_icon_for_every_page_that_is_read() -> None:
    seen: dict[str, str] = {}
    for sample in sessions(uuid.UUID(int=1), NOW):
        for each in sample.events(NOW):
            if each["type"] == "CONTENT_EXTRACTED":
                seen[each["url"].split("/")[2]] = each["payload"]["meta"]["favicon"]
    assert len(seen) > 20
    assert all(icons.is_icon(icon) for icon in seen.values())
    assert len(set(seen.values())) == len(seen)
