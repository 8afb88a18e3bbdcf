"""The outline of a session into the nodes and edges of its map. The same input gives the same map."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec import structs

from mindhit.insight.mindmap import labels, layout
from mindhit.insight.mindmap.branches import OTHERS, Branch, outline
from mindhit.insight.mindmap.label_sizes import measure
from mindhit.insight.mindmap.layout import Box
from mindhit.insight.mindmap.weighing import Scale, importance
from mindhit.insight.model import (
    ROOT,
    EdgeType,
    Graph,
    MindmapEdge,
    MindmapNode,
    NodeType,
    PageRead,
    Position,
    Size,
)
from mindhit.language import Topic

MOST_RELATED: Final = 4
SHARED_WORDS: Final = 2  # keywords that two topics must have in common to be related


def build(
    title: str,
    pages: Sequence[PageRead],
    topics: Sequence[Topic],
    language: str = "en",
    trusts_labels: bool = True,
) -> Graph:
    """The map of a session; one root, even where nothing was read."""
    root = outline(title, pages, topics, language, trusts_labels=trusts_labels)
    return build_outline(root, pages)


def build_outline(root: Branch, pages: Sequence[PageRead]) -> Graph:
    """The map of an outline: nodes with what their pages add up to, edges, places."""
    scale = Scale.of(pages)
    nodes: list[MindmapNode] = []
    edges: list[MindmapEdge] = []
    for branch, id_, parent in _walk(root):
        visits = [visit for place in branch.pages for visit in pages[place].visit_ids]
        metadata = scale.weigh(visits)
        box = measure(branch.label, branch.type)
        nodes.append(
            MindmapNode(
                id_,
                branch.label,
                branch.type.value,
                importance(metadata, scale.whole),
                visits,
                Position(0, 0),
                metadata,
                Size(box.width, box.height),
            )
        )
        if parent is not None:
            edges.append(parent_edge(parent, id_))
    related = [related_edge(*each) for each in _related(root, pages)]
    return placed(Graph(tuple(nodes), (*edges, *related)))


def placed(graph: Graph, sides: dict[str, int] | None = None) -> Graph:
    """The map with every node where the layout puts it. `sides`: where the root's children were."""
    parents = graph.parents
    known = sides or {}
    points = layout.arrange(
        [
            Box(n.id, parents.get(n.id), n.size.width, n.size.height, known.get(n.id, 0))
            for n in graph.nodes
        ]
    )
    nodes = tuple(
        structs.replace(node, position=Position(*points[node.id])) for node in graph.nodes
    )
    return Graph(nodes, graph.edges)


def node_id(type_: NodeType, parent: str, label: str) -> str:
    """The same for the same label under the same parent."""
    made = hashlib.sha256(f"{parent}\n{labels.normalised(label)}".encode()).hexdigest()
    return f"{type_.value}-{made[:12]}"


def parent_edge(parent: str, child: str) -> MindmapEdge:
    return MindmapEdge(f"{parent}>{child}", parent, child, EdgeType.PARENT.value)


def related_edge(one: str, other: str) -> MindmapEdge:
    source, target = sorted((one, other))
    return MindmapEdge(f"{source}~{target}", source, target, EdgeType.RELATED.value)


def _walk(root: Branch) -> Iterator[tuple[Branch, str, str | None]]:
    """Every branch with its id and its parent's, parents first."""
    waiting: list[tuple[Branch, str, str | None]] = [(root, ROOT, None)]
    while waiting:
        branch, id_, parent = waiting.pop(0)
        yield branch, id_, parent
        waiting += [
            (child, node_id(child.type, id_, child.label), id_) for child in branch.children
        ]


def _related(root: Branch, pages: Sequence[PageRead]) -> list[tuple[str, str]]:
    """Topics whose pages share keywords, those that share most first; each once at most."""
    words = {
        node_id(topic.type, ROOT, topic.label): _keywords(topic.pages, pages)
        for topic in root.children
        if topic.label not in OTHERS.values()
    }
    pairs = [
        (-len(words[a] & words[b]), a, b)
        for a, b in combinations(words, 2)
        if len(words[a] & words[b]) >= SHARED_WORDS
    ]
    found: list[tuple[str, str]] = []
    taken: set[str] = set()
    for _, one, other in sorted(pairs):
        if not {one, other} & taken and len(found) < MOST_RELATED:
            found.append((one, other))
            taken |= {one, other}
    return found


def _keywords(places: Iterable[int], pages: Sequence[PageRead]) -> set[str]:
    return {
        labels.normalised(word)
        for place in places
        for word in pages[place].keywords
        if labels.is_fit(word)
    }
