"""A person's own provider: used alone, tested in a process of its own, its key found nowhere."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import zipfile
from collections.abc import AsyncIterator

import psutil
import pytest

from mindhit import log
from mindhit.db import Database
from mindhit.errors import TooMany
from mindhit.language import ProviderTester, Reader
from mindhit.language.providers.testing import AT_ONCE
from mindhit.settings import Settings
from tests.accounts.kit import add, browser_of, export, rows, snapshot
from tests.language.kit import PAGE, choose, config, ledger, speaking
from tests.language.wire import Fail, ModelServer, Say, model_server

CANARY = "sk-canary-4f1c9a77e2b84d6c-zqxj"


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as made:
        made.otherwise = Say('{"ok": true}')
        yield made


@pytest.fixture
def allowing() -> Settings:
    return config(own_provider_hosts=("127.0.0.1",))


def own(server: ModelServer, **more: str) -> dict[str, str]:
    return {"provider": "compatible", "model": "llama", "base_url": f"{server.url}/v1", **more}


async def test_the_key_is_found_nowhere(
    db: Database, server: ModelServer, allowing: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    log.configure("json", "debug")
    ada, eve = await add(db), await add(db, "eve@example.org")
    texts: list[str] = []
    server.otherwise = Fail(401, message=f"Incorrect API key provided: {CANARY}")
    async with browser_of(db, ada, allowing) as browser:
        answers = [
            await browser.put("/v1/me/provider", json=own(server, key=CANARY)),
            await browser.put("/v1/me/provider", json=own(server, key=f"{CANARY} ")),
            await browser.put("/v1/me/provider", json=own(server, key=f"a {CANARY}")),
            await browser.put("/v1/me/provider", json={"provider": "x", "key": CANARY}),
            await browser.post("/v1/me/provider/test"),
            await browser.get("/v1/me/provider"),
        ]
        texts += [answer.text for answer in answers]
        exported = await export(db, browser)
    async with browser_of(db, eve, allowing) as browser:
        texts.append((await browser.get("/v1/me/provider")).text)
        others = await export(db, browser)
    async with speaking(db, allowing) as language:
        made = await language.summarise(PAGE, Reader(ada.id))
    assert made.engine.limitation == "key-refused"
    assert server.seen[0].headers["Authorization"] == f"Bearer {CANARY}"
    for archive in (exported, others):
        files = zipfile.ZipFile(io.BytesIO(archive))
        texts += [files.read(name).decode() for name in files.namelist()]
    said = capfd.readouterr()
    texts += [said.out, said.err, json.dumps(await snapshot(db)), repr(allowing)]
    assert "key-refused" in "".join(texts)
    assert not [text[:300] for text in texts if CANARY in text]
    assert not [text for text in texts if "canary" in text or CANARY[-4:] in text]


async def test_no_process_list_shows_it(
    db: Database, server: ModelServer, allowing: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is the installation's own key in the environment of the process that tests."""
    monkeypatch.setenv("MINDHIT_OPENAI_KEY", CANARY)
    ada = await add(db)
    server.may_answer.clear()
    async with browser_of(db, ada, allowing) as browser:
        await browser.put("/v1/me/provider", json=own(server, key=CANARY))
        testing = asyncio.create_task(browser.post("/v1/me/provider/test"))
        await server.asked.wait()
        children = psutil.Process().children(recursive=True)
        shown = [(each.cmdline(), each.environ()) for each in children]
        server.may_answer.set()
        answer = await testing
    assert answer.json() == {"ok": True, "model": "llama", "error": None}
    assert any("mindhit.language.providers.child" in cmdline for cmdline, _ in shown)
    assert CANARY not in json.dumps(shown)


async def test_testing_says_what_is_wrong_and_is_paid_for(
    db: Database, server: ModelServer, allowing: Settings
) -> None:
    ada = await add(db)
    async with browser_of(db, ada, allowing) as browser:
        assert (await browser.post("/v1/me/provider/test")).status_code == 404
        await browser.put("/v1/me/provider", json=own(server, key=CANARY))
        server.turns = [Fail(404)]
        wrong = (await browser.post("/v1/me/provider/test")).json()
        assert wrong == {"ok": False, "model": "llama", "error": "model-unknown"}
        assert (await browser.get("/v1/me/provider")).json()["own"]["tested_at"] is None
        assert (await browser.post("/v1/me/provider/test")).json()["ok"]
        assert (await browser.get("/v1/me/provider")).json()["own"]["tested_at"] is not None
    [row] = await rows(db, "select * from token_usage")
    assert (row["payer"], row["operation"], row["tokens_used"]) == ("own", "test", server.tokens)


async def test_no_more_than_a_few_are_tested_at_once(
    db: Database, server: ModelServer, allowing: Settings
) -> None:
    ada = await add(db)
    await choose(db, allowing, ada.id, **own(server, key=CANARY))
    tester = ProviderTester()
    for _ in range(AT_ONCE):
        await tester._slots.acquire()
    with pytest.raises(TooMany):
        await tester.test_own(db, allowing, ada.id)
    assert server.seen == []


async def test_a_key_that_replaced_the_tested_one_is_not_tested(
    db: Database, server: ModelServer, allowing: Settings
) -> None:
    ada = await add(db)
    server.may_answer.clear()
    async with browser_of(db, ada, allowing) as browser:
        await browser.put("/v1/me/provider", json=own(server, key=CANARY))
        testing = asyncio.create_task(browser.post("/v1/me/provider/test"))
        await server.asked.wait()
        await browser.put("/v1/me/provider", json=own(server, key="another key".replace(" ", "-")))
        server.may_answer.set()
        assert (await testing).json()["ok"]
        assert (await browser.get("/v1/me/provider")).json()["own"]["tested_at"] is None


async def test_a_backup_of_another_person_has_no_key_and_a_whole_one_only_a_sealed_one(
    db: Database, server: ModelServer, allowing: Settings
) -> None:
    """A dump of the database, whoever asks for it, has the key in no form that can be read."""
    ada = await add(db)
    await choose(db, allowing, ada.id, **own(server, key=CANARY))
    dumped = json.dumps(await snapshot(db), default=str)
    assert "mh1." in dumped
    encoded = {CANARY.encode().hex(), base64.b64encode(CANARY.encode()).decode().rstrip("=")}
    assert not [form for form in {CANARY, CANARY[-4:], *encoded} if form in dumped]


async def test_a_key_stays_with_the_server_it_was_entered_for(
    db: Database, server: ModelServer, allowing: Settings
) -> None:
    ada = await add(db)
    async with browser_of(db, ada, allowing) as browser:
        first = (await browser.put("/v1/me/provider", json=own(server, key=CANARY))).json()
        assert sorted(first["own"]) == [
            *("base_url", "has_key", "model", "provider", "tested_at", "updated_at")
        ]
        renamed = await browser.put("/v1/me/provider", json=own(server, model="other"))
        assert renamed.json()["own"]["has_key"]
        elsewhere = own(server, base_url="https://models.example/v1")
        moved = await browser.put("/v1/me/provider", json=elsewhere)
        assert not moved.json()["own"]["has_key"]
        assert (await browser.delete("/v1/me/provider")).status_code == 204
        assert (await browser.delete("/v1/me/provider")).status_code == 404
    assert await rows(db, "select from provider_keys") == []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"provider": "openai", "model": "m"}, "/key"),
        ({"provider": "openai", "model": "m", "key": "a b"}, "/key"),
        ({"provider": "openai", "model": "", "key": "abc"}, "/model"),
        (
            {"provider": "openai", "model": "m", "key": "k", "base_url": "https://x.example"},
            "/base_url",
        ),
        ({"provider": "compatible", "model": "m"}, "/base_url"),
        ({"provider": "compatible", "model": "m", "base_url": "ftp://x.example"}, "/base_url"),
        ({"provider": "compatible", "model": "m", "base_url": "http://a:b@x.example"}, "/base_url"),
        ({"provider": "compatible", "model": "m", "base_url": "http://10.0.0.1/v1"}, "/base_url"),
        ({"provider": "compatible", "model": "m", "base_url": "http://[::1]/v1"}, "/base_url"),
        ({"provider": "compatible", "model": "m", "base_url": "http://localhost/v1"}, "/base_url"),
        ({"provider": "compatible", "model": "m", "base_url": "http://[/v1"}, "/base_url"),
        ({"provider": "compatible", "model": "m", "base_url": "http://0x7f.1/v1"}, "/base_url"),
        ({"provider": "compatible", "model": "m", "base_url": "http://x.example:25"}, "/base_url"),
    ],
)
async def test_what_can_t_be_used_is_refused_by_field(
    db: Database, body: dict[str, str], pointer: str
) -> None:
    ada = await add(db)
    async with browser_of(db, ada, config()) as browser:
        answer = await browser.put("/v1/me/provider", json=body)
    assert answer.status_code == 422
    assert [each["pointer"] for each in answer.json()["errors"]] == [pointer]


async def test_a_name_that_leads_into_the_network_is_refused_when_called(
    db: Database, server: ModelServer
) -> None:
    """Entered while it was allowed, or while its name led elsewhere."""
    ada = await add(db)
    allowing = config(own_provider_hosts=("127.0.0.1",))
    await choose(db, allowing, ada.id, **own(server))
    async with speaking(db, config()) as language:
        made = await language.summarise(PAGE, Reader(ada.id))
    assert (made.engine.name, made.engine.limitation) == ("builtin", "address-forbidden")
    assert server.seen == []
    assert await ledger(db) == []


async def test_an_own_provider_is_used_alone(
    db: Database, server: ModelServer, allowing: Settings
) -> None:
    """When it fails, nobody else is sent the page; and public texts never use it."""
    ada = await add(db)
    both = {**server.settings("claude"), "own_provider_hosts": ("127.0.0.1",)}
    await choose(db, allowing, ada.id, **own(server, key=CANARY))
    server.otherwise = Fail(400)
    async with speaking(db, config(**both)) as language:
        made = await language.summarise(PAGE, Reader(ada.id))
        assert (made.engine.name, made.engine.limitation) == ("builtin", "request-refused")
        await language.summarise(PAGE, Reader(None))
    assert [seen.path for seen in server.seen] == ["/v1/chat/completions", "/v1/messages"]
    assert CANARY not in json.dumps(server.seen[1].headers)


async def test_another_installation_key_is_said(db: Database, server: ModelServer) -> None:
    ada = await add(db)
    hosts = {"own_provider_hosts": ("127.0.0.1",)}
    before, after = (
        config(**hosts),
        config(**hosts, secret_key="another key of the same length, or so"),
    )
    await choose(db, before, ada.id, **own(server, key=CANARY))
    async with speaking(db, after) as language:
        made = await language.summarise(PAGE, Reader(ada.id))
    assert made.engine.limitation == "key-unreadable"
    async with browser_of(db, ada, after) as browser:
        answer = await browser.post("/v1/me/provider/test")
    assert answer.status_code == 409
    assert "secret_key" in answer.json()["way_out"]
    assert server.seen == []


async def test_the_operator_can_turn_own_providers_off(db: Database, server: ModelServer) -> None:
    ada = await add(db)
    hosts = {"own_provider_hosts": ("127.0.0.1",)}
    await choose(db, config(**hosts), ada.id, **own(server))
    off = config(**hosts, own_provider_keys=False)
    async with browser_of(db, ada, off) as browser:
        assert (await browser.put("/v1/me/provider", json=own(server))).status_code == 403
    async with speaking(db, off) as language:
        made = await language.summarise(PAGE, Reader(ada.id))
    assert (made.engine.name, made.engine.limitation) == ("builtin", None)
    assert server.seen == []


async def test_what_models_have_used_is_shown_to_whom_they_worked_for(
    db: Database, server: ModelServer, allowing: Settings
) -> None:
    ada, eve = await add(db), await add(db, "eve@example.org")
    async with browser_of(db, ada, allowing) as browser:
        assert (await browser.get("/v1/me/usage")).json()["items"] == []
        await browser.put("/v1/me/provider", json=own(server, key=CANARY))
        server.otherwise = Say(
            json.dumps({"summary": "Swifts sleep on the wing.", "keywords": ["swift"]})
        )
        async with speaking(db, allowing) as language:
            await language.summarise(PAGE, Reader(ada.id))
        [item] = (await browser.get("/v1/me/usage")).json()["items"]
    assert (item["provider"], item["ai_model"], item["payer"]) == ("compatible", "llama", "own")
    assert item["calls"] > 0
    assert item["tokens"] > 0
    async with browser_of(db, eve, allowing) as browser:
        assert (await browser.get("/v1/me/usage")).json()["items"] == []
