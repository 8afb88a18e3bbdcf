"""How well the extension extracts the text of articles, beside plain Readability and plain selectors.

    python bench/extraction.py --data DIR      DIR has ID.html.gz and ground-truth.json

extension_f1    the extension's text, before it is cut to the limit
sent_f1         the text as it is sent, cut to the limit
readability_f1  Readability's own text of the same page
selectors_f1    the first of the usual selectors (article, main, …) that holds text, else the body
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
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from bench.figures import Report, at_least, read_options

WORD = re.compile(r"\w+")
SHINGLE = 4
QUICK_PAGES = 30
WHOSE = {
    "extension": "ours",
    "sent": "sent",
    "readability": "readability",
    "selectors": "selectors",
}


class Page(NamedTuple):
    html: str
    text: str


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
        pages.append(Page(html.decode("utf-8", errors="replace"), truth[name]["articleBody"]))
    return pages


def extract(pages: list[Page]) -> list[dict[str, Any]]:
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
    texts = extract(pages)
    assert len(texts) == len(pages)
    scores = {
        whose: score((page.text, text[key]) for page, text in zip(pages, texts, strict=True))
        for whose, key in WHOSE.items()
    }
    report = Report("the text of article pages")
    report.add("extension_f1", round(scores["extension"].f1, 4), at_least(scores["readability"].f1))
    for whose in ("sent", "readability", "selectors"):
        report.add(f"{whose}_f1", round(scores[whose].f1, 4))
    report.add("ms_median", round(statistics.median(text["ms"] for text in texts), 1))
    report.settings["pages"] = len(pages)
    for whose, made in scores.items():
        report.settings[f"{whose}_precision"] = round(made.precision, 4)
        report.settings[f"{whose}_recall"] = round(made.recall, 4)
    report.close(options)


if __name__ == "__main__":
    main()
