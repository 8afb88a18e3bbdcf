"""A map as SVG: whole, standing alone, in the colours of the app. Labels are data and never markup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from mindhit.insight.mindmap.label_sizes import LINE_HEIGHT, STYLES, measure
from mindhit.insight.model import ROOT, EdgeType, Graph, MindmapNode, NodeType, Position

MARGIN: Final = 28.0
FONT: Final = "Pretendard, 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', sans-serif"
GROUND, INK, SOFT, PAPER = "#faf8f5", "#1f2528", "#566067", "#ffffff"
ACCENT: Final = "#0f6b5c"
# One for each branch, in turn: dark enough to read as text on the ground.
BRANCHES: Final = (
    "#0f6b5c",
    "#9a4a1c",
    "#3b5b9d",
    "#8a3a68",
    "#5d6b1f",
    "#6a4fa3",
    "#a03a3a",
    "#2c6f87",
)
_TINT: Final = "1f"  # of 255: how much of the colour a topic's ground has
_BASELINE: Final = 0.36  # of the font size: from the middle of a line to its baseline


def svg(graph: Graph, title: str = "") -> str:
    """The picture of a map. Its size is in the root element's viewBox."""
    left, top, width, height = bounds(graph)
    at = {node.id: node for node in graph.nodes}
    colours = _colours(graph)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
            f' viewBox="{left:g} {top:g} {width:g} {height:g}" font-family={quoteattr(FONT)}>'
        ),
        f"<title>{_text(title or at[ROOT].label)}</title>",
        f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{GROUND}"/>',
        *_edges(graph, at, colours),
        *(_node(node, colours.get(node.id, ACCENT)) for node in graph.nodes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def bounds(graph: Graph) -> tuple[float, float, float, float]:
    """Left, top, width and height of the picture."""
    left = min(n.position.x - n.size.width / 2 for n in graph.nodes) - MARGIN
    right = max(n.position.x + n.size.width / 2 for n in graph.nodes) + MARGIN
    top = min(n.position.y - n.size.height / 2 for n in graph.nodes) - MARGIN
    bottom = max(n.position.y + n.size.height / 2 for n in graph.nodes) + MARGIN
    return round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)


def _colours(graph: Graph) -> dict[str, str]:
    """Every node has the colour of its branch."""
    parents = graph.parents
    colours: dict[str, str] = {}
    number = 0
    for node in graph.nodes:
        parent = parents.get(node.id)
        if parent == ROOT:
            colours[node.id] = BRANCHES[number % len(BRANCHES)]
            number += 1
        elif parent is not None:
            colours[node.id] = colours[parent]
    return colours


def _edges(
    graph: Graph, at: Mapping[str, MindmapNode], colours: Mapping[str, str]
) -> Iterator[str]:
    for edge in graph.edges:
        one, other = at[edge.source], at[edge.target]
        if edge.type == EdgeType.RELATED:
            yield _arc(one.position, other.position)
            continue
        side = 1 if other.position.x >= one.position.x else -1
        x1 = one.position.x + side * one.size.width / 2
        x2 = other.position.x - side * other.size.width / 2
        y1, y2, middle = one.position.y, other.position.y, (x1 + x2) / 2
        wide = 1.2 + 2.2 * other.importance
        yield (
            f'<path d="M{x1:g} {y1:g}C{middle:g} {y1:g} {middle:g} {y2:g} {x2:g} {y2:g}"'
            f' fill="none" stroke="{colours[other.id]}" stroke-width="{wide:.1f}"'
            ' stroke-opacity="0.55" stroke-linecap="round"/>'
        )


def _arc(one: Position, other: Position) -> str:
    bend = 60 if one.x * other.x < 0 else 90 * (1 if one.x > 0 else -1)
    x, y = (one.x + other.x) / 2 + bend, (one.y + other.y) / 2
    return (
        f'<path d="M{one.x:g} {one.y:g}Q{x:g} {y:g} {other.x:g} {other.y:g}" fill="none"'
        f' stroke="{SOFT}" stroke-width="1.2" stroke-dasharray="4 5" stroke-opacity="0.6"/>'
    )


def _node(node: MindmapNode, colour: str) -> str:
    style = STYLES[NodeType(node.type)]
    left = node.position.x - node.size.width / 2
    top = node.position.y - node.size.height / 2
    fill, stroke, ink = {
        NodeType.ROOT: (ACCENT, ACCENT, PAPER),
        NodeType.TOPIC: (f"{colour}{_TINT}", colour, INK),
        NodeType.SUBTOPIC: (PAPER, "#e4dfd7", INK),
        NodeType.KEYWORD: (GROUND, "none", colour),
    }[NodeType(node.type)]
    ground = (
        f'<rect x="{left:g}" y="{top:g}" width="{node.size.width:g}" height="{node.size.height:g}"'
    )
    under = f'{ground} rx="9" fill="{GROUND}"/>' if node.type == NodeType.TOPIC else ""
    box = f'{under}{ground} rx="9" fill="{fill}" stroke="{stroke}"/>'
    lines = measure(node.label, node.type).lines
    height = style.font * LINE_HEIGHT
    first = node.position.y - height * (len(lines) - 1) / 2 + style.font * _BASELINE
    texts = "".join(
        f'<text x="{node.position.x:g}" y="{first + number * height:.1f}" font-size="{style.font:g}"'
        f' font-weight="500" fill="{ink}" text-anchor="middle">{_text(line)}</text>'
        for number, line in enumerate(lines)
    )
    return f"<g>{box}{texts}</g>"


def _text(text: str) -> str:
    return escape(xml_text(text))


def xml_text(text: str) -> str:
    """Without what XML cannot hold, whatever a label's page had in it."""
    return "".join(c if _is_xml(ord(c)) else "\ufffd" for c in text)


def _is_xml(code: int) -> bool:
    return (
        code in {0x9, 0xA, 0xD}
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or code >= 0x10000
    )
