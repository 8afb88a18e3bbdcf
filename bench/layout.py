"""The layout of mind maps: how long it takes, and whether anything overlaps.

Maps of 500 and 2,000 nodes with labels of real widths, English and Korean: a root with topics, theirs
with subtopics and keywords. A layout is everything that happens between labels and positions:
measuring, wrapping, placing.

ms_…        the median of several layouts
overlaps_…  pairs of nodes that share more than an edge, counted by comparing all of them
kept_…      the share of nodes that keep their offset from their parent when one is added anywhere
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import statistics
import time
from random import Random

from bench.figures import Report, at_least, at_most, exactly, read_options
from mindhit.insight.mindmap import layout
from mindhit.insight.mindmap.label_sizes import measure
from mindhit.insight.mindmap.layout import Box, Point
from mindhit.insight.model import NodeType

WORDS = (
    *(
        "sourdough",
        "starter",
        "index-only scans",
        "borrow checker",
        "half marathon",
        "K2-18 b",
        "atmosphere",
    ),
    *(
        "전세 계약",
        "확정일자",
        "제주 올레",
        "오름",
        "트랜스포머",
        "셀프 어텐션",
        "유채꽃",
        "coral reefs",
        "interest rates",
    ),
)
TYPES = (NodeType.ROOT, NodeType.TOPIC, NodeType.SUBTOPIC, NodeType.KEYWORD)
MOST_CHILDREN = {0: 12, 1: 9, 2: 6}
Tree = list[tuple[str, str | None, str, NodeType]]


def tree(count: int, seed: int) -> Tree:
    """Id, parent, label and type of every node; filled level by level, as sessions are."""
    chance = Random(seed)
    found: Tree = [("0", None, "What I read about on a long day", NodeType.ROOT)]
    depths, room = {"0": 0}, {"0": MOST_CHILDREN[0]}
    while len(found) < count:
        open_ = [id_ for id_, left in room.items() if left]
        if not open_:
            room = {id_: 6 for id_, depth in depths.items() if depth < 3}
            continue
        parent = open_[0] if len(found) < 12 else chance.choice(open_[-60:])
        room[parent] -= 1
        id_, depth = str(len(found)), depths[parent] + 1
        depths[id_] = depth
        if depth < 3:
            room[id_] = MOST_CHILDREN[depth]
        label = " ".join(chance.sample(WORDS, chance.choice((1, 1, 2, 3))))
        found.append((id_, parent, label, TYPES[min(depth, 3)]))
    return found


def arranged(
    nodes: Tree, sides: dict[str, int] | None = None
) -> tuple[list[Box], dict[str, Point]]:
    boxes = []
    for id_, parent, label, type_ in nodes:
        box = measure(label, type_)
        boxes.append(Box(id_, parent, box.width, box.height, (sides or {}).get(id_, 0)))
    return boxes, layout.arrange(boxes)


def overlaps(boxes: list[Box], at: dict[str, Point]) -> int:
    return sum(
        abs(at[a.id].x - at[b.id].x) < (a.width + b.width) / 2 - 0.2
        and abs(at[a.id].y - at[b.id].y) < (a.height + b.height) / 2 - 0.2
        for number, a in enumerate(boxes)
        for b in boxes[number + 1 :]
    )


def kept(nodes: Tree, seed: int) -> float:
    """After one more node under any parent."""
    _, before = arranged(nodes)
    sides = {id_: 1 if before[id_].x > 0 else -1 for id_, parent, *_ in nodes if parent == "0"}
    parent = Random(seed).choice(nodes)[0]
    _, after = arranged([*nodes, ("new", parent, "a new one", NodeType.KEYWORD)], sides)
    same = [
        abs(before[i].x - before[p].x - after[i].x + after[p].x) < 0.2
        and abs(before[i].y - before[p].y - after[i].y + after[p].y) < 0.2
        for i, p, *_ in nodes
        if p is not None
    ]
    return sum(same) / len(same)


def milliseconds(nodes: Tree, rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        arranged(nodes)
        taken.append(1000 * (time.perf_counter() - started))
    return statistics.median(taken)


def main() -> None:
    options = read_options(__doc__ or "")
    report = Report("Layout of mind maps")
    rounds = 15 if options.quick else 60
    for count, bound in ((500, 20.0), (2000, 150.0)):
        nodes = tree(count, 7)
        boxes, points = arranged(nodes)
        assert arranged(nodes)[1] == points, "not deterministic"
        report.add(f"overlaps_{count}", overlaps(boxes, points), exactly(0))
        report.add(f"ms_{count}", milliseconds(nodes, rounds), at_most(bound))
        shares = [kept(nodes, seed) for seed in range(10 if options.quick else 40)]
        report.add(f"kept_{count}", min(shares), at_least(0.9))
    report.close(options)


if __name__ == "__main__":
    main()
