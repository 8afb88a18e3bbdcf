"""How well server and extension extract the text of pages, beside the libraries they build on.

    python bench/extraction.py --data DIR      DIR has ID.html.gz and ground-truth.json

server_f1       the server's text of a page it fetched
trafilatura_f1  trafilatura's own text of the same page, as it comes
resiliparse_f1  resiliparse's own main content
extension_f1    the extension's text, before it is cut to the limit
sent_f1         the text as it is sent, cut to the limit
readability_f1  Readability's own text of the same page
selectors_f1    the first of the usual selectors (article, main, …) that holds text, else the body
forum_f1, product_f1, listing_f1  the same of such pages, made up (bench/extraction_pages.py), in the layouts
                that the server's choice between the two libraries was made on; _held_back in others
precision and recall of each are in the settings of the results file

Scored as scrapinghub's article-extraction-benchmark defines it: words are runs of word characters,
four of them in a row are a shingle, a page's shingles are a multiset. What both texts have is true,
what only one has is false; each is divided by their sum, so that every page counts the same. Precision and
recall are means over pages, F1 is computed from the two means.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import gzip
import json
import re
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import trafilatura
from resiliparse.extract.html2text import extract_plain_text

from bench.extraction_pages import HELD_BACK, SEEN, MadePage, made_pages
from bench.figures import Report, at_least, read_options
from mindhit.fetching.text.extraction import extract

WORD = re.compile(r"\w+")
SHINGLE = 4
QUICK_PAGES = 30
MADE_PAGES = 10  # of each layout
NO_URL = "https://example.org/"
BY_EXTENSION = {
    "extension": "ours",
    "sent": "sent",
    "readability": "readability",
    "selectors": "selectors",
}


class Page(NamedTuple):
    html: str
    text: str
    url: str


class Score(NamedTuple):
    f1: float
    precision: float
    recall: float


def shingles(text: str) -> Counter[tuple[str, ...]]:
    words = WORD.findall(text)
    if not words:
        return Counter()
    last = max(1, len(words) - SHINGLE + 1)
    return Counter(tuple(words[at : at + SHINGLE]) for at in range(last))


def shares(truth: str, found: str) -> tuple[float, float, float]:
    """The shares of one page that are right, superfluous and missing; their sum is 1."""
    wanted, made = shingles(truth), shingles(found)
    counts = ((wanted & made).total(), (made - wanted).total(), (wanted - made).total())
    total = sum(counts)
    return counts if total == 0 else (counts[0] / total, counts[1] / total, counts[2] / total)


def score(pairs: Iterable[tuple[str, str]]) -> Score:
    parts = [shares(truth, found) for truth, found in pairs]
    precision = statistics.fmean(right / (right + more) for right, more, _ in parts if right + more)
    recall = statistics.fmean(right / (right + less) for right, _, less in parts if right + less)
    both = precision + recall
    return Score(2 * precision * recall / both if both else 0.0, precision, recall)


def read_pages(folder: Path, most: int | None) -> list[Page]:
    truth: dict[str, Any] = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    pages = []
    for name in sorted(truth)[:most]:
        html = gzip.decompress((folder / f"{name}.html.gz").read_bytes())
        pages.append(
            Page(
                html.decode("utf-8", errors="replace"),
                truth[name]["articleBody"],
                truth[name].get("url") or NO_URL,
            )
        )
    return pages


def extract_on_server(pages: list[Page]) -> tuple[dict[str, list[str]], list[float]]:
    """By the server's own code and by the libraries; and the milliseconds that ours took."""
    ours, times = [], []
    for page in pages:
        began = time.perf_counter()
        ours.append(extract(page.html, page.url).text)
        times.append((time.perf_counter() - began) * 1000)
    theirs = [trafilatura.extract(page.html, url=page.url) or "" for page in pages]
    main = [extract_plain_text(page.html, main_content=True) for page in pages]
    return {"server": ours, "trafilatura": theirs, "resiliparse": main}, times


def report_on_made_pages(report: Report, of_each: int) -> None:
    for ending, layouts in (("", SEEN), ("_held_back", HELD_BACK)):
        by_kind: dict[str, list[MadePage]] = {}
        for page in made_pages(layouts, of_each):
            by_kind.setdefault(page.kind, []).append(page)
        for kind, pages in by_kind.items():
            texts, _ = extract_on_server([Page(each.html, each.text, each.url) for each in pages])
            f1 = {
                whose: round(score(zip((each.text for each in pages), made, strict=True)).f1, 4)
                for whose, made in texts.items()
            }
            best = max(f1["trafilatura"], f1["resiliparse"])
            report.add(f"{kind}_f1{ending}", f1.pop("server"), at_least(best), **f1)
    report.settings["made_pages_of_each_layout"] = of_each


def extract_in_extension(pages: list[Page]) -> list[dict[str, Any]]:
    """By the extension's own code, in Node."""
    node = [sys.executable, str(ROOT / "tools" / "node.py"), "exec", "--"]
    folder = ROOT / "extension"
    # In the extension's folder, so that Node finds its modules.
    with tempfile.TemporaryDirectory(dir=folder, prefix=".bench-") as made:
        program = Path(made) / "texts.mjs"
        bundle = ["npx", "esbuild", "bench/texts.ts", "--bundle", "--platform=node", "--format=esm"]
        options = ["--external:jsdom", "--log-level=error", f"--outfile={program}"]
        subprocess.run([*node, *bundle, *options], cwd=folder, check=True)
        lines = "".join(f"{json.dumps(page.html)}\n" for page in pages)
        done = subprocess.run(
            [*node, "node", str(program)],
            cwd=folder,
            input=lines,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def main() -> None:
    options = read_options(__doc__ or "", data="pages (ID.html.gz) and ground-truth.json")
    assert options.data is not None
    pages = read_pages(options.data, QUICK_PAGES if options.quick else None)
    on_server, server_ms = extract_on_server(pages)
    in_extension = extract_in_extension(pages)
    texts = on_server | {
        whose: [text[key] for text in in_extension] for whose, key in BY_EXTENSION.items()
    }
    scores = {
        whose: score((page.text, text) for page, text in zip(pages, made, strict=True))
        for whose, made in texts.items()
    }
    report = Report("the text of pages")
    report.add("server_f1", round(scores["server"].f1, 4), at_least(scores["trafilatura"].f1))
    report.add("trafilatura_f1", round(scores["trafilatura"].f1, 4))
    report.add("resiliparse_f1", round(scores["resiliparse"].f1, 4))
    report.add("server_ms_median", round(statistics.median(server_ms), 1))
    report.add("extension_f1", round(scores["extension"].f1, 4), at_least(scores["readability"].f1))
    for whose in ("sent", "readability", "selectors"):
        report.add(f"{whose}_f1", round(scores[whose].f1, 4))
    report.add("ms_median", round(statistics.median(text["ms"] for text in in_extension), 1))
    report_on_made_pages(report, MADE_PAGES // 5 if options.quick else MADE_PAGES)
    report.settings["pages"] = len(pages)
    for whose, made in scores.items():
        report.settings[f"{whose}_precision"] = round(made.precision, 4)
        report.settings[f"{whose}_recall"] = round(made.recall, 4)
    report.close(options)


if __name__ == "__main__":
    main()
