"""URL identity beside w3lib and courlan: the parser, the speed, the groups.

whatwg_valid_http  share of the valid http(s) cases of urltestdata.json that the parser step alone
                   serialises exactly as expected; other cases are not looked at
urls_per_s         `normalise`, hash included, over a made-up corpus, in one thread;
urls_with_id_per_s the same with the UUID made too, which is lazy
groups_equal       share of the groups of tests/url_groups.toml whose spellings are one page
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import json
import random
import subprocess
import tomllib
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any, NamedTuple
from urllib.parse import quote

from bench.figures import Report, at_least, interleaved, peer_environment, read_options
from mindhit.urls import NotAPage, normalise, parse

PEERS = {"w3lib": "2.5.0", "courlan": "1.4.0"}
SEED = 20


class Case(NamedTuple):
    text: str
    base: str | None
    href: str


class Peer:
    """A peer at work in a process of its own, so that its turns can be interleaved with ours."""

    def __init__(self, name: str, work: dict[str, Any]) -> None:
        python = peer_environment(name, [f"{name}=={PEERS[name]}"])
        self._process = subprocess.Popen(
            [python, "-P", ROOT / "bench" / "urls_peer.py", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.whatwg, self.groups = self._ask(work)

    def turn(self) -> None:
        self._ask({})

    def close(self) -> None:
        self._process.communicate()

    def _ask(self, question: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())


def start_peers(work: dict[str, Any]) -> dict[str, Peer]:
    """The peers that can be had; without a package index our own figures are still figures."""
    peers = {}
    for name in PEERS:
        try:
            peers[name] = Peer(name, work)
        except subprocess.CalledProcessError:
            print(f"{name} could not be installed and is left out", file=sys.stderr)
    return peers


def read_cases(folder: Path) -> list[Case]:
    entries = json.loads((folder / "urltestdata.json").read_text(encoding="utf-8"))
    return [
        Case(entry["input"], entry.get("base"), entry["href"])
        for entry in entries
        if isinstance(entry, dict) and entry.get("href", "").startswith(("http:", "https:"))
    ]


def read_groups() -> list[list[str]]:
    text = (ROOT / "tests" / "url_groups.toml").read_text(encoding="utf-8")
    return [group["spellings"] for group in tomllib.loads(text)["group"]]


def make_corpus(count: int) -> list[str]:
    """URLs as a browser reports them: a few hundred sites, most pages clean, some tracked."""
    draw = random.Random(SEED)
    words = ["news", "post", "item", "view", "list", "guide", "review", "board", "story", "seoul"]
    korean = [quote(word) for word in ("서울", "날씨", "맛집 추천", "대한민국", "가격 비교")]
    sites = [f"{draw.choice(words)}{n}.{end}" for n in range(99) for end in ("com", "co.kr", "org")]
    sites += [f"www.{site}" for site in sites]

    def path() -> str:
        parts = [draw.choice(words), str(draw.randrange(10**6)), "-".join(draw.choices(words, k=4))]
        return "/".join(parts[: draw.randint(1, 3)])

    def query() -> str:
        return f"q={draw.choice(words)}&page={draw.randrange(50)}&id={draw.randrange(10**8)}"

    shapes: dict[Callable[[str], str], int] = {
        lambda site: f"https://{site}/{path()}": 45,
        lambda site: f"https://{site}/{path()}?{query()}": 20,
        lambda site: f"https://{site}/{path()}/#section-{draw.randrange(9)}": 6,
        lambda site: f"https://{site}/{path()}?{query()}&utm_source=a&utm_medium=b&gclid=Cj0K": 10,
        lambda site: f"https://{site}/wiki/{draw.choice(korean)}_{draw.choice(korean)}": 7,
        lambda site: f"https://{site}/search?query={draw.choice(korean)}&{query()}": 6,
        lambda _: f"http://한국{draw.randrange(50)}.kr/{path()}": 2,
        lambda _: f"http://localhost:{draw.choice([3000, 5173, 8080])}/{path()}": 4,
    }
    chosen = draw.choices(list(shapes), list(shapes.values()), k=count)
    return [shape(draw.choice(sites)) for shape in chosen]


def is_right(case: Case) -> bool:
    try:
        return parse(case.text, case.base) == case.href
    except NotAPage:
        return False


def is_one_page(spellings: list[str]) -> bool:
    try:
        return len({normalise(spelling).id for spelling in spellings}) == 1
    except NotAPage:
        return False


def share(outcomes: list[bool]) -> float:
    return sum(outcomes) / len(outcomes)


def run_normalise(corpus: list[str]) -> None:
    for text in corpus:
        normalise(text)


def run_ids(corpus: list[str]) -> None:
    for text in corpus:
        _ = normalise(text).id


def main() -> None:
    options = read_options(__doc__ or "", data="a folder with WHATWG's urltestdata.json")
    cases, groups = read_cases(options.data or Path()), read_groups()
    corpus = make_corpus(5_000 if options.quick else 20_000)
    rounds = 7 if options.quick else 15
    work = {"cases": cases, "groups": groups, "corpus": corpus}
    peers = start_peers(work)
    runs = {name: peer.turn for name, peer in peers.items()}
    runs |= {"ours": partial(run_normalise, corpus), "with_id": partial(run_ids, corpus)}
    speed = {name: round(len(corpus) / took) for name, took in interleaved(rounds, runs).items()}

    report = Report("URL identity")
    report.settings |= {"cases": len(cases), "groups": len(groups), "urls": len(corpus)}
    report.settings |= {"rounds": rounds, "seed": SEED, "ada-url": version("ada-url"), **PEERS}
    whatwg = {name: round(peer.whatwg, 4) for name, peer in peers.items()}
    equal = {name: round(peer.groups, 4) for name, peer in peers.items()}
    report.add("whatwg_valid_http", share([is_right(c) for c in cases]), at_least(1.0), **whatwg)
    report.add("urls_per_s", speed["ours"], at_least(100_000), **{n: speed[n] for n in peers})
    report.add("urls_with_id_per_s", speed["with_id"])
    report.add("groups_equal", share([is_one_page(g) for g in groups]), at_least(1.0), **equal)
    report.close(options)
    for peer in peers.values():
        peer.close()


if __name__ == "__main__":
    main()
