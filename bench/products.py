"""How well product pages are read, beside plain extruct on the same pages.

    python bench/products.py --data DIR      DIR has ID.html.gz and ground-truth.json

price_f1         the price that is asked now
availability_f1  whether it can be bought
sku_f1           the article number
*_extruct        the same from JSON-LD, microdata and OpenGraph as extruct gives them
precision and recall of each are in the settings of the results file

Scored as scrapinghub's product-extraction-benchmark defines it: an answer is right if it is one of the true
ones (prices as decimal numbers, the rest as text), a wrong answer counts against precision and recall, a
missing one against recall. Counts are summed over pages.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import gzip
import json
import statistics
import subprocess
import time
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from bench.figures import Report, at_least, peer_environment, read_options
from mindhit.crawl.extraction.product import extract

GOALS = {"price": 0.85, "availability": 0.90, "sku": 0.75}
PEERS = ("extruct==0.18.0", "price-parser==0.5.1", "lxml-html-clean==0.4.6")
QUICK_PAGES = 40


class Page(NamedTuple):
    html: str
    url: str
    truth: dict[str, Any]


class Score(NamedTuple):
    f1: float
    precision: float
    recall: float


def read_pages(folder: Path, most: int | None) -> list[Page]:
    truth: dict[str, Any] = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    pages = []
    for name in sorted(truth)[:most]:
        html = gzip.decompress((folder / f"{name}.html.gz").read_bytes())
        url = truth[name].get("url") or "https://example.org/"
        pages.append(Page(html.decode("utf-8", errors="replace"), url, truth[name]))
    return pages


def _plain(name: str, value: str) -> object:
    """What is compared: a number for prices, else the text."""
    if name != "price":
        return value
    try:
        return Decimal(value.strip())
    except InvalidOperation:
        return value


def score(name: str, pairs: Iterable[tuple[list[str], str | None]]) -> Score:
    right = wrong = missed = 0
    for truth, found in pairs:
        true = {_plain(name, each) for each in truth}
        is_right = found is not None and _plain(name, found) in true
        right += is_right
        wrong += found is not None and not is_right
        missed += bool(true) and not is_right
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return Score(2 * precision * recall / both if both else 0.0, precision, recall)


def by_us(pages: list[Page]) -> tuple[list[dict[str, str | None]], list[float]]:
    found, times = [], []
    for page in pages:
        began = time.perf_counter()
        made = extract(page.html, page.url)
        times.append((time.perf_counter() - began) * 1000)
        price = None if made.price is None else str(made.price)
        found.append({"price": price, "availability": made.availability, "sku": made.sku})
    return found, times


def by_extruct(pages: list[Page]) -> list[dict[str, str | None]]:
    python = peer_environment("products", PEERS)
    asked = json.dumps([{"html": page.html, "url": page.url} for page in pages])
    program = [str(python), "-P", str(ROOT / "bench" / "products_extruct.py")]
    done = subprocess.run(program, input=asked, stdout=subprocess.PIPE, text=True, check=True)
    answer: list[dict[str, str | None]] = json.loads(done.stdout)
    return answer


def main() -> None:
    options = read_options(__doc__ or "", data="pages (ID.html.gz) and ground-truth.json")
    assert options.data is not None
    pages = read_pages(options.data, QUICK_PAGES if options.quick else None)
    ours, times = by_us(pages)
    answers = {"": ours, "_extruct": by_extruct(pages)}
    report = Report("Products")
    report.settings["pages"] = len(pages)
    for name, goal in GOALS.items():
        for whose, found in answers.items():
            pairs = [(p.truth.get(name, []), f[name]) for p, f in zip(pages, found, strict=True)]
            made = score(name, pairs)
            figure = f"{name}_f1{whose}"
            if whose:
                report.add(figure, round(made.f1, 3))
            else:
                report.add(figure, round(made.f1, 3), at_least(goal))
            report.settings[f"{name}_precision{whose}"] = round(made.precision, 3)
            report.settings[f"{name}_recall{whose}"] = round(made.recall, 3)
    report.add("ms_median", round(statistics.median(times), 1))
    report.close(options)


if __name__ == "__main__":
    main()
