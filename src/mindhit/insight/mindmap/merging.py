"""The map as it is shown: the generated one with the reader's operations on it, in their order.

A pure function of both. After a regeneration the node that an operation means is the one with its id;
else, of its type, the one that shares most of its pages, at least half (of several that share as many, the
one with its label); else the one with its label. An operation without its node rests, and works again when
the node comes back; nothing is ever dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from msgspec import structs

from mindhit.insight.mindmap import labels, layout
from mindhit.insight.mindmap.building import parent_edge, placed, related_edge
from mindhit.insight.mindmap.edits import (
    Add,
    Connect,
    Delete,
    Disconnect,
    Edit,
    Move,
    Op,
    Place,
    Rename,
    Undo,
    Was,
    effective,
    nodes_of,
)
from mindhit.insight.mindmap.label_sizes import measure
from mindhit.insight.mindmap.weighing import Scale, importance
from mindhit.insight.model import (
    ROOT,
    By,
    EdgeType,
    Graph,
    MindmapEdge,
    MindmapNode,
    NodeType,
    Position,
    Size,
)

SAME_PAGES: Final = 0.5  # the share from which two nodes are the same one
_BY_DEPTH: Final = {0: NodeType.TOPIC, 1: NodeType.SUBTOPIC}


@dataclass(frozen=True, slots=True)
class Shown:
    graph: Graph
    unplaced: int


@dataclass(slots=True)
class _Draft:
    label: str
    type: NodeType
    parent: str | None
    visits: list[str]
    by: By
    children: list[str] = field(default_factory=list)
    at: Position | None = None


def merge(graph: Graph, edits: Sequence[Edit], scale: Scale, title: str | None = None) -> Shown:
    """`title` is the reader's own for the session: the root shows it unless it was renamed here."""
    draft = Draft(graph)
    if title:
        draft.nodes[ROOT].label = labels.clean(title)
    unplaced = sum(draft.apply(edit.op, edit.was) is not None for edit in effective(edits))
    return Shown(draft.finished(scale), unplaced)


def _share(some: Collection[str], others: Collection[str]) -> float:
    return len({*some} & {*others}) / max(len(some), len(others), 1)


def _is_same(one: Was, other: Was) -> bool:
    """Was it the same node at two times? Keywords of one page share all their pages, and are several."""
    if one.type != other.type:
        return False
    if one.type == NodeType.KEYWORD:
        return labels.normalised(one.label) == labels.normalised(other.label)
    return _share(one.pages, other.pages) >= SAME_PAGES


class Draft:
    """A map that operations are applied to, one after the other."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._meant: dict[str, str | None] = {}
        self._looked_like: dict[str, Was] = {}
        parents = graph.parents
        self.nodes = {
            node.id: _Draft(
                node.label,
                NodeType(node.type),
                parents.get(node.id),
                list(node.related_page_visit_ids),
                By(node.by),
            )
            for node in graph.nodes
        }
        for id_, parent in parents.items():
            self.nodes[parent].children.append(id_)
        self.related = {edge.id: edge for edge in graph.edges if edge.type == EdgeType.RELATED}

    def apply(self, op: Op, was: Mapping[str, Was]) -> str | None:
        """Why it can't be applied, or None when it was."""
        found = {id_: self._find(id_, was) for id_ in nodes_of(op)}
        match op:
            case Add():
                why = self._add(op, found[op.parent] or ROOT)
            case Move():
                why = self._move(found[op.id], found[op.parent])
            case Delete():
                why = self._delete(found[op.id])
            case Rename():
                why = self._rename(found[op.id], op.label)
            case Place():
                why = self._put(found[op.id], Position(op.x, op.y))
            case Connect():
                why = self._connect(found[op.source], found[op.target])
            case Disconnect():
                why = self._disconnect(found[op.source], found[op.target])
            case Undo():
                why = None
        return why

    def was(self, op: Op) -> dict[str, Was]:
        """What the nodes that an operation names look like in the generated map."""
        known = {node.id: node for node in self._graph.nodes}
        return {
            id_: Was(known[id_].type, known[id_].label, tuple(known[id_].related_page_visit_ids))
            for id_ in nodes_of(op)
            if id_ in known and id_ != ROOT
        }

    def _find(self, id_: str, was: Mapping[str, Was]) -> str | None:
        """The node that an operation means; the same one for all operations on that id."""
        if id_ in self.nodes:
            return id_
        if id_ not in self._meant:
            self._meant[id_] = self._like(was[id_]) if id_ in was else None
            if id_ in was:
                self._looked_like[id_] = was[id_]
        meant = self._meant[id_]
        return meant if meant in self.nodes else None

    def _like(self, was: Was) -> str | None:
        """Two nodes never become one: then one edit would hide the other, so the second rests. One node
        that was edited under two ids, before and after a regeneration, is still one."""
        others = {
            self._meant[id_] for id_, it in self._looked_like.items() if not _is_same(it, was)
        }
        free = [n for n in self._graph.nodes if n.id not in others and n.type == was.type]
        label = labels.normalised(was.label)
        best: tuple[tuple[float, bool], str] | None = None
        for node in free:
            is_called_so = bool(label) and labels.normalised(node.label) == label
            share = _share(was.pages, node.related_page_visit_ids)
            if share >= SAME_PAGES and (best is None or (share, is_called_so) > best[0]):
                best = (share, is_called_so), node.id
        if best is not None:
            return best[1]
        same = (node.id for node in free if label and labels.normalised(node.label) == label)
        return next(same, None)

    def _add(self, op: Add, parent: str) -> str | None:
        if op.id in self.nodes:
            return "There is a node with this id already."
        type_ = _BY_DEPTH.get(self._depth(parent), NodeType.KEYWORD)
        self.nodes[op.id] = _Draft(op.label, type_, parent, [], By.READER)
        self.nodes[parent].children.append(op.id)
        return None

    def _rename(self, id_: str | None, label: str) -> str | None:
        if id_ is None:
            return "There is no such node."
        self.nodes[id_].label = label
        self.nodes[id_].by = By.READER
        return None

    def _move(self, id_: str | None, parent: str | None) -> str | None:
        if id_ is None or parent is None:
            return "There is no such node."
        if id_ == ROOT or id_ in self._up_from(parent):
            return "A node can't be moved below itself."
        node = self.nodes[id_]
        assert node.parent is not None
        self.nodes[node.parent].children.remove(id_)
        self._take_pages(id_, node.parent, {*self._up_from(parent)})
        self.nodes[parent].children.append(id_)
        node.parent = parent
        node.type = self._type_below(parent, node.type)
        return None

    def _take_pages(self, id_: str, parent: str, staying: Collection[str]) -> None:
        """The pages of a node that was below `parent` are no longer those of the nodes it was below,
        unless others there have them; `staying` are those that it is below again. A keyword takes none:
        it says what is on a page."""
        moved = [self.nodes[each] for each in self._in_order(id_)]
        gone = {v for node in moved if node.type is not NodeType.KEYWORD for v in node.visits}
        for above in self._up_from(parent):
            if above in staying or not gone:
                return
            node = self.nodes[above]
            left = {visit for child in node.children for visit in self.nodes[child].visits}
            node.visits = [visit for visit in node.visits if visit in left or visit not in gone]

    def _delete(self, id_: str | None) -> str | None:
        if id_ is None or id_ == ROOT:
            return "The root can't be deleted." if id_ == ROOT else "There is no such node."
        node = self.nodes.pop(id_)
        assert node.parent is not None
        parent = self.nodes[node.parent]
        place = parent.children.index(id_)
        parent.children[place : place + 1] = node.children
        for child in node.children:
            self.nodes[child].parent = node.parent
            self.nodes[child].type = self._type_below(node.parent, self.nodes[child].type)
        parent.visits = list(dict.fromkeys([*parent.visits, *node.visits]))
        self.related = {
            key: edge for key, edge in self.related.items() if id_ not in {edge.source, edge.target}
        }
        return None

    def _put(self, id_: str | None, at: Position) -> str | None:
        if id_ is None:
            return "There is no such node."
        self.nodes[id_].at = at
        return None

    def _connect(self, source: str | None, target: str | None) -> str | None:
        if source is None or target is None or source == target:
            return "There are no two such nodes."
        edge = related_edge(source, target)
        self.related.setdefault(edge.id, edge)
        return None

    def _disconnect(self, source: str | None, target: str | None) -> str | None:
        if source is None or target is None:
            return "There are no two such nodes."
        gone = self.related.pop(related_edge(source, target).id, None)
        return None if gone is not None else "These nodes are not connected."

    def _type_below(self, parent: str, type_: NodeType) -> NodeType:
        if parent == ROOT:
            return NodeType.TOPIC
        return NodeType.SUBTOPIC if type_ is NodeType.TOPIC else type_

    def _up_from(self, id_: str) -> Iterator[str]:
        at: str | None = id_
        while at is not None:
            yield at
            at = self.nodes[at].parent

    def _depth(self, id_: str) -> int:
        """As far as `_BY_DEPTH` goes: readers nest deep, and every addition asks."""
        return sum(1 for _ in islice(self._up_from(id_), len(_BY_DEPTH) + 1)) - 1

    def _in_order(self, first: str = ROOT) -> list[str]:
        """Parents before children, siblings in their order."""
        order = [first]
        for id_ in order:
            order += self.nodes[id_].children
        return order

    def finished(self, scale: Scale) -> Graph:
        """The map with sums, sizes and places of what it now is."""
        order = self._in_order()
        for id_ in reversed(order):  # what a node has, its parent has
            parent = self.nodes[id_].parent
            if parent is not None and self.nodes[id_].visits:
                above = self.nodes[parent]
                above.visits = list(dict.fromkeys([*above.visits, *self.nodes[id_].visits]))
        edges: list[MindmapEdge] = [
            parent_edge(parent, id_) for id_ in order if (parent := self.nodes[id_].parent)
        ]
        nodes = tuple(self._node(id_, scale) for id_ in order)
        made = Graph(nodes, (*edges, *self.related.values()))
        return self._moved(self._placed(made))

    def _node(self, id_: str, scale: Scale) -> MindmapNode:
        draft = self.nodes[id_]
        metadata = scale.weigh(draft.visits)
        box = measure(draft.label, draft.type)
        return MindmapNode(
            id_,
            draft.label,
            draft.type.value,
            importance(metadata, scale.whole),
            draft.visits,
            Position(0, 0),
            metadata,
            Size(box.width, box.height),
            draft.by.value,
        )

    def _placed(self, made: Graph) -> Graph:
        """Where they were, unless there are others now, or other labels."""
        before = {node.id: node for node in self._graph.nodes}
        is_same = made.parents == self._graph.parents and all(
            node.id in before and before[node.id].size == node.size for node in made.nodes
        )
        if is_same:
            return Graph(
                tuple(structs.replace(n, position=before[n.id].position) for n in made.nodes),
                made.edges,
            )
        points = {n.id: layout.Point(n.position.x, n.position.y) for n in self._graph.nodes}
        return placed(made, layout.sides_of(points, made.parents))

    def _moved(self, made: Graph) -> Graph:
        """What the reader placed is there, and what hangs on it has moved along."""
        if all(node.at is None for node in self.nodes.values()):
            return made
        parents = made.parents
        shifts: dict[str, tuple[float, float]] = {}
        nodes = []
        for node in made.nodes:
            at = self.nodes[node.id].at
            dx, dy = shifts.get(parents.get(node.id, ""), (0.0, 0.0))
            if at is not None:
                dx, dy = at.x - node.position.x, at.y - node.position.y
            shifts[node.id] = dx, dy
            x, y = round(node.position.x + dx, 1), round(node.position.y + dy, 1)
            nodes.append(structs.replace(node, position=Position(x, y)))
        return Graph(tuple(nodes), made.edges)
