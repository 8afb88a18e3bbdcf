"""A map as a file: every reader opens it, and nothing a page said becomes markup."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import structs

from mindhit.insight.mindmap import drawing, edits, formats
from mindhit.insight.mindmap.building import build
from mindhit.insight.mindmap.merging import merge
from mindhit.insight.mindmap.weighing import Scale
from mindhit.insight.model import ROOT, Graph, PageRead
from mindhit.language import Topic
from tests.insight.random_sessions import pages, topics
from tests.insight.test_map import a_page

MARKDOWN = MarkdownIt("commonmark").enable("strikethrough")
A_SESSION = pages(14).flatmap(lambda found: st.tuples(st.just(found), topics(len(found))))
WRITTEN = datetime(2026, 1, 1, 9, 30, tzinfo=UTC)
HOSTILE = "</svg><script>alert('1')</script> & \"x\" ]]> \x00\x1b\ufffe <!-- 한글"


@settings(max_examples=20)
@given(A_SESSION)
def test_every_format_is_well_formed_and_has_every_node(
    session: tuple[list[PageRead], list[Topic]],
) -> None:
    graph = build(HOSTILE, *session)
    count = len(graph.nodes)
    picture = ET.fromstring(drawing.svg(graph))
    assert len(picture.findall("{http://www.w3.org/2000/svg}g")) == count
    assert not list(picture.iter("{http://www.w3.org/2000/svg}script"))
    outline = ET.fromstring(formats.opml(graph, WRITTEN).encode())
    assert outline.attrib["version"] == "2.0"
    assert [each.tag for each in outline] == ["head", "body"]
    assert parsedate_to_datetime(outline.findtext("head/dateCreated", "")) == WRITTEN
    assert len(list(outline.iter("outline"))) == count
    assert all(each.attrib["text"] for each in outline.iter("outline"))
    mind = ET.fromstring(formats.freemind(graph))
    assert (mind.tag, len(list(mind.iter("node")))) == ("map", count)
    ids = [each.attrib["ID"] for each in mind.iter("node")]
    arrows = [each.attrib["DESTINATION"] for each in mind.iter("arrowlink")]
    assert len(set(ids)) == count
    assert set(arrows) <= set(ids)
    read = [token.children or [] for token in MARKDOWN.parse(formats.markdown(graph))]
    assert [_plain(children) for children in read if children] == [
        node.label for node, _ in formats.walk(graph)
    ]


def test_what_xml_cannot_hold_is_in_no_file_whatever_a_label_has() -> None:
    """Labels are cleaned before; this is the second net."""
    [root] = build("Title", [], []).nodes
    graph = Graph((structs.replace(root, label=HOSTILE),), ())
    for text in (drawing.svg(graph), formats.opml(graph, WRITTEN), formats.freemind(graph)):
        assert ET.fromstring(text.encode()).tag


def _plain(children: list[Token]) -> str:
    """A line as a reader of Markdown has it: no link, no emphasis, no element."""
    assert {each.type for each in children} <= {"text", "text_special"}
    return "".join(each.content for each in children)


def test_freemind_gets_letters_that_no_encoding_of_a_machine_changes() -> None:
    text = formats.freemind(build("전세 계약 👩", [a_page(1, title="café")], []))
    assert text.isascii()
    assert [each.attrib["TEXT"] for each in ET.fromstring(text).iter("node")] == [
        "전세 계약 👩",
        "café",
    ]


def test_the_tree_is_nested_as_it_is() -> None:
    read = [a_page(number) for number in range(12)]
    graph = build("Title", read, [Topic("oil prices", (0, 1, 2), ()), Topic("bees", (3, 4), ())])
    mind = ET.fromstring(formats.freemind(graph))
    [root] = mind
    assert root.attrib["TEXT"] == "Title"
    sides = {each.attrib["POSITION"] for each in root.findall("node")}
    assert sides == {"left", "right"}
    names = {node.id: node.label for node in graph.nodes}
    tree = {names[c]: names[p] for c, p in graph.parents.items()}
    for parent in mind.iter("node"):
        for child in parent.findall("node"):
            assert tree[child.attrib["TEXT"]] == parent.attrib["TEXT"]


@pytest.mark.parametrize(
    "label",
    [
        *("1. one", "- two", "# three", "a*b*", "[x](y)", "`code`", "=", "한글"),
        *("<!-- four", "<script src=five", "<b>six</b>", "&lt;"),
    ],
)
def test_markdown_keeps_a_label_as_it_is_written(label: str) -> None:
    """In headings and in lists, where a line may begin with anything."""
    ops = [edits.Add("a", ROOT, label), edits.Add("b", "a", label)]
    made = [edits.Edit(number, op) for number, op in enumerate(ops, 1)]
    text = formats.markdown(merge(build(label, [], []), made, Scale.of([])).graph)
    read = [token.children for token in MARKDOWN.parse(text) if token.children]
    assert [_plain(children) for children in read] == [label] * 3
