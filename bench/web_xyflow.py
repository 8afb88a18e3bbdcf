"""The mind map of `bench/web.py` drawn by @xyflow/react, in the same browser: the same nodes, places, sizes and edges.

A page with nothing else on it: no panel, no strip, no accessible tree, no route. It is built once, with
what its own folder in `bench/.peers` holds.
"""

import functools
import json
import os
import subprocess
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser

from bench.figures import peer_folder
from bench.web_stage import large_map
from tools import node

PACKAGES = ("@xyflow/react@12.12.1", "react@19.3.1", "react-dom@19.3.1", "esbuild@0.28.2")
PAGE = """<!doctype html><meta charset="utf-8"><title>xyflow</title>
<link rel="stylesheet" href="main.css">
<style>html, body, #root { margin: 0; height: 100% } .react-flow__node { padding: 4px; font-size: 12px }</style>
<div id="root"></div><script type="module" src="main.js"></script>"""
# Drawn when the page is told to, so that the time does not include loading script and data.
MAIN = """
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
const { nodes, edges } = await (await fetch("map.json")).json();
const root = createRoot(document.getElementById("root"));
window.draw = () => root.render(h(ReactFlow,
  { defaultNodes: nodes, defaultEdges: edges, fitView: true, minZoom: 0.01, nodesConnectable: false }));
"""
# To the frame after the one in which every node has been measured and shown, and every edge is there.
DRAW = """
async ([nodes, edges]) => {
  const began = performance.now();
  draw();
  const shown = () =>
    [...document.querySelectorAll(".react-flow__node")].filter((each) => each.style.visibility !== "hidden");
  const isDone = () =>
    shown().length === nodes && document.querySelectorAll(".react-flow__edge").length === edges;
  while (!isDone()) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve)));
  return performance.now() - began;
}"""
# As bench/web.py drags, by the events that this library listens to.
DRAG = """
async ([x, y, steps]) => {
  const target = document.elementFromPoint(x, y);
  const send = (type, to, n) => to.dispatchEvent(new MouseEvent(type, {
    bubbles: true, cancelable: true, view: window, button: 0, buttons: type === "mouseup" ? 0 : 1,
    clientX: x + 3 * Math.sin(n / 9) * n, clientY: y + 2 * Math.cos(n / 7) * n,
  }));
  const where = () => document.querySelector(".react-flow__viewport").style.transform
    + target.closest(".react-flow__node")?.style.transform;
  const from = where();
  send("mousedown", target, 0);
  let before = await new Promise(requestAnimationFrame);
  const frames = [];
  for (let n = 1; n <= steps; n += 1) {
    send("mousemove", window, n);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  if (where() === from) throw new Error("nothing was dragged");
  send("mouseup", window, steps);
  return frames;
}"""


def build(nodes: int, visits: int) -> Path:
    """The folder with the page."""
    home = peer_folder("xyflow", PACKAGES, _install)
    graph = large_map(uuid.UUID(int=1), nodes, visits)
    drawn = {
        "nodes": [
            {
                "id": each.id,
                "data": {"label": each.label},
                "position": {"x": each.position.x, "y": each.position.y},
                "style": {"width": each.size.width, "height": each.size.height},
            }
            for each in graph.nodes
        ],
        "edges": [
            {"id": f"{each.source}-{each.target}", "source": each.source, "target": each.target}
            for each in graph.edges
        ],
    }
    (home / "map.json").write_text(json.dumps(drawn), encoding="utf-8")
    (home / "index.html").write_text(PAGE, encoding="utf-8")
    (home / "main.mjs").write_text(MAIN, encoding="utf-8")
    bundle = ["npx", "esbuild", "main.mjs", "--bundle", "--minify", "--outfile=main.js"]
    production = '--define:process.env.NODE_ENV="production"'
    _run(home, [*bundle, "--format=esm", production, "--log-level=warning"])
    return home


def _install(home: Path) -> None:
    _run(home, ["npm", "init", "-y", "--silent"])
    _run(home, ["npm", "install", "--silent", "--no-audit", "--no-fund", *PACKAGES])


def _run(home: Path, command: list[str]) -> None:
    environment = node.environment(node.ensure(), os.environ)
    subprocess.run(command, cwd=home, check=True, env=environment, stdout=subprocess.DEVNULL)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def map_ms(launched: Browser, url: str, nodes: int) -> tuple[float, float, float]:
    """As `Stage.map_ms` of `bench/web.py`: first paint, frames a second of the ground and of a topic."""
    context = launched.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(url)
    page.wait_for_function("'draw' in window")
    painted: float = page.evaluate(DRAW, [nodes, nodes - 1])
    ground = page.evaluate(DRAG, [8, 8, 90])
    page.reload()
    page.wait_for_function("'draw' in window")
    page.evaluate(DRAW, [nodes, nodes - 1])
    topic = page.locator(".react-flow__node").nth(1).bounding_box()
    assert topic
    at = [topic["x"] + topic["width"] / 2, topic["y"] + topic["height"] / 2, 90]
    node_frames = page.evaluate(DRAG, at)
    context.close()
    return painted, *(1000 * len(each) / sum(each) for each in (ground, node_frames))
