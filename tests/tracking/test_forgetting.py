"""What is forgotten is nowhere any more: not in a table, an export, a rendered session or a log line."""

from __future__ import annotations

import io
import logging
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import uuid4

import pytest

from mindhit import log
from mindhit.accounts import Scope
from mindhit.db import Database
from mindhit.tracking.maintenance import retention
from tests.accounts.kit import add, browser_of, client_of, rows, run_jobs, snapshot, token_of
from tests.tracking.forgetting_kit import (
    CANARY,
    DAY,
    MINUTE,
    OTHER,
    PAGE,
    SITE,
    assert_folds_alike,
    assert_gone,
    exported,
    forget,
    log_of,
    moment,
    record,
    rendered,
    words_left,
)
from tests.tracking.kit import (
    START,
    Json,
    activate,
    alive,
    browsing,
    event,
    execute,
    nav,
    pauses,
    recorder,
    session_row,
    timeline,
    visits,
    work_off,
)

FORMS: dict[str, Json] = {
    "site": {"domain": f"https://www.{SITE}/"},
    "day": {"day": DAY},
    "stretch": {"from": moment(50_000), "to": moment(121_000)},
}


@pytest.fixture
def logs() -> io.StringIO:
    """Every line that is logged, also by libraries, whatever was configured before."""
    log.configure("json", "debug")
    [handler] = logging.getLogger().handlers
    assert isinstance(handler, logging.StreamHandler)
    lines = io.StringIO()
    handler.setStream(lines)
    return lines


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_live", [False, True])
async def test_nothing_forgotten_is_left(
    db: Database,
    form: str,
    is_live: bool,
    logs: io.StringIO,
) -> None:
    async with recorder(db) as who:
        session = await record(who, stop=not is_live)
        filled = {"urls", "page_contents", "raw_events", "highlights", "page_visits"}
        assert set(await words_left(db, CANARY)) >= filled
        shape = [(e["seq"], e["t"], e["type"], e["tab_id"]) for e in await log_of(db, session)]
        told = await forget(who, **FORMS[form])
        assert told["is_done"]
        assert told["visits"] >= 3
        assert told["highlights"] == 1
        await assert_gone(who, session)
        after = await log_of(db, session)
        assert [(e["seq"], e["t"], e["type"], e["tab_id"]) for e in after] == shape
        await assert_folds_alike(who, session)
        await work_off(db)
        await assert_gone(who, session)
    assert "/v1/forget" in logs.getvalue()
    assert CANARY not in logs.getvalue().lower()


async def test_a_page_goes_and_the_rest_of_its_site_stays(db: Database) -> None:
    async with recorder(db) as who:
        session = await record(who)
        await forget(who, url=PAGE)
        assert await words_left(db, "canary-search", "canary again", "canary-1") == {}
        assert "background-canary" in str(await words_left(db, CANARY))
        assert [each["url"] for each in await visits(db, session)] == [OTHER, f"{OTHER}/after"]
        assert {each["came_from"] for each in await visits(db, session)} == {None}
        await assert_folds_alike(who, session)


async def test_by_its_id_a_page_is_the_same(db: Database) -> None:
    async with recorder(db) as who:
        await record(who)
        [page] = await rows(db, "select id from urls where url like '%canary-search'")
        told = await forget(who, url_id=str(page["id"]))
        assert told["visits"] == 3
        assert await words_left(db, "canary-search") == {}


async def test_one_visit_goes_with_what_is_known_only_through_it(db: Database) -> None:
    """The preview has counted the visits that follow without naming the page."""
    async with recorder(db) as who:
        session = await record(who)
        [first, *_] = [each for each in await visits(db, session) if CANARY in each["url"]]
        what = {"session_id": session, "visit_id": f"{session}:{first['opened_by_seq']}"}
        asked = await forget(who, **what, dry_run=True)
        assert asked == {
            **asked,
            "id": None,
            "sessions": 1,
            "visits": 3,
            "pages": 1,
            "highlights": 1,
        }
        assert len(await visits(db, session)) == 5
        await forget(who, **what)
        assert [each["url"] for each in await visits(db, session)] == [OTHER, f"{OTHER}/after"]
        assert await words_left(db, "canary-search", "canary again", "canary-1") == {}
        await assert_folds_alike(who, session)


async def test_one_visit_goes_and_others_of_the_page_stay(db: Database) -> None:
    """The middle one was opened by an event that names no page; its neighbours are as they were."""
    async with recorder(db) as who:
        session = await who.start()
        focus = {"windowId": 1, "payload": {"focused": True}}
        await who.send(
            session,
            event(1, "WINDOW_FOCUS_CHANGED", 0, **focus),
            activate(2, 0, OTHER),
            event(3, "WINDOW_FOCUS_CHANGED", 10_000, windowId=-1),
            event(4, "WINDOW_FOCUS_CHANGED", 20_000, **focus),
            event(5, "WINDOW_FOCUS_CHANGED", 30_000, windowId=-1),
            event(6, "WINDOW_FOCUS_CHANGED", 40_000, **focus),
            nav(7, 50_000, f"{OTHER}/next", transition="link"),
            alive(8, 60_000),
        )
        before = await visits(db, session)
        told = await forget(who, session_id=session, visit_id=f"{session}:4")
        assert told["visits"] == 1
        after = await visits(db, session)
        assert [each["opened_by_seq"] for each in before] == [2, 3, 4, 5, 6]
        assert [each["opened_by_seq"] for each in after] == [2, 3, 5, 6]
        kept = [each for each in before if each["opened_by_seq"] != 4]
        assert [{**each, "visit_order": 0} for each in after] == [
            {**each, "visit_order": 0} for each in kept
        ]
        [gap] = await pauses(db, session)
        assert (gap["kind"], gap["left"] - gap["entered"]) == ("no_page", 10_000)
        await assert_folds_alike(who, session)


async def test_the_open_visit_of_a_forgotten_page_ends(db: Database) -> None:
    """And what is opened after it is recorded again, the same page too."""
    async with recorder(db) as who:
        session = await who.start()
        await who.send(session, activate(1, 0, PAGE), alive(2, 10_000))
        [open_] = await rows(db, "select fold_state from sessions")
        assert b"canary" not in (open_["fold_state"] or b"")  # it has the id of the page only
        told = await forget(who, domain=SITE)
        assert (told["sessions"], told["visits"], told["pages"]) == (1, 1, 1)
        async with browser_of(db, who.person) as browser:
            detail = (await browser.get(f"/v1/sessions/{session}")).json()
            assert detail["page_visits"] == []
            assert [each["kind"] for each in detail["pauses"]] == ["no_page"]
        now = int(datetime.now(UTC).timestamp() * 1000) - START + MINUTE
        await who.send(session, nav(3, now, PAGE), alive(4, now + 5_000))
        async with browser_of(db, who.person) as browser:
            detail = (await browser.get(f"/v1/sessions/{session}")).json()
        assert [each["url"] for each in detail["page_visits"]] == [PAGE]


async def test_an_extension_forgets_by_time_site_and_page_only(db: Database) -> None:
    async with recorder(db) as who:
        session = await record(who)
        allowed: list[Json] = [{"last": "15m"}, {"domain": SITE}, {"url": PAGE}]
        for what in allowed:
            assert (await who.client.post("/v1/forget", json=what)).status_code == 200
        refused: list[Json] = [
            {"day": DAY},
            {"session_id": session, "visit_id": f"{session}:3"},
            {"url_id": str(uuid4())},
            {"from": moment(0), "to": moment(1)},
        ]
        for what in refused:
            assert (await who.client.post("/v1/forget", json=what)).status_code == 403


async def test_what_is_not_one_thing_is_refused(db: Database) -> None:
    async with recorder(db) as who:
        session = await record(who)
        bad: list[tuple[Json, int]] = [
            ({}, 422),
            ({"last": "1h", "domain": SITE}, 422),
            ({"last": "2h"}, 422),
            ({"domain": "not a domain"}, 422),
            ({"url": "about:blank"}, 422),
            ({"from": moment(5), "to": moment(5)}, 422),
            ({"from": moment(5)}, 422),
            ({"day": "9999-12-31"}, 422),
            ({"session_id": session, "visit_id": f"{session}:99"}, 404),
            ({"session_id": session, "visit_id": f"{uuid4()}:3"}, 404),
            ({"session_id": str(uuid4()), "visit_id": "3"}, 404),
            ({"last": "1h", "now": -1}, 422),
        ]
        async with browser_of(db, who.person) as browser:
            for what, status in bad:
                answer = await browser.post("/v1/forget", json=what)
                assert answer.status_code == status, (what, answer.text)
                assert SITE not in answer.text


async def test_a_preview_changes_nothing(db: Database) -> None:
    async with recorder(db) as who:
        await record(who)
        before = await snapshot(db)
        for what in FORMS.values():
            asked = await forget(who, **what, dry_run=True)
            assert (asked["id"], asked["sessions"], asked["highlights"]) == (None, 1, 1)
        after = await snapshot(db)
        signing_in = {"devices", "tokens", "security_events"}
        changed = {table for table in after if after[table] != before[table]}
        assert changed <= signing_in


async def test_another_readers_history_is_untouched(db: Database) -> None:
    """They were on the same pages: the addresses are shared, and stay for them."""
    async with recorder(db) as who, recorder(db, "bob@example.org") as bob:
        mine, his = await record(who), await record(bob)
        before = await timeline(db, his)
        events, texts = await log_of(db, his), await rendered(bob, his)
        await forget(who, domain=SITE)
        await work_off(db)
        assert await timeline(db, his) == before
        assert await log_of(db, his) == events
        assert await rendered(bob, his) == texts
        for body in await rendered(who, mine):
            assert CANARY not in body.lower()
        for name, file in (await exported(who)).items():
            assert CANARY.encode() not in file.lower(), name


async def test_of_two_devices_at_once_one_visit_is_one_devices(db: Database) -> None:
    async with recorder(db) as who:
        first, second = await record(who), await record(who)
        [_, visit, *_] = await visits(db, first)
        await forget(who, session_id=first, visit_id=f"{first}:{visit['opened_by_seq']}")
        assert PAGE not in [each["url"] for each in await visits(db, first)]
        assert PAGE in [each["url"] for each in await visits(db, second)]
        await forget(who, day=DAY)
        await work_off(db)
        assert await words_left(db, CANARY) == {}


async def test_a_timeline_without_its_log_is_shortened_too(db: Database) -> None:
    async with recorder(db) as who:
        session = await record(who)
        await execute(db, "delete from raw_events")
        await forget(who, domain=SITE)
        assert [each["url"] for each in await visits(db, session)] == [OTHER, f"{OTHER}/after"]
        assert [each["visit_order"] for each in await visits(db, session)] == [1, 2]
        row = await session_row(db, session)
        assert (row["page_count"], row["highlight_count"]) == (2, 0)
        assert row["top_domains"] == ["example.org"]
        await work_off(db)
        assert await words_left(db, "secret-canary") == {}
        idle = [each["kind"] for each in await pauses(db, session)]
        assert idle.count("no_page") >= 3


async def test_a_page_that_points_at_a_forgotten_site_points_no_longer(db: Database) -> None:
    async with recorder(db) as who:
        session = await who.start()
        meta = {"canonical": PAGE, "ogImage": f"http://img.{SITE}/a.png", "description": "kept"}
        page: Json = {"content": "kept", "extractionOk": True, "meta": meta}
        await who.send(session, nav(1, 0, OTHER, **page), alive(2, 5_000))
        await forget(who, domain=SITE)
        assert await words_left(db, CANARY) == {}
        [text] = await rows(db, "select meta from page_contents")
        assert text["meta"] == {"description": "kept"}


async def fold_what_is_stale(db: Database, session: str) -> None:
    """A batch that brought something of a stretch forgotten before leaves the session to a job."""
    if (await session_row(db, session))["is_stale"]:
        [_] = await rows(
            db,
            "select from jobs where kind = 'tracking:refold' and status = 'queued'"
            " and args ->> 'session_id' = $1",
            session,
        )
        await work_off(db)
    assert not (await session_row(db, session))["is_stale"]


async def test_what_is_stored_is_the_fold_of_the_redacted_log(db: Database) -> None:
    """Random sessions, closed and live, of which something random is forgotten."""
    async with recorder(db) as who:
        for seed in range(24):
            rng, events = Random(seed), browsing(seed, 50)
            session = await who.start(started_at=events[0]["t"])
            for first in range(0, len(events), 20):
                await who.send(session, *events[first : first + 20])
            if seed % 2:
                await who.stop(session, max(each["t"] for each in events) - START, len(events))
            await run_jobs(db)
            times = sorted(rng.sample([each["t"] - START for each in events], 2))
            seen = await visits(db, session)
            forms: list[Json] = [
                {"from": moment(times[0]), "to": moment(times[1] + 1)},
                {"url": f"https://example.org/page/{rng.randrange(4)}"},
                *({"session_id": session, "visit_id": str(each["opened_by_seq"])} for each in seen),
            ]
            await forget(who, **forms[min(seed % 3, len(forms) - 1)])
            await fold_what_is_stale(db, session)
            await assert_folds_alike(who, session)
            named = [each["url_id"] for each in await log_of(db, session) if each["url_id"]]
            known = await rows(db, "select url_id from reader_urls where url_id = any ($1)", named)
            assert len(known) == len(set(named)), seed


async def test_ranges_name_nothing_and_go_when_nothing_can_arrive_any_more(db: Database) -> None:
    async with recorder(db) as who:
        await forget(who, domain=SITE)
        await forget(who, url=PAGE)
        [first, second] = await rows(db, "select * from forgotten_ranges order by created_at")
        assert first["domain_hash"] is not None
        assert second["url_hash"] is not None
        await retention.drop_forgotten_ranges(db, datetime.now(UTC) + timedelta(days=31))
        assert len(await rows(db, "select from forgotten_ranges")) == 2
        await retention.drop_forgotten_ranges(db, datetime.now(UTC) + timedelta(days=33))
        assert await rows(db, "select from forgotten_ranges") == []


async def test_a_day_is_one_where_the_person_lives(db: Database) -> None:
    """START is June 15th, 15:06 in Greenwich and after midnight in Seoul."""
    async with recorder(db) as who:
        await record(who)
        for zone, day, other in (
            ("Asia/Seoul", "2025-06-16", "2025-06-15"),
            ("Europe/London", "2025-06-15", "2025-06-16"),
        ):
            async with browser_of(db, who.person) as browser:
                await browser.patch("/v1/me/settings", json={"timezone": zone})
            assert (await forget(who, day=other, dry_run=True))["visits"] == 0
            assert (await forget(who, day=day, dry_run=True))["visits"] == 5


async def test_nobody_sees_how_far_anothers_forgetting_is(db: Database) -> None:
    async with recorder(db) as who:
        told = await forget(who, domain=SITE)
        eve = await add(db, "eve@example.org")
        token = await token_of(db, eve, Scope.API)
        async with client_of(db, Authorization=f"Bearer {token}") as client:
            assert (await client.get(f"/v1/forget/{told['id']}")).status_code == 404


async def test_a_route_of_an_app_goes_while_the_app_stays(db: Database) -> None:
    """Its address differs from the page's identity, which another session still has."""
    app = "https://app.example/mail"
    async with recorder(db) as who:
        kept = await who.start()
        await who.send(kept, activate(1, 0, f"{app}#/inbox"), alive(2, MINUTE))
        await who.stop(kept, 2)
        session = await who.start()
        await who.send(session, activate(1, 0, f"{app}#/letter-canary"), alive(2, MINUTE))
        await who.stop(session, 2)
        await work_off(db)
        assert await words_left(db, "letter-canary")
        [visit] = await visits(db, session)
        await forget(who, session_id=session, visit_id=f"{session}:{visit['opened_by_seq']}")
        assert await words_left(db, "letter-canary") == {}
        [page] = await rows(db, "select address from reader_urls")
        assert page["address"] == f"{app}#/inbox"


@pytest.mark.parametrize("has_log", [True, False])
async def test_what_was_made_of_a_forgotten_page_goes_with_it(db: Database, has_log: bool) -> None:
    async with recorder(db) as who:
        session = await record(who)
        await work_off(db)
        await execute(
            db,
            "update sessions set title = 'About a canary', title_by = 'generated',"
            " top_keywords = '{canary}', progress = '{\"step\": \"canary\"}'",
        )
        if not has_log:
            await execute(db, "delete from raw_events")
        before = (await session_row(db, session))["timeline_version"]
        await forget(who, domain=SITE)
        row = await session_row(db, session)
        made = (row["title"], row["title_by"], row["top_keywords"], row["progress"])
        assert made == (None, None, [], None)
        assert row["timeline_version"] > before
        assert await words_left(db, "about a canary") == {}
