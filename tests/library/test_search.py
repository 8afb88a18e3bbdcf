"""Search over the API: what is found, in which order, and what is not found any more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from mindhit import tracking
from mindhit.db import Database
from mindhit.library import put_topics
from mindhit.library.job_types import Index, Indexed
from mindhit.library.search import answering, backfill, candidates
from mindhit.tracking import SessionId
from mindhit.work import enqueue
from mindhit.work.testing import pass_time
from tests.accounts.kit import add, client_of, rows
from tests.insight.kit import BREAD, KOREAN, SPACE, Seen
from tests.library.search_kit import Reader, reader

LOAF = Seen("https://bread.example/loaf", "How to bake a loaf", BREAD)
PLANET = Seen("https://space.example/planets", "A planet with an ocean", SPACE)
LEASE = Seen("https://house.example/jeonse", "전세 계약 전에 볼 것", KOREAN)


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Reader]:
    async with reader(db, await add(db)) as one:
        yield one


async def test_a_recorded_text_is_found_and_opens_the_visit_it_was_read_in(ada: Reader) -> None:
    session = await ada.record(PLANET, LOAF)
    [hit] = (await ada.search("lactic acid bacteria"))["hits"]
    assert (hit["kind"], hit["title"], hit["session_id"]) == ("page", LOAF.title, session)
    assert (hit["found_in"], hit["url"], hit["domain"]) == ("text", LOAF.url, "bread.example")
    visited = await ada.client.get(f"/v1/visited/{hit['url_id']}")
    assert visited.json()["url"] == LOAF.url
    assert "lactic" in {piece for piece, is_hit in hit["snippet"] if is_hit}
    [visit] = await rows(
        ada.db,
        "select v.opened_by_seq from page_visits v join urls u on u.id = v.url_id"
        " where v.session_id = $1 and u.url = $2",
        UUID(session),
        LOAF.url,
    )
    assert hit["visit"] == visit["opened_by_seq"]


async def test_korean_is_found_with_other_particles_and_inside_of_words(ada: Reader) -> None:
    await ada.record(LEASE, LOAF)
    for typed in ("보증금은", "등기부등본", "우선변제", "전세보증보험을 확인"):
        assert await ada.titles(typed) == [LEASE.title], typed


async def test_plurals_forms_beginnings_case_and_accents_do_not_matter(ada: Reader) -> None:
    await ada.record(
        Seen("https://a.example/1", "Querying caches in Café Müller", "Indexes were rebuilt."),
        PLANET,
    )
    for typed in ("QUERIES", "cache", "cafe muller", "index", "rebuild rebuilt", "querying cach"):
        found = await ada.titles(typed.split()[-1] if typed.startswith("rebuild") else typed)
        assert found == ["Querying caches in Café Müller"], typed


async def test_one_wrong_letter_or_syllable_is_forgiven_outside_of_recorded_texts(
    ada: Reader,
) -> None:
    await ada.record(
        Seen("https://a.example/", "Photosynthesis explained", "Chlorophyll is green."),
        Seen("https://b.example/", "데이터베이스를 고르는 법", "트랜잭션은 격리된다."),
    )
    for typed in ("photosinthesis", "photosynthsis", "phottosynthesis", "hpotosynthesis"):
        assert await ada.titles(typed) == ["Photosynthesis explained"], typed
    for typed in ("데이타베이스", "데이터배이스", "데이터베이", "데이터베잇스"):
        assert await ada.titles(typed) == ["데이터베이스를 고르는 법"], typed
    assert await ada.titles("clorophyll") == []
    assert await ada.titles("chlorophyll") == ["Photosynthesis explained"]
    assert await ada.titles("plant") == []  # four letters and a wrong one are another word


async def test_titles_come_before_highlights_and_those_before_texts(ada: Reader) -> None:
    await ada.record(
        Seen("https://a.example/", "In the text", "Nothing but heliotrope here."),
        Seen("https://b.example/", "Marked", "Some.", highlight="a heliotrope in bloom"),
        Seen("https://c.example/", "The heliotrope", "Something else."),
    )
    hits = (await ada.search("heliotrope"))["hits"]
    assert [(hit["kind"], hit["title"], hit["found_in"]) for hit in hits] == [
        ("page", "The heliotrope", "title"),
        ("highlight", "Marked", "highlight"),
        ("page", "In the text", "text"),
    ]


async def test_a_note_on_a_highlight_is_found_until_it_is_deleted(ada: Reader) -> None:
    await ada.record(Seen("https://a.example/", "Marked", "Some.", highlight="a garden in bloom"))
    [highlight] = (await ada.client.get("/v1/highlights")).json()["highlights"]
    for note, found in (("Plant heliotrope here", [("highlight", "note")]), (None, [])):
        changed = await ada.client.patch(f"/v1/highlights/{highlight['id']}", json={"note": note})
        assert changed.status_code == 200, changed.text
        await ada.work()
        hits = (await ada.search("heliotrope"))["hits"]
        assert [(hit["kind"], hit["found_in"]) for hit in hits] == found
        docs = await rows(
            ada.db,
            "select lexemes::text as words from search_docs where id = $1",
            UUID(highlight["id"]),
        )
        assert ("heliotrop" in docs[0]["words"]) == bool(found)


async def test_of_two_that_are_as_good_the_newer_comes_first(ada: Reader) -> None:
    await ada.record(
        Seen("https://a.example/", "Heliotrope one", "x"),
        Seen("https://b.example/", "Heliotrope two", "x"),
    )
    assert await ada.titles("heliotrope") == ["Heliotrope two", "Heliotrope one"]


async def test_a_page_that_was_read_in_many_sessions_is_one_hit(ada: Reader) -> None:
    await ada.record(LOAF)
    last = await ada.record(PLANET, LOAF)  # half a minute later
    [hit] = (await ada.search("sourdough starter"))["hits"]
    assert hit["session_id"] == last


async def test_bookmarks_are_found_by_title_note_tags_and_address(ada: Reader) -> None:
    page = await ada.save(
        "https://docs.example/guides/tokio", title="Async", note="for Monday", tags=["rust-lang"]
    )
    for typed in ("async", "monday", "rust", "tokio"):
        [hit] = (await ada.search(typed))["hits"]
        assert (hit["kind"], hit["page_id"]) == ("bookmark", page["id"]), typed
    await ada.client.patch(f"/v1/pages/{page['id']}", json={"title": "Sync", "note": None})
    await ada.work()
    assert await ada.titles("monday") == []
    assert await ada.titles("sync") == ["Sync"]


async def test_a_session_is_found_by_title_keywords_and_topics_of_its_map(ada: Reader) -> None:
    session = UUID(await ada.record(LOAF, title="Sunday experiments"))
    async with ada.db.transaction() as tx:
        await tracking.put_keywords(tx, ada.user_id, SessionId(session), ["fermentation"])
        version = (await ada.recording.session(session))["timeline_version"]
        await put_topics(tx, ada.user_id, session, ["Wild yeast cultures"], version)
    await ada.work()
    for typed, place in (
        ("experiments", "title"),
        ("fermentation", "keywords"),
        ("cultures", "topics"),
    ):
        hits = (await ada.search(typed, kind="session"))["hits"]
        assert [(hit["session_id"], hit["found_in"]) for hit in hits] == [(str(session), place)]
    await ada.client.patch(f"/v1/sessions/{session}", json={"title": "Monday"})
    assert await ada.titles("experiments") == []  # before the index has heard of it


async def test_topics_of_an_earlier_timeline_are_not_found(ada: Reader) -> None:
    session = UUID(await ada.record(LOAF))
    async with ada.db.transaction() as tx:
        await put_topics(tx, ada.user_id, session, ["Secret gardens"], 0)
    await ada.work()
    assert (await ada.search("gardens"))["hits"] == []


async def test_summaries_are_found_once_they_are_written(ada: Reader) -> None:
    await ada.record(LOAF)
    [text] = await rows(ada.db, "select id from page_contents")
    async with ada.db.transaction() as tx:
        await tracking.put_summary(
            tx, ada.user_id, text["id"], "About levain.", ["boulangerie"], "builtin"
        )
    await ada.work()
    [hit] = (await ada.search("levain"))["hits"]
    assert (hit["found_in"], hit["title"]) == ("summary", LOAF.title)
    assert (await ada.search("boulangerie"))["hits"][0]["found_in"] == "keywords"


async def test_a_text_that_the_server_fetched_later_is_found(ada: Reader) -> None:
    page = Seen("https://a.example/late", "Late", failed=True, no_fetch=False)
    session = await ada.record(page)
    [url] = await rows(ada.db, "select id from urls where url = $1", page.url)
    async with ada.db.transaction() as tx:
        assert await tracking.put_crawled(
            tx, ada.user_id, url["id"], tracking.CrawledPage("Late", "A treatise on heliotropes.")
        )
    await ada.work()
    [hit] = (await ada.search("heliotropes"))["hits"]
    assert (hit["session_id"], hit["found_in"]) == (session, "text")


async def test_operators_narrow_what_is_found(ada: Reader) -> None:
    await ada.record(LOAF, PLANET)
    await ada.save("https://sub.space.example/atlas", title="Planet atlas")
    assert set(await ada.titles("planet")) == {PLANET.title, "Planet atlas"}
    assert await ada.titles("planet -atlas") == [PLANET.title]
    assert await ada.titles("site:space.example") == ["Planet atlas", PLANET.title]
    assert await ada.titles("site:sub.space.example") == ["Planet atlas"]
    assert await ada.titles('"wild yeast"') == [LOAF.title]
    assert await ada.titles('"yeast wild"') == []
    assert await ada.titles('planet -"carbon dioxide"') == ["Planet atlas"]
    assert await ada.titles("planet before:2025-07") == [PLANET.title]
    assert await ada.titles("planet after:2025-07") == ["Planet atlas"]
    assert await ada.titles("planet", kind="bookmark") == ["Planet atlas"]
    assert await ada.titles("planet", domain="space.example", kind="page") == [PLANET.title]
    assert await ada.titles("planet", to="2025-06-01T00:00:00Z") == []


async def test_where_nothing_has_all_words_some_of_them_do(ada: Reader) -> None:
    await ada.record(LOAF, PLANET)
    found = await ada.search("why does sourdough taste so gloriously of acids")
    assert found["is_loose"]
    assert found["hits"][0]["title"] == LOAF.title
    assert not (await ada.search("sourdough"))["is_loose"]


async def test_facets_count_kinds_and_sites(ada: Reader) -> None:
    await ada.record(LOAF, PLANET)
    await ada.save("https://space.example/atlas", title="The planet atlas")
    facets = (await ada.search("the"))["facets"]
    assert {each["value"]: each["count"] for each in facets["kind"]} == {"bookmark": 1}
    facets = (await ada.search("planet"))["facets"]
    assert {each["value"]: each["count"] for each in facets["kind"]} == {"bookmark": 1, "page": 1}
    assert facets["domain"] == [{"value": "space.example", "count": 2}]


async def test_a_site_is_named_wherever_its_candidates_stand(
    ada: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "MOST_CHECKED", 10)
    monkeypatch.setattr(candidates, "LISTED", 20)
    older = [Seen(f"https://old.example/{n}", f"Heliotrope {n}", "x", 4) for n in range(7)]
    newer = [Seen(f"https://new.example/{n}", f"Heliotrope {n}", "x", 4) for n in range(30)]
    await ada.record(*older, *newer)
    facets = (await ada.search("heliotrope", limit=5))["facets"]["domain"]
    assert [tuple(each.values()) for each in facets] == [("new.example", 30), ("old.example", 7)]
    await ada.client.post("/v1/forget", json={"url": older[-1].url})  # its newest
    facets = (await ada.search("heliotrope", limit=5))["facets"]["domain"]
    assert [each["value"] for each in facets] == ["new.example", "old.example"]
    await ada.client.post("/v1/forget", json={"domain": "old.example"})
    facets = (await ada.search("heliotrope", limit=5))["facets"]["domain"]
    assert [each["value"] for each in facets] == ["new.example"]


async def test_of_a_word_that_all_documents_have_the_best_titles_are_found_however_old(
    ada: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "MOST", 60)
    await ada.record(
        Seen("https://a.example/", "The heliotrope", "A flower."),
        *(Seen(f"https://b.example/{n}", f"Day {n}", "heliotrope", 4) for n in range(80)),
    )
    found = await ada.search("heliotrope")
    assert found["hits"][0]["title"] == "The heliotrope"
    assert not found["is_counted"]


async def test_what_has_all_words_comes_first_where_hardly_anything_does(
    ada: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many newer documents have each of the words."""
    monkeypatch.setattr(candidates, "MOST", 20)
    words = ("heliotrope", "marigold", "saxifrage")
    await ada.record(
        Seen("https://a.example/", "All of them", f"Said once: {' and '.join(words)}."),
        *(Seen(f"https://b.example/{n}", words[n % 3], "x", 4) for n in range(90)),
    )
    found = await ada.search("saxifrage heliotrope marigold")
    assert found["is_loose"]
    assert found["hits"][0]["title"] == "All of them"


async def test_a_phrase_may_have_words_that_every_text_has(ada: Reader) -> None:
    await ada.record(
        Seen("https://a.example/", "One", "It is the state of the art, they say."), LOAF
    )
    assert await ada.titles('"state of the art"') == ["One"]
    assert await ada.titles('"state of an art"') == []


async def test_a_common_word_is_found_by_its_beginning_where_a_site_has_nothing_else(
    ada: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "COMMON", 5)
    await ada.record(
        *(Seen(f"https://b.example/{n}", f"Paint {n}", "x", 4) for n in range(20)),
        Seen("https://a.example/", "Paintings of the north", "x"),
    )
    assert await ada.titles("paint site:a.example") == ["Paintings of the north"]


async def test_what_is_deleted_is_not_found_in_the_next_request(ada: Reader) -> None:
    session = await ada.record(LOAF)
    page = await ada.save(LOAF.url, title="Loaf")
    assert len((await ada.search("loaf"))["hits"]) == 2
    assert (await ada.client.delete(f"/v1/pages/{page['id']}")).status_code == 204
    assert (await ada.client.delete(f"/v1/sessions/{session}")).status_code == 204
    found = await ada.search("loaf")
    assert (found["hits"], found["facets"]["domain"], found["count"]) == ([], [], 0)
    await ada.work()
    left = await rows(ada.db, "select kind from search_docs where kind <> 'text'")
    assert left == []


async def test_what_is_forgotten_is_not_found_in_the_next_request(ada: Reader) -> None:
    await ada.record(
        LOAF, PLANET, Seen("https://space.example/b", "Other", "y", highlight="bright methane")
    )
    assert len((await ada.search("methane"))["hits"]) == 2
    forgotten = await ada.client.post("/v1/forget", json={"domain": "space.example"})
    assert forgotten.status_code == 200, forgotten.text
    for typed in ("methane", "planet", "site:space.example", "space"):
        found = await ada.search(typed)
        assert (found["hits"], found["facets"]["domain"]) == ([], []), typed
    assert await ada.titles("sourdough") == [LOAF.title]
    await pass_time(ada.db, 3_600)
    await ada.work()
    assert await ada.titles("methane") == []
    assert await ada.titles("sourdough") == [LOAF.title]


@pytest.mark.parametrize(
    "typed",
    [
        "a" * 10_000,
        "word " * 2_000,
        "site: before: after: -",
        "-" * 500,
        '"' * 499,
        '"q" ' * 100 + "-b " * 100,
        "(a+)+$ .* [x-y]{1000} \\d (?:",
        "'; drop table search_docs; --",
        "a' | b & !c <-> 'd",
        "before:9999-99-99 after:0000 site:'''",
        "after:9999 before:0001",
        "\\ ' \\' ''",
        "ㅎㅏㄴ 한 한ㄱ",
        "\ufffd\u200b\u202e",
        "가" * 500,
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
        f"site:{chr(0xFDFA) * 400}",
        f"-site:{chr(0xFDFA) * 400} {chr(0xFDFA) * 400}",
        "nothing\x00here",
    ],
)
async def test_anything_can_be_typed(ada: Reader, typed: str) -> None:
    await ada.record(LOAF)
    found = await ada.search(typed)
    assert found["hits"] == []


async def test_what_is_far_too_long_is_refused(ada: Reader) -> None:
    for path in ("/v1/search", "/v1/search/suggestions"):
        longest = await ada.client.get(path, params={"q": "a" * 10_000})
        assert longest.status_code == 200
        longer = await ada.client.get(path, params={"q": "a" * 10_001})
        assert longer.status_code == 422


async def test_every_address_and_title_can_be_indexed(ada: Reader) -> None:
    strange = "'\\ \" :* & | ! <-> \u202e \U0001f600 İß ﬁ Å 가\u1112\u1161"
    await ada.record(Seen("https://a.example/%27%5C?q=%00%ff'", strange, strange * 50))
    assert await ada.titles("site:a.example") != []
    assert await ada.titles("fi") != []  # the ligature of the title


async def test_a_session_that_goes_on_is_not_found_yet(ada: Reader) -> None:
    started = await ada.client.post("/v1/sessions/start", json={"title": "Underway"})
    await ada.client.patch(f"/v1/sessions/{started.json()['session_id']}", json={"title": "Still"})
    await ada.work()
    assert await ada.titles("still") == []


async def test_what_was_there_before_search_is_back_filled_once(ada: Reader) -> None:
    await ada.record(LOAF)
    await ada.save("https://a.example/", title="Older")
    async with ada.db.transaction() as tx:
        await tx._connection.execute("delete from search_docs")
        await tx._connection.execute("delete from search_progress")
    assert await ada.titles("loaf") == []
    assert await backfill.fill(ada.db) == 2
    lanes = await rows(
        ada.db, "select lane from jobs where kind = 'library:index' and status = 'queued'"
    )
    assert {each["lane"] for each in lanes} == {"low"}
    await ada.work()
    assert await ada.titles("loaf") == [LOAF.title]
    assert await ada.titles("older") == ["Older"]
    assert await backfill.fill(ada.db) == 0


async def test_indexing_again_writes_nothing(ada: Reader) -> None:
    session = await ada.record(LOAF, PLANET)
    await ada.save("https://a.example/", title="Older")
    sql = "select id, xmin::text from search_docs order by id"
    before = await rows(ada.db, sql)
    async with ada.db.transaction() as tx:
        await enqueue(tx, Index(Indexed.SESSION, UUID(session), ada.user_id))
        await enqueue(tx, Index(Indexed.BOOKMARKS, ada.user_id, ada.user_id))
    await ada.work()
    assert await rows(ada.db, sql) == before


async def test_a_search_is_saved_renamed_and_deleted(ada: Reader) -> None:
    saved = {"name": "Bread", "query": "sourdough site:bread.example"}
    first = (await ada.client.post("/v1/saved-searches", json=saved)).json()
    again = (await ada.client.post("/v1/saved-searches", json={**saved, "name": "Loaves"})).json()
    assert again["id"] == first["id"]
    listed = (await ada.client.get("/v1/saved-searches")).json()["searches"]
    assert [(each["name"], each["query"]) for each in listed] == [("Loaves", saved["query"])]
    path = f"/v1/saved-searches/{first['id']}"
    assert (await ada.client.delete(path)).status_code == 204
    assert (await ada.client.delete(path)).status_code == 404


async def test_suggestions_are_titles_and_where_they_are_and_no_text(ada: Reader) -> None:
    session = await ada.record(LOAF, PLANET)
    answer = await ada.client.get("/v1/search/suggestions", params={"q": "lactic acid"})
    [found] = answer.json()["suggestions"]
    assert (found["title"], found["url"], found["session_id"]) == (LOAF.title, LOAF.url, session)
    assert "snippet" not in found
    assert "bacteria" not in answer.text
    refused = await ada.client.get("/v1/search/suggestions", params={"q": "a", "limit": 11})
    assert refused.status_code == 422


async def test_whoever_is_not_signed_in_finds_nothing(db: Database) -> None:
    async with client_of(db) as nobody:
        assert (await nobody.get("/v1/search", params={"q": "x"})).status_code == 401
