"""A mind map as it is stored and shown, and what can be wrong with a request about one.

    root ─▶ topic ─▶ subtopic ─▶ keyword       `parent` edges: a tree
              └╌╌╌╌ related ╌╌╌╌┘                `related` edges: across it

Bodies and rows have the same shape. A position is the centre of its node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from mindhit.errors import Conflict, Invalid, NotFound

ROOT: Final = "root"
READ_CHARACTERS: Final = 3_000  # of a page's text; topics look at beginnings
LAYOUT_VERSION: Final = "1"
# Raised when the same pages and topics give another map.
MAP_VERSION: Final = "4"


class NodeType(StrEnum):
    ROOT = "root"
    TOPIC = "topic"
    SUBTOPIC = "subtopic"
    KEYWORD = "keyword"


class EdgeType(StrEnum):
    PARENT = "parent"
    RELATED = "related"


class By(StrEnum):
    """Who made a node what it is."""

    GENERATED = "generated"
    READER = "reader"


def _words(words: type[StrEnum]) -> Meta:
    return Meta(extra_json_schema={"enum": [each.value for each in words]})


NodeWord = Annotated[str, _words(NodeType)]
EdgeWord = Annotated[str, _words(EdgeType)]
ByWord = Annotated[str, _words(By)]


class Shape(msgspec.Struct, frozen=True):
    """Something that is stored and answered as it is."""


class Position(Shape, frozen=True):
    x: float
    y: float


class Size(Shape, frozen=True):
    width: float
    height: float


class NodeMetadata(Shape, frozen=True):
    """Sums over the pages of a node."""

    total_duration_ms: int
    highlight_count: int
    page_count: int


class MindmapNode(Shape, frozen=True):
    id: str
    label: str
    type: NodeWord
    importance: Annotated[float, Meta(description="From 0 to 1.")]
    related_page_visit_ids: list[str]
    position: Annotated[Position, Meta(description="Of the node's centre.")]
    metadata: NodeMetadata
    size: Annotated[Size, Meta(description="What its label takes, as the layout counted it.")]
    by: ByWord = By.GENERATED.value


class MindmapEdge(Shape, frozen=True):
    id: str
    source: str
    target: str
    type: EdgeWord


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in the order in which they are drawn: parents before children, siblings by importance."""

    nodes: tuple[MindmapNode, ...]
    edges: tuple[MindmapEdge, ...]

    @property
    def parents(self) -> dict[str, str]:
        """Node → its parent."""
        return {e.target: e.source for e in self.edges if e.type == EdgeType.PARENT}


class MadeBy(Shape, frozen=True):
    """What made a map. `limitation` says what made it weaker than it could be."""

    engine: str
    model: str
    prompt_version: str
    layout_version: str
    limitation: str | None = None


class Mindmap(Shape, frozen=True):
    id: UUID
    session_id: UUID
    nodes: list[MindmapNode]
    edges: list[MindmapEdge]
    created_at: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
    metadata: MadeBy
    revision: Annotated[str, Meta(description="Changes with the map and with every edit.")]
    unplaced: Annotated[
        int, Meta(description="Edits whose node is not in the map at present; they are kept.")
    ]
    edits: Annotated[int, Meta(description="Edits there are, those that were undone included.")]


class MindmapResponse(Shape, frozen=True):
    """Null until it is generated."""

    mindmap: Mindmap | None


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page that was in focus in a session. `text` is its beginning, `READ_CHARACTERS` at most."""

    url_id: UUID
    title: str
    domain: str
    visit_ids: tuple[str, ...]
    duration_ms: int
    highlight_count: int = 0
    keywords: tuple[str, ...] = ()
    text: str = ""
    summary: str | None = None
    content_id: UUID | None = None


class MapNotFound(NotFound):
    """This session has no mind map yet."""


class MapChanged(Conflict):
    """The mind map was changed in the meantime."""


class BadEdit(Invalid):
    """The mind map can't be edited like this."""


class BadUnsubscribeLink(NotFound):
    """This link doesn't work any more. You can turn session reports off in your settings."""


def to_json(found: Sequence[Shape]) -> Any:
    return msgspec.to_builtins(list(found))


def graph_of(nodes: Any, edges: Any) -> Graph:
    """From what the database holds."""
    return Graph(
        msgspec.convert(nodes, tuple[MindmapNode, ...]),
        msgspec.convert(edges, tuple[MindmapEdge, ...]),
    )
