"""Ten mind maps to look at: would a person keep them?

Sessions of 17 to 80 pages: the demo's pages, English and Korean; news articles of the sample data; made-up
sessions of mixed news; Korean articles. Written are a picture and an outline of each, and figures that
catch what is plainly wrong; the rest is for eyes.

unfit_labels     labels that are a stop word, a navigation text, an address or a fragment
repeated_labels  siblings that say the same, or a part of what the other says
cut_labels       labels that are a piece of something in the texts of their pages, or no name there
strangers        pages under a topic's name that they never say
other_share      pages that ended up under "Other pages"
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import argparse
import asyncio
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from html import unescape
from itertools import combinations
from uuid import UUID, uuid5

from bench.figures import Options, Report, at_most, exactly
from mindhit.insight.mindmap import drawing, formats, labels, png, subjects
from mindhit.insight.mindmap.branches import OTHERS
from mindhit.insight.mindmap.naming import Naming
from mindhit.insight.mindmap.wholes import whole_word
from mindhit.insight.model import (
    READ_CHARACTERS,
    EdgeType,
    Graph,
    MindmapNode,
    NodeType,
    PageRead,
)
from mindhit.insight.processing import mapping
from mindhit.insight.processing.summarising import sentences_for
from mindhit.insight.store.processing import Stock
from mindhit.language import Document, Reader, Title, Topics
from mindhit.language.builtin import BuiltIn, detect_language
from mindhit.tracking.demo.browser import _script

SPACE = UUID(int=0)
TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
Read = tuple[str, str, str]  # title, domain, text


class Unpaid:
    """The built-in engine where a `Language` is expected."""

    def __init__(self, engine: BuiltIn) -> None:
        self.engine = engine

    async def find_topics(self, documents: Sequence[Document], _: Reader) -> Topics:
        return await self.engine.find_topics(documents)

    async def suggest_title(
        self, documents: Sequence[Document], _: Reader, *, topics: Topics | None = None
    ) -> Title:
        return await self.engine.suggest_title(documents, topics)


def demo(language: str) -> list[Read]:
    found = [
        (page["title"], page["url"].split("/")[2], page["text"])
        for session in _script()
        for page in session["pages"].values()
        if "text" in page
    ]
    return [each for each in found if (detect_language(each[2]) == "ko") == (language == "ko")]


def articles(folder: Path) -> list[Read]:
    truth = json.loads((folder / "ground-truth.json").read_text())
    found = []
    for name, said in sorted(truth.items()):
        html = gzip.decompress((folder / f"{name}.html.gz").read_bytes())
        title = TITLE.search(html)
        words = unescape(title[1].decode("utf-8", "replace")) if title else ""
        domain = said["url"].split("/")[2] if "//" in said["url"] else said["url"].split("/")[0]
        found.append((" ".join(words.split()), domain, said["articleBody"]))
    return found


def lines(path: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, path.read_text().splitlines())


def sessions(data: Path) -> dict[str, list[Read]]:
    found = {"demo-english": demo("en"), "demo-korean": demo("ko")}
    several = articles(data / "articles")
    for number in range(3):
        found[f"articles-{number + 1}"] = several[number::3]
    news: defaultdict[str, list[Read]] = defaultdict(list)
    for each in lines(data / "language/topics/topics.jsonl"):
        news[f"news-{each['session']}"].append((each["title"], "news.example", each["text"]))
    korean = [
        (each["title"], "science.example", each["text"])
        for each in lines(data / "language/korean/summaries.jsonl")
    ]
    return found | news | {"science-korean": korean}


async def pages_of(engine: BuiltIn, name: str, read: Sequence[Read]) -> list[PageRead]:
    pages = []
    for number, (title, domain, whole) in enumerate(read):
        text = whole[:10_000]  # as recorded
        document = Document(text, labels.page_label(title, ""))
        made = await engine.summarise(document, sentences_for(text))
        stay = 20_000 + 7_919 * (number * 37 % 23)
        pages.append(
            PageRead(
                uuid5(SPACE, f"{name} {number}"),
                title,
                domain,
                (f"visit:{number}",),
                stay,
                keywords=made.keywords,
                text=text[:READ_CHARACTERS],
                summary=made.text,
            )
        )
    return pages


def count(graph: Graph, pages: Sequence[PageRead], titles: Collection[str]) -> dict[str, float]:
    of = {node.id: node for node in graph.nodes}
    children: defaultdict[str, list[str]] = defaultdict(list)
    for edge in graph.edges:
        if edge.type == EdgeType.PARENT:
            children[edge.source].append(of[edge.target].label)
    ours = set(OTHERS.values())
    not_chosen = {*ours, *titles}  # what people called their pages
    named = [n for n in graph.nodes if n.type != NodeType.ROOT and n.label not in not_chosen]
    pairs = [
        pair
        for siblings in children.values()
        for pair in combinations([each for each in siblings if each not in not_chosen], 2)
    ]
    other = sum(n.metadata.page_count for n in graph.nodes if n.label in ours)
    return {
        "unfit_labels": sum(not _is_label(node.label) for node in named),
        "repeated_labels": sum(labels.overlap(*pair) for pair in pairs),
        "cut_labels": sum(_is_cut(node, pages) for node in named),
        "strangers": sum(_strangers(node, pages) for node in named),
        "other_share": other / max(1, len(pages)),
    }


def _read(node: MindmapNode, pages: Sequence[PageRead]) -> list[PageRead]:
    visits = set(node.related_page_visit_ids)
    return [page for page in pages if visits.intersection(page.visit_ids)]


def _is_cut(node: MindmapNode, pages: Sequence[PageRead]) -> bool:
    """On the pages that have it among their keywords, or on all of its own."""
    if subjects.is_name(node.label):
        return False
    read = _read(node, pages)
    word = node.label if node.type == NodeType.KEYWORD else node.label.lower()
    text, titles = "\n".join(page.text for page in read), "\n".join(page.title for page in read)
    return whole_word(word, text, titles) is None


def _strangers(node: MindmapNode, pages: Sequence[PageRead]) -> int:
    if node.type != NodeType.TOPIC or subjects.is_name(node.label):
        return 0
    read = _read(node, pages)
    naming = Naming(read)
    return sum(not naming.has(place, node.label) for place in range(len(read)))


def _is_label(label: str) -> bool:
    return labels.is_fit(label) or subjects.is_name(label)


async def draw(data: Path, out: Path) -> dict[str, dict[str, float]]:
    found = {}
    async with BuiltIn() as engine:
        for name, read in sessions(data).items():
            pages = await pages_of(engine, name, read)
            language = "ko" if "korean" in name else "en"
            stock = Stock("processing", None, None, 1, None, None, None, None, language)
            made = await mapping.make(Unpaid(engine), Reader(), pages, stock)  # type: ignore[arg-type]
            names = {labels.page_label(page.title, page.domain) for page in pages}
            picture = drawing.svg(made.graph, made.title)
            (out / f"{name}.png").write_bytes(png.render(picture, 1600))
            text = formats.markdown(made.graph)
            (out / f"{name}.md").write_text(text + "\nKeywords: " + ", ".join(made.keywords) + "\n")
            found[name] = count(made.graph, pages, names)
            print(f"{name}: {len(pages)} pages, {made.title!r}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the same: it takes less than 60 s")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--data", type=Path, metavar="DIR", required=True)
    parser.add_argument("--out", type=Path, metavar="DIR", default=ROOT / ".pictures" / "maps")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    found = asyncio.run(draw(given.data, given.out))
    report = Report("Mind maps")
    for name in ("unfit_labels", "repeated_labels", "cut_labels"):
        report.add(name, sum(each[name] for each in found.values()), goal=exactly(0))
    strangers = sum(each["strangers"] for each in found.values())
    report.add("strangers", strangers, goal=at_most(10))
    other = sum(each["other_share"] for each in found.values()) / len(found)
    report.add("other_share", other, goal=at_most(0.35))
    report.close(Options(given.quick, given.json, given.data))


if __name__ == "__main__":
    main()
