"""A map as a file for other programs: Markdown outline, OPML 2.0, FreeMind, JSON."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.utils import format_datetime
from enum import StrEnum
from typing import Final
from xml.sax.saxutils import quoteattr

from mindhit.insight.mindmap.drawing import xml_text
from mindhit.insight.model import ROOT, EdgeType, Graph, MindmapNode

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|~#&$])")
_BLOCK: Final = re.compile(r"^(\d{1,9}(?=[.)])|(?=[-+=:]))")


class MapFormat(StrEnum):
    SVG = "svg"
    PNG = "png"
    MD = "md"
    OPML = "opml"
    FREEMIND = "mm"
    JSON = "json"


MEDIA_TYPES: Final[Mapping[MapFormat, str]] = {
    MapFormat.SVG: "image/svg+xml",
    MapFormat.PNG: "image/png",
    MapFormat.MD: "text/markdown; charset=utf-8",
    MapFormat.OPML: "text/x-opml; charset=utf-8",
    MapFormat.FREEMIND: "application/x-freemind",
    MapFormat.JSON: "application/json",
}


def markdown(graph: Graph) -> str:
    lines = [f"# {_marked(graph.nodes[0].label)}", ""]
    for node, depth in walk(graph):
        if depth == 1:
            lines += ["", f"## {_marked(node.label)}", ""]
        elif depth > 1:
            lines.append(f"{'  ' * (depth - 2)}- {_marked(node.label)}")
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    return text.strip("\n") + "\n"


def opml(graph: Graph, created_at: datetime) -> str:
    """OPML has the dates of mails (RFC 822)."""
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<opml version="2.0">',
        (
            f"<head><title>{_content(graph.nodes[0].label)}</title>"
            f"<dateCreated>{format_datetime(created_at)}</dateCreated></head>"
        ),
        "<body>",
    ]
    return "\n".join([*head, *_nested(graph, "outline", _opml_of), "</body>", "</opml>"]) + "\n"


def freemind(graph: Graph) -> str:
    """In ASCII, as FreeMind writes its own files: they don't say their encoding, and it reads them in the
    machine's, which would turn Korean in UTF-8 into other letters."""
    parents = graph.parents
    body = _nested(graph, "node", lambda node: _freemind_of(node, parents), inside=_arrows(graph))
    text = "\n".join(['<map version="1.0.1">', *body, "</map>"]) + "\n"
    return text.encode("ascii", "xmlcharrefreplace").decode()


def walk(graph: Graph) -> Iterator[tuple[MindmapNode, int]]:
    """Every node with its depth, children right behind their parent."""
    children = _children(graph)
    waiting = [(graph.nodes[0], 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in reversed(children[node.id])]


def _children(graph: Graph) -> defaultdict[str, list[MindmapNode]]:
    parents = graph.parents
    found: defaultdict[str, list[MindmapNode]] = defaultdict(list)
    for node in graph.nodes:
        if node.id in parents:
            found[parents[node.id]].append(node)
    return found


def _nested(
    graph: Graph, element: str, attributes: object, *, inside: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The tree as nested elements, written without recursion."""
    assert callable(attributes)
    known = inside or {}
    open_ = 0
    for node, depth in walk(graph):
        while open_ > depth:
            open_ -= 1
            yield f"{' ' * open_}</{element}>"
        yield f"{' ' * depth}<{element} {attributes(node)}>{known.get(node.id, '')}"
        open_ = depth + 1
    while open_:
        open_ -= 1
        yield f"{' ' * open_}</{element}>"


def _opml_of(node: MindmapNode) -> str:
    return f"text={_quoted(node.label)} type={_quoted(node.type)}"


def _freemind_of(node: MindmapNode, parents: Mapping[str, str]) -> str:
    side = ""
    if parents.get(node.id) == ROOT:
        side = f' POSITION="{"right" if node.position.x >= 0 else "left"}"'
    return f"ID={_quoted('ID_' + node.id)} TEXT={_quoted(node.label)}{side}"


def _arrows(graph: Graph) -> dict[str, str]:
    found: defaultdict[str, str] = defaultdict(str)
    for edge in graph.edges:
        if edge.type == EdgeType.RELATED:
            found[edge.source] += f"<arrowlink DESTINATION={_quoted('ID_' + edge.target)}/>"
    return found


def _quoted(text: str) -> str:
    return quoteattr(xml_text(text))


def _content(text: str) -> str:
    return _quoted(text)[1:-1]


def _marked(text: str) -> str:
    return _BLOCK.sub(r"\1\\", _MARKUP.sub(r"\\\1", text), count=1)
