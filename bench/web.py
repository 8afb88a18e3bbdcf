"""The web app in Chromium, against a server on loopback.

script_kb_gzip    all scripts of the first load of the dashboard, gzipped
dashboard_ms      from the navigation to a dashboard of 10,000 sessions that can be used: the first
                  sessions and the picture of the week are there, and the page answers
session_ms        the same of a session of 5,000 visits: its strip and its first rows
*_cpu_ms          what of that the page's own thread worked: the same on a busy machine
scroll_p95_ms     the time between two frames while those 5,000 visits are scrolled through
scroll_script_p95_ms  what of a frame's processor time is script, while they, once loaded, are scrolled by 200 pixels a frame:
                  12,000 a second, a hard flick
jump_script_p95_ms  the same by 2,000 pixels a frame: every row is a new one
map_first_paint_ms  from opening a mind map of 2,000 nodes, all expanded and fitted, to the frame after the
                  one that shows them
map_drag_fps      frames a second while that map is dragged by its ground
map_node_drag_fps frames a second while a topic of it is dragged, with all that hangs on it
                  (the peer's topic is dragged alone)
search_ms         from the last letter of a search to its answer on the screen; a quarter of a
                  second of it is waiting for more letters

Every load is the first one: a new browser window, an empty cache. Medians. The map's peer is @xyflow/react
with the same nodes, on a page that has nothing else (`web_xyflow.py`); rounds of both take turns.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import gzip
import statistics
from typing import Any

import httpx2
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Page,
    Response,
    expect,
    sync_playwright,
)

from bench import web_stage, web_xyflow
from bench.figures import Report, at_least, at_most, read_options
from tests.e2e.conftest import FLAGS
from tests.e2e.web_stage import owner, owner_token, served
from tools import browser

SESSIONS, VISITS, NODES = 10_000, 5_000, 2_000
# Looks at every frame whether all of this is there, and lets the page take one more turn.
READY = """
window.ready = (...wanted) => new Promise((resolve, reject) => {
  setTimeout(reject, 60_000, `not there: ${wanted}`);
  const look = () => {
    if (wanted.every((each) => document.querySelector(each)))
      setTimeout(() => requestAnimationFrame(() => resolve(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
})"""
SCROLL = """
async () => {
  const frames = [];
  const end = document.documentElement.scrollHeight - innerHeight;
  let before = await new Promise(requestAnimationFrame);
  for (let n = 1; n <= 120; n += 1) {
    scrollTo(0, (end * n) / 120);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  return frames;
}"""
# One step of many, and both frames in which rows may be put there.
STEP = """
async (px) => {
  scrollBy(0, px);
  for (let n = 0; n < 2; n += 1) await new Promise(requestAnimationFrame);
}"""

# All levels, which are chosen like any person does.
EXPAND = """
async () => {
  const levels = [...document.querySelectorAll("select")].find((each) => each.value === "2");
  levels.selectedIndex = levels.options.length - 1;
  const began = performance.now();
  levels.dispatchEvent(new Event("change", { bubbles: true }));
  await ready("[role=tree] > [role=none]:nth-child(18) > [data-type=keyword]");
  return performance.now() - began;
}"""
# From here to there and back, a step for every frame that is drawn.
DRAG = """
async ([x, y, steps]) => {
  const target = document.elementFromPoint(x, y);
  const send = (type, n) => target.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerId: 1, button: 0, buttons: 1, isPrimary: true,
    clientX: x + 3 * Math.sin(n / 9) * n, clientY: y + 2 * Math.cos(n / 7) * n,
  }));
  Element.prototype.setPointerCapture = () => undefined;
  send("pointerdown", 0);
  let before = await new Promise(requestAnimationFrame);
  const frames = [];
  for (let n = 1; n <= steps; n += 1) {
    send("pointermove", n);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  send("pointercancel", 0);
  return frames;
}"""


def observed(page: Page) -> CDPSession:
    """By the page's own processor time, which is the same on a busy machine."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    return devtools


def worked_ms(devtools: CDPSession, name: str) -> float:
    told = devtools.send("Performance.getMetrics")["metrics"]
    [taken] = [each["value"] for each in told if each["name"] == name]
    return float(taken) * 1000


class Stage:
    def __init__(self, launched: Browser, url: str, client: httpx2.Client) -> None:
        self.launched = launched
        self.url = url
        name, value = next(iter(client.cookies.items()))
        self.cookie: Any = {"name": name, "value": value, "url": url}

    def window(self) -> BrowserContext:
        made = self.launched.new_context(locale="en-US", viewport={"width": 1280, "height": 900})
        made.add_cookies([self.cookie])
        made.add_init_script(READY)
        return made

    def load_ms(self, path: str, *wanted: str) -> tuple[float, float]:
        """By the clock, and of the page's own processor time."""
        context = self.window()
        page = context.new_page()
        devtools = observed(page)
        page.goto(self.url + path, wait_until="commit")
        taken: float = page.evaluate("(wanted) => ready(...wanted)", list(wanted))
        busy = worked_ms(devtools, "TaskDuration")
        context.close()
        return taken, busy

    def script_bytes(self) -> int:
        context = self.window()
        page = context.new_page()
        scripts: list[Response] = []
        page.on(
            "response",
            lambda answer: (
                scripts.append(answer) if answer.request.resource_type == "script" else None
            ),
        )
        page.goto(self.url)
        page.locator("li[data-status]").first.wait_for()
        page.wait_for_load_state("networkidle")
        size = sum(len(gzip.compress(each.body(), 9)) for each in scripts)
        context.close()
        return size

    def scroll_ms(self, path: str) -> list[float]:
        context = self.window()
        page = context.new_page()
        page.goto(self.url + path)
        page.locator("li[data-index]").first.wait_for()
        frames: list[float] = page.evaluate(SCROLL)
        context.close()
        return frames

    def scroll_script_ms(self, path: str, px: int) -> list[float]:
        context = self.window()
        page = context.new_page()
        page.goto(self.url + path)
        page.locator("li[data-index]").first.wait_for()
        page.locator("[role=tree] [data-type=topic]").first.wait_for()  # loading is session_ms
        page.wait_for_load_state("networkidle")
        devtools = observed(page)
        frames = []
        for _ in range(120):
            before = worked_ms(devtools, "ScriptDuration")
            page.evaluate(STEP, px)
            frames.append(worked_ms(devtools, "ScriptDuration") - before)
        context.close()
        return frames

    def map_ms(self, path: str) -> tuple[float, float, float]:
        """First paint of the map; frames a second of its ground and of a topic that are dragged."""
        context = self.window()
        page = context.new_page()
        page.goto(self.url + path)
        page.locator("[role=tree] [data-type=topic]").first.wait_for()
        painted: float = page.evaluate(EXPAND)
        tree = page.locator("[role=tree]").locator("..")
        box = tree.bounding_box()
        assert box
        ground = page.evaluate(DRAG, [box["x"] + 8, box["y"] + 8, 90])
        page.get_by_role("button", name="Fit", exact=True).click()
        topic = page.locator("[data-type=topic]").first.bounding_box()
        assert topic
        at = [topic["x"] + topic["width"] / 2, topic["y"] + topic["height"] / 2, 90]
        node = page.evaluate(DRAG, at)
        context.close()
        return painted, *(1000 * len(each) / sum(each) for each in (ground, node))

    def search_ms(self) -> float:
        context = self.window()
        page = context.new_page()
        page.goto(self.url)
        page.locator("li[data-status]").first.wait_for()
        page.get_by_label("Search").fill("topic 9998")
        began = page.evaluate("performance.now()")
        expect(page.locator("li[data-status]")).to_have_count(1, timeout=30_000)
        taken: float = page.evaluate("performance.now()") - began
        context.close()
        return taken


def measure(report: Report, stage: Stage, long_one: str, tries: int) -> None:
    report.add("script_kb_gzip", stage.script_bytes() / 1000, at_most(200))
    row, picture = "li[data-status]:nth-child(5)", "svg[role=img] [data-tinted]"
    stage.load_ms("/", row)  # the server's first answer is slower than all others
    dashboard = [stage.load_ms("/", "li[data-status]", picture) for _ in range(tries)]
    path = f"/sessions/{long_one}"
    session = [stage.load_ms(path, "li[data-index]", "canvas + div > span") for _ in range(tries)]
    for name, loads in (("dashboard", dashboard), ("session", session)):
        report.add(f"{name}_ms", statistics.median(each[0] for each in loads), at_most(1000))
        report.add(f"{name}_cpu_ms", statistics.median(each[1] for each in loads))
    frames = sorted(stage.scroll_ms(path))
    report.add("scroll_p95_ms", frames[int(len(frames) * 0.95)])
    for name, px in (("scroll", 200), ("jump", 2_000)):
        scripts = sorted(stage.scroll_script_ms(path, px))
        most = at_most(8) if name == "scroll" else None
        report.add(f"{name}_script_p95_ms", scripts[int(len(scripts) * 0.95)], most)
    measure_map(report, stage, path, tries)
    report.add("search_ms", statistics.median(stage.search_ms() for _ in range(tries)))


def measure_map(report: Report, stage: Stage, path: str, tries: int) -> None:
    ours, peers = [], []
    with web_xyflow.served(web_xyflow.build(NODES, VISITS)) as url:
        for _ in range(tries):
            ours.append(stage.map_ms(path))
            peers.append(web_xyflow.map_ms(stage.launched, url, NODES))
    goals = {
        "map_first_paint_ms": at_most(1000),
        "map_drag_fps": at_least(30),
        "map_node_drag_fps": at_least(30),
    }
    for place, (name, goal) in enumerate(goals.items()):
        our, peer = (statistics.median(each[place] for each in all_) for all_ in (ours, peers))
        report.add(name, our, goal, xyflow=peer)


def main() -> None:
    options = read_options("The web app in Chromium.")
    tries = 3 if options.quick else 9
    report = Report("Web app")
    report.settings |= {"sessions": SESSIONS, "visits": VISITS, "nodes": NODES, "tries": tries}
    with served() as (url, database_url):
        client = owner(url, asyncio.run(owner_token(url, database_url)))
        me = client.get("/v1/me").json()["id"]
        long_one = asyncio.run(web_stage.fill(database_url, me, SESSIONS, VISITS))
        asyncio.run(web_stage.fill_map(database_url, me, long_one, NODES, VISITS))
        with sync_playwright() as playwright:
            launched = playwright.chromium.launch(executable_path=browser.find(), args=FLAGS)
            measure(report, Stage(launched, url, client), str(long_one), tries)
            launched.close()
        client.close()
    report.close(options)


if __name__ == "__main__":
    main()
