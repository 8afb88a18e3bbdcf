"""Pages that are not to be recorded: nothing of them is stored, whoever names them."""

from __future__ import annotations

from mindhit.db import Database
from tests.accounts.kit import traces
from tests.tracking.kit import (
    START,
    Json,
    activate,
    alive,
    event,
    fetch,
    nav,
    recorder,
    stored_seqs,
    work_off,
)
from tests.tracking.readers import reader

SHARED = "https://example.org/mailbox"


async def test_pages_of_excluded_domains_are_dropped_by_the_server_too(db: Database) -> None:
    spellings = [
        "https://bank.example/secretpage",
        "http://www.bank.example/secretpage",
        "https://my.bank.example/secretpage?q=secretpage",
        "https://BANK.EXAMPLE:8443/secretpage",
        "https://bank.example./secretpage",
        "https://a.b.c.bank.example/secretpage#secretpage",
        "https://ada:secretpage@bank.example/",
        "https://münze.example/secretpage",
        "https://xn--mnze-0ra.example/secretpage",
    ]
    chosen = {"excluded_domains": ["Bank.example", "münze.example"]}
    async with reader(db) as ada:
        assert (await ada.browser.patch("/v1/me/settings", json=chosen)).status_code == 200
        session = await ada.records.start(started_at=START)
        await ada.records.send(session, activate(1, 0, "https://notbank.example/"))
        seq = 1
        for url in spellings:
            said: Json = {"title": "secrettitle", "content": "secrettext", "extractionOk": True}
            events = [
                nav(seq + 1, seq * 100, url, **said),
                event(
                    seq + 2,
                    "CONTENT_EXTRACTED",
                    seq * 100,
                    tabId=1,
                    url=url,
                    payload={**said, "meta": {"title": "secrettitle", "favicon": url}},
                ),
                event(
                    seq + 3,
                    "HIGHLIGHT",
                    seq * 100,
                    tabId=1,
                    url=url,
                    payload={"text": "secrettext"},
                ),
                {**activate(seq + 4, seq * 100, url), "payload": said},
                event(
                    seq + 5,
                    "CONTENT_EXTRACTED",
                    seq * 100,
                    tabId=1,
                    url=url,
                    payload={"extractionOk": False},
                ),
            ]
            receipt = await ada.records.send(session, *events)
            assert (receipt["accepted"], receipt["rejected"]) == (5, [])
            seq += 5
        end = seq * 100
        await ada.records.send(
            session, nav(seq + 1, end, "https://bank.example.org/", transition="link")
        )
        await ada.records.stop(session, end + 1_000, seq + 1)
        await work_off(db)
        assert await stored_seqs(db, session) == list(range(1, seq + 2))
    found = await traces(db, "secret", "bank.example", "0ra.example")
    found.pop("user_settings")
    assert {row for rows in found.values() for row in rows if "secret" in row} == set()
    pages = {each["url"] for each in await fetch(db, "select url from urls")}
    assert pages == {"https://notbank.example/", "https://bank.example.org/"}
    [pause] = await fetch(
        db, "select kind, extract(epoch from left_at - entered_at)::float8 as s from session_pauses"
    )
    assert pause == {"kind": "no_page", "s": (end - 100) / 1000}
    came_from = await fetch(db, "select from_url_id from page_visits where from_url_id is not null")
    assert came_from == []


async def test_addresses_on_excluded_domains_are_dropped_from_what_a_page_says(
    db: Database,
) -> None:
    """The page itself may be recorded; its icon, its picture, its own address may tell of another."""
    chosen = {"excluded_domains": ["bank.example"]}
    async with reader(db) as ada:
        assert (await ada.browser.patch("/v1/me/settings", json=chosen)).status_code == 200
        session = await ada.records.start(started_at=START)
        kept = {"description": "said", "ogTitle": "so", "language": "en"}
        addresses = [
            "https://bank.example/secret.png",
            "http://www.BANK.example:80/secret",
            "https://my.bank.example./secret",
            "https://:secret@bank.example/",
            "https://bank.example:99999/secret",
        ]
        for n, address in enumerate(addresses, 1):
            meta = {"favicon": address, "ogImage": address, "canonical": address, **kept}
            said = {"content": f"text {n}", "meta": meta}
            url = f"{SHARED}/{n}"
            await ada.records.send(
                session, event(n, "CONTENT_EXTRACTED", n, tabId=1, url=url, payload=said)
            )
        fine = {"favicon": "https://notbank.example/f.ico", "canonical": SHARED}
        last = {"content": "text", "meta": fine}
        await ada.records.send(
            session, event(6, "CONTENT_EXTRACTED", 6, tabId=1, url=SHARED, payload=last)
        )
    assert await traces(db, "secret") == {}
    kept_rows = await fetch(db, "select meta, favicon from page_contents order by content")
    assert [each["meta"] for each in kept_rows] == [fine, *[kept] * len(addresses)]
    assert [each["favicon"] for each in kept_rows[1:]] == [None] * len(addresses)


async def test_events_without_url_bring_no_title_either(db: Database) -> None:
    """As the extension sends pages that it may not tell of."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        said: Json = {"title": "secrettitle", "content": "secrettext", "transition": "typed"}
        await ada.send(
            session,
            activate(1, 0, SHARED),
            nav(2, 1_000, None, **said),
            {**activate(3, 2_000, None, tab=2), "payload": said},
            event(4, "ALIVE", 3_000, url="https://secret.example/", payload=said),
            event(5, "WINDOW_FOCUS_CHANGED", 3_500, windowId=-1, payload=said),
            nav(6, 4_000, SHARED, tab=2),
            alive(7, 5_000),
        )
    assert await traces(db, "secret") == {}
    pauses = await fetch(db, "select kind from session_pauses")
    assert [each["kind"] for each in pauses] == ["no_page"]
