"""`mindhit fetch` shows each decision."""

from __future__ import annotations

import asyncio
import json

from tests.fetching.kit import Site, html, redirect, server
from tests.servers import mindhit

STEPS = ["robots", "status", "redirect", "robots", "status", "body"]


async def test_each_decision_is_shown() -> None:
    words = "The lighthouse was built after a winter of storms. " * 8
    source = f"<title>안녕</title><main><p>{words}</p></main>"
    pages = {"/a": redirect("/b"), "/b": html(source)}
    async with server(Site("127.0.0.1", pages=pages)) as site:
        shown = await asyncio.to_thread(
            mindhit, "fetch", site.url("/a"), "--json", "--source", allowed_networks="127.0.0.0/8"
        )
    report = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert [step["what"] for step in report["steps"]] == STEPS
    assert (report["outcome"], report["status"], report["charset"]) == ("page", 200, "utf-8")
    assert (report["url"], report["domain"]) == (site.url("/b"), "127.0.0.1")
    assert report["source"] == source
    assert (report["title"], report["text"]) == ("안녕", words.strip())


async def test_a_refusal_says_why() -> None:
    async with server(Site("127.0.0.1", robots="User-agent: *\nDisallow: /")) as site:
        shown = await asyncio.to_thread(
            mindhit, "fetch", site.url("/a"), allowed_networks="127.0.0.0/8"
        )
    assert shown.returncode == 1
    assert "disallowed" in shown.stdout
    assert "blocked: The site's robots.txt asks programs not to read this page." in shown.stdout


def test_a_private_address_is_refused() -> None:
    shown = mindhit("fetch", "http://2130706433/")
    assert shown.returncode == 1
    assert "private network" in shown.stdout


def test_doctor_says_what_may_be_connected_to() -> None:
    def said(**settings: object) -> tuple[str, str]:
        findings = json.loads(mindhit("doctor", "--json", **settings).stdout)
        [found] = [each for each in findings if each["what"] == "fetching"]
        return found["verdict"], found["detail"]

    assert said() == ("good", "public addresses only")
    assert said(fetching="false")[0] == "note"
    assert "10.0.0.0/8" in said(allowed_networks="10.0.0.0/8")[1]
