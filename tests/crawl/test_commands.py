"""`mindhit crawl`, as processes; and the routes that screens will use."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

from mindhit.accounts import Person
from mindhit.db import Database
from tests.accounts.kit import browser_of
from tests.crawl.farm import Shop
from tests.crawl.kit import config, open_shops, rows, work_off
from tests.servers import mindhit


async def test_a_page_is_watched_run_retried_and_discarded_by_commands(
    db: Database, database_url: str, ada: Person, tmp_path: Path
) -> None:
    settings = {"database_url": database_url, "data_dir": tmp_path / "data"}
    added = mindhit(
        "crawl", "add", "https://shop.example/p/1", "--cron", "0 6 * * *", "--json", **settings
    )
    assert added.returncode == 0, added.stderr
    schedule = json.loads(added.stdout)["id"]
    assert (
        "You're already watching this page."
        in mindhit("crawl", "add", "https://shop.example/p/1", **settings).stderr
    )
    started = mindhit("crawl", "run", schedule, **settings)
    assert started.stdout.startswith("Started: ")
    [listed] = json.loads(mindhit("crawl", "list", "--json", **settings).stdout)
    assert (listed["site"], listed["last_status"]) == ("jsonld", "WAITING")
    await rows(
        db, "update crawl_tasks set status = 'FAILED', finished_at = now(), last_error = 'why'"
    )
    [dead] = json.loads(mindhit("crawl", "dead", "--json", **settings).stdout)
    assert dead["error"] == "why"
    assert json.loads(mindhit("crawl", "status", "--json", **settings).stdout)["dead"] == 1
    assert mindhit("crawl", "retry", dead["id"], **settings).returncode == 0
    assert mindhit("crawl", "discard", dead["id"], **settings).returncode == 1
    page = tmp_path / "page.html"
    ld = {"@type": "Product", "name": "Lamp", "offers": {"price": 5, "priceCurrency": "EUR"}}
    page.write_text(f'<script type="application/ld+json">{json.dumps(ld)}</script>')
    read = mindhit(
        "crawl", "test-site", "jsonld", str(page), "--url", "https://shop.example/p/1", **settings
    )
    assert json.loads(read.stdout)["parsed"]["variants"][0]["price"] == "5"


async def test_schedules_products_and_history_over_the_api(db: Database, ada: Person) -> None:
    shop = Shop("127.0.0.71").add("a", "b")
    settings = config()
    async with open_shops(shop), browser_of(db, ada, settings) as browser:
        wrong = await browser.post(
            "/v1/crawl/schedules", json={"url": shop.listing, "cron": "* * * * *"}
        )
        assert wrong.status_code == 422
        made = await browser.post(
            "/v1/crawl/schedules", json={"url": shop.listing, "cron": "0 6 * * *"}
        )
        assert made.status_code == 201, made.text
        path = f"/v1/crawl/schedules/{made.json()['id']}"
        assert (
            await browser.post(
                "/v1/crawl/schedules", json={"url": shop.listing, "cron": "0 6 * * *"}
            )
        ).status_code == 409
        started = await browser.post(f"{path}/run")
        assert started.status_code == 202
        assert (await browser.post(f"{path}/run")).status_code == 409
        await work_off(db, settings)
        shop.things["a"].price = Decimal("12.50")
        await browser.post(f"{path}/run")
        await work_off(db, settings)
        run = (await browser.get("/v1/crawl/tasks", params={"run_id": started.json()["id"]})).json()
        assert sorted(each["type"] for each in run["items"]) == ["DETAIL", "DETAIL", "SEARCH"]
        task = (await browser.get(f"/v1/crawl/tasks/{run['items'][0]['id']}")).json()
        assert [each["status"] for each in task["executions"]] == ["SUCCESS"]
        found = (await browser.get("/v1/crawl/products", params={"search": "thing a"})).json()[
            "items"
        ]
        [product] = found
        assert (product["price_min"], product["currency"]) == ("12.5000", "EUR")
        detail = (await browser.get(f"/v1/crawl/products/{product['id']}")).json()
        assert [each["price"] for each in detail["options"]] == ["12.5000"]
        history = (await browser.get(f"/v1/crawl/products/{product['id']}/history")).json()["items"]
        assert [each["price"] for each in history] == ["20.0000", "12.5000"]
        paused = await browser.patch(
            path, json={"status": "INACTIVE", "alerts": {"price_down": 50}}
        )
        assert (paused.json()["status"], paused.json()["alerts"]["price_down"]) == ("INACTIVE", 50)
        assert (await browser.patch(path, json={"alerts": None})).json()["alerts"] is None
        assert {e["name"] for e in (await browser.get("/v1/crawl/sites")).json()["items"]} == {
            "jsonld",
            "shopify",
        }
        assert (await browser.put("/v1/crawl/alerts", json={"gone": True})).json()["gone"] is True
        assert (await browser.get("/v1/crawl/alerts")).json()["gone"] is True
        assert (await browser.delete(path)).status_code == 204
        assert (await browser.get("/v1/crawl/products")).json()["items"] == []
