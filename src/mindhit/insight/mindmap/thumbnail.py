"""A map in about 500 bytes, for lists: its longest branches as lines in a square of 100.

`[depth, x1, y1, x2, y2]` is a line from a parent to its child; depth 1 are the root's children.
"""

from __future__ import annotations

from typing import Final

from mindhit.insight.model import Graph

MOST: Final = 40
SIDE: Final = 100


def thumbnail(graph: Graph) -> list[list[int]]:
    """Lines from the root outwards, the important ones if there are more than fit."""
    at = {node.id: node for node in graph.nodes}
    parents = graph.parents
    depths: dict[str, int] = {}
    for node in graph.nodes:  # parents come first
        depths[node.id] = depths[parents[node.id]] + 1 if node.id in parents else 0
    shown = [node for node in graph.nodes if node.id in parents]
    shown.sort(key=lambda node: (depths[node.id], -node.importance, node.id))
    shown = shown[:MOST]
    if not shown:
        return []
    ends = [at[parents[node.id]].position for node in shown] + [node.position for node in shown]
    left, top = min(end.x for end in ends), min(end.y for end in ends)
    wide, high = max(end.x for end in ends) - left, max(end.y for end in ends) - top

    def scaled(x: float, y: float) -> list[int]:
        return [
            round((x - left) / wide * SIDE) if wide else SIDE // 2,
            round((y - top) / high * SIDE) if high else SIDE // 2,
        ]

    lines = []
    for node in shown:
        start, end = at[parents[node.id]].position, node.position
        lines.append([depths[node.id], *scaled(start.x, start.y), *scaled(end.x, end.y)])
    return lines
