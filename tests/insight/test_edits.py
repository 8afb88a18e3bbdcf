"""The reader's edits: they survive every regeneration, and none is ever lost."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindhit.insight.mindmap import edits
from mindhit.insight.mindmap.building import build
from mindhit.insight.mindmap.edits import Edit, checked, effective
from mindhit.insight.mindmap.merging import Draft, merge
from mindhit.insight.mindmap.weighing import Scale
from mindhit.insight.model import ROOT, BadEdit, By, Graph, PageRead
from mindhit.language import Topic
from tests.insight.random_sessions import operations, pages, topics
from tests.insight.test_map import a_page, check

READ = [a_page(number, duration_ms=1_000 * (number + 1)) for number in range(12)]
SCALE = Scale.of(READ)
OIL, BEES = Topic("oil prices", (0, 1, 2, 3), ()), Topic("honey bees", (4, 5, 6), ())
GRAPH = build("Title", READ, [OIL, BEES])


def id_of(label: str, graph: Graph = GRAPH) -> str:
    [found] = [node.id for node in graph.nodes if node.label == label]
    return found


def edited(*ops: edits.Op, graph: Graph = GRAPH) -> list[Edit]:
    """As the verb stores them."""
    made: list[Edit] = []
    for op in ops:
        draft = Draft(graph)
        for edit in effective(made):
            draft.apply(edit.op, edit.was)
        made.append(Edit(len(made) + 1, checked(op), draft.was(op)))
    return made


def shown(*ops: edits.Op, graph: Graph = GRAPH) -> dict[str, str]:
    """Label → its parent's."""
    made = merge(graph, edited(*ops), SCALE).graph
    names = {node.id: node.label for node in made.nodes}
    return {names[child]: names[parent] for child, parent in made.parents.items()}


def test_each_operation_does_what_it_says() -> None:
    oil, bees = id_of("oil prices"), id_of("honey bees")
    assert shown(edits.Add("mine", oil, "Crude"))["Crude"] == "oil prices"
    assert "Crude oil" in shown(edits.Rename(oil, "Crude oil"))
    assert shown(edits.Move(bees, oil))["honey bees"] == "oil prices"
    gone = shown(edits.Delete(oil))
    assert "oil prices" not in gone
    assert gone["Page 3"] == "Title"
    connected = merge(GRAPH, edited(edits.Connect(oil, bees)), SCALE).graph
    assert len(connected.edges) == len(GRAPH.edges) + 1
    ops = edits.Connect(oil, bees), edits.Disconnect(bees, oil)
    assert merge(GRAPH, edited(*ops), SCALE).graph == GRAPH
    placed = merge(GRAPH, edited(edits.Place(oil, 500, -300)), SCALE).graph
    at = {node.id: node.position for node in placed.nodes}
    before = {node.id: node.position for node in GRAPH.nodes}
    child = id_of("Page 3")
    assert (at[oil].x, at[oil].y) == (500, -300)
    assert round(at[child].x - at[oil].x, 1) == round(before[child].x - before[oil].x, 1)


def test_the_pages_of_a_deleted_node_are_its_parents() -> None:
    oil, bees = id_of("oil prices"), id_of("honey bees")
    ops = edits.Move(bees, oil), edits.Delete(bees)
    made = merge(GRAPH, edited(*ops), SCALE).graph
    [node] = [each for each in made.nodes if each.id == oil]
    assert node.metadata.page_count == 7
    assert node.metadata.total_duration_ms == sum(page.duration_ms for page in READ[:7])
    leaf = id_of("Page 3")
    made = merge(GRAPH, edited(edits.Move(leaf, bees), edits.Delete(leaf)), SCALE).graph
    [node] = [each for each in made.nodes if each.id == bees]
    assert set(node.related_page_visit_ids) == {"s:3", "s:4", "s:5", "s:6"}


def test_the_pages_of_a_node_that_was_moved_are_those_of_its_new_parent_alone() -> None:
    oil, bees = id_of("oil prices"), id_of("honey bees")
    inner = edits.Add("mine", oil, "Mine"), edits.Move(id_of("Page 3"), "mine")
    for ops in ((edits.Move(id_of("Page 3"), bees),), (*inner, edits.Move("mine", bees))):
        made = {node.id: node for node in merge(GRAPH, edited(*ops), SCALE).graph.nodes}
        assert made[oil].related_page_visit_ids == ["s:0", "s:1", "s:2"]
        assert set(made[bees].related_page_visit_ids) == {"s:3", "s:4", "s:5", "s:6"}
        assert made[bees].metadata.page_count == 4
        assert len(made[ROOT].related_page_visit_ids) == len(READ)
    kept = {node.id: node for node in merge(GRAPH, edited(*inner), SCALE).graph.nodes}
    assert kept[oil].metadata.page_count == 4


def test_a_keyword_that_is_moved_leaves_its_page_where_it_is() -> None:
    read = [a_page(n, title=f"Bees {n}", keywords=(f"wax of {n}", f"comb {n}")) for n in range(2)]
    graph = build("Title", read, [])
    one, other = (node for node in graph.nodes if node.label in {"Bees 0", "Bees 1"})
    keyword = next(child for child, parent in graph.parents.items() if parent == one.id)
    made = merge(graph, edited(edits.Move(keyword, other.id), graph=graph), Scale.of(read)).graph
    [now] = [node for node in made.nodes if node.id == one.id]
    assert now.related_page_visit_ids == one.related_page_visit_ids


def test_undoing_and_undoing_that() -> None:
    oil = id_of("oil prices")
    renamed = edits.Rename(oil, "Crude")
    assert "Crude" not in shown(renamed, edits.Undo(1))
    assert "Crude" in shown(renamed, edits.Undo(1), edits.Undo(2))
    assert merge(GRAPH, edited(renamed, edits.Undo(1)), SCALE).graph == GRAPH


def test_nodes_say_who_made_them() -> None:
    oil = id_of("oil prices")
    made = merge(GRAPH, edited(edits.Add("mine", oil, "Crude"), edits.Rename(oil, "Oil!")), SCALE)
    assert {n.label for n in made.graph.nodes if n.by == By.READER} == {"Crude", "Oil!"}


def test_a_sessions_own_title_is_the_roots_unless_it_was_renamed() -> None:
    assert merge(GRAPH, [], SCALE, "My title").graph.nodes[0].label == "My title"
    renamed = edited(edits.Rename(ROOT, "The middle"))
    assert merge(GRAPH, renamed, SCALE, "My title").graph.nodes[0].label == "The middle"


def test_after_a_regeneration_the_node_with_the_same_pages_is_meant() -> None:
    made = edited(
        edits.Rename(id_of("oil prices"), "Crude"), edits.Add("mine", id_of("honey bees"), "Hive")
    )
    other = build(
        "Title", READ, [Topic("petrol", (0, 1, 2), ()), Topic("insects", (4, 5, 6, 7), ())]
    )
    result = merge(other, made, SCALE)
    names = {node.id: node.label for node in result.graph.nodes}
    tree = {names[child]: names[parent] for child, parent in result.graph.parents.items()}
    assert "Crude" in tree
    assert "petrol" not in tree
    assert tree["Hive"] == "insects"
    assert result.unplaced == 0


def test_two_nodes_that_become_one_keep_one_name_and_the_other_rests() -> None:
    made = edited(
        edits.Rename(id_of("oil prices"), "Crude"), edits.Rename(id_of("honey bees"), "Hive")
    )
    both = build("Title", READ, [Topic("all of it", tuple(range(len(READ))), ())])
    result = merge(both, made, SCALE)
    labels = {node.label for node in result.graph.nodes}
    assert len(labels & {"Crude", "Hive"}) + result.unplaced == 2
    assert merge(GRAPH, made, SCALE).unplaced == 0


def test_a_node_that_was_named_again_after_each_regeneration_has_its_last_name() -> None:
    """It has another id each time: for the edits it is still one node."""
    made: list[Edit] = []
    for label, name in (("oil prices", "Crude"), ("petrol", "Fuel"), ("diesel", "Energy")):
        now = build("Title", READ, [Topic(label, (0, 1, 2, 3), ()), BEES])
        [id_] = [node.id for node in now.nodes if node.label == label]
        op = edits.Rename(id_, name)
        made.append(Edit(len(made) + 1, op, Draft(now).was(op)))
    result = merge(build("Title", READ, [Topic("gas", (0, 1, 2, 3), ()), BEES]), made, SCALE)
    assert {node.label for node in result.graph.nodes} & {"Crude", "Fuel", "Energy"} == {"Energy"}
    assert result.unplaced == 0


def test_of_nodes_with_the_same_pages_the_one_with_the_same_label_is_meant() -> None:
    """Keywords of a page share all their pages, and have other ids when their topic has another name."""
    read = [a_page(1, title="Garden", keywords=("honey comb", "bees wax"))]
    before = build("Title", read, [])
    after = build("Title", [replace(read[0], title="Orchard")], [])
    op = edits.Rename(id_of("bees wax", before), "Candles")
    made = [Edit(1, op, Draft(before).was(op))]
    shown_now = merge(after, made, Scale.of(read)).graph
    assert [node.label for node in shown_now.nodes[2:]] == ["honey comb", "Candles"]


@pytest.mark.parametrize(
    ("groups", "unplaced"),
    [(((0, 1, 8, 9), (2, 10, 11), (3, 7)), 0), (((0, 8, 9), (1, 10, 11), (2, 3, 4, 5, 7)), 1)],
)
def test_half_of_the_pages_are_enough_and_less_is_not(
    groups: tuple[tuple[int, ...], ...], unplaced: int
) -> None:
    made = edited(edits.Rename(id_of("oil prices"), "Crude"))
    names = ("petrol", "coal", "wood")
    other = build("Title", READ, [Topic(*each, ()) for each in zip(names, groups, strict=True)])
    result = merge(other, made, SCALE)
    assert result.unplaced == unplaced
    shown_now = {node.label: len(node.related_page_visit_ids) for node in result.graph.nodes}
    assert shown_now.get("Crude") == (None if unplaced else 4)


def test_an_edit_without_its_node_rests_and_comes_back() -> None:
    made = edited(
        edits.Rename(id_of("oil prices"), "Crude"), edits.Add("mine", id_of("oil prices"), "Barrel")
    )
    without = build("Title", READ[4:], [])
    result = merge(without, made, SCALE)
    assert result.unplaced == 1
    names = {node.id: node.label for node in result.graph.nodes}
    assert names[result.graph.parents["mine"]] == "Title"
    assert merge(GRAPH, made, SCALE) == merge(GRAPH, made, SCALE)
    assert merge(GRAPH, made, SCALE).unplaced == 0


def test_branches_that_were_not_touched_stay_where_they_are() -> None:
    made = merge(GRAPH, edited(edits.Add("mine", id_of("oil prices"), "A new one")), SCALE).graph
    before = {node.id: node.position for node in GRAPH.nodes}
    after = {node.id: node.position for node in made.nodes}
    bees, child = id_of("honey bees"), id_of("Page 6")
    assert (after[bees].x > 0) == (before[bees].x > 0)
    assert after[child].x - after[bees].x == pytest.approx(before[child].x - before[bees].x)
    assert after[child].y - after[bees].y == pytest.approx(before[child].y - before[bees].y)


@pytest.mark.parametrize(
    "op",
    [
        edits.Add("topic-123", ROOT, "x"),
        edits.Add("root", ROOT, "x"),
        edits.Add("a b", ROOT, "x"),
        edits.Add("a" * 65, ROOT, "x"),
        edits.Add("mine", ROOT, " \u202e\x00 "),
        edits.Rename(ROOT, "x" * 121),
        edits.Place(ROOT, float("inf"), 0),
        edits.Place(ROOT, 1e9, 0),
        edits.Place(ROOT, float("nan"), 0),
    ],
)
def test_what_is_wrong_with_an_edit_is_seen(op: edits.Op) -> None:
    with pytest.raises(BadEdit):
        checked(op)


@pytest.mark.parametrize(
    "op",
    [
        edits.Delete(ROOT),
        edits.Move(ROOT, id_of("oil prices")),
        edits.Move(id_of("oil prices"), id_of("Page 3")),
        edits.Rename("nobody", "x"),
        edits.Disconnect(id_of("oil prices"), ROOT),
        edits.Connect(ROOT, ROOT),
    ],
)
def test_what_a_map_does_not_allow_is_refused_with_a_reason(op: edits.Op) -> None:
    draft = Draft(GRAPH)
    assert draft.apply(op, draft.was(op))
    assert draft.finished(SCALE) == GRAPH


A_SESSION = pages(14).flatmap(lambda found: st.tuples(st.just(found), topics(len(found))))


@settings(max_examples=25)
@given(A_SESSION, st.data())
def test_after_any_edits_and_regenerations_the_map_is_proper_and_nothing_is_lost(
    session: tuple[list[PageRead], list[Topic]], data: st.DataObject
) -> None:
    read, found = session
    graph = build("Title", read, found)
    other = build("Title", read[::2], data.draw(topics(len(read[::2]))))
    scale = Scale.of(read)
    made: list[Edit] = []
    for now in (graph, other, graph):
        for _ in range(data.draw(st.integers(0, 6))):
            present = merge(now, made, scale).graph
            ids = [node.id for node in present.nodes]
            op = data.draw(operations(ids, len(made) + 1))
            draft = Draft(now)
            for edit in effective(made):
                draft.apply(edit.op, edit.was)
            made.append(Edit(len(made) + 1, op, draft.was(op)))
        check(merge(now, made, scale).graph, read)
        assert merge(now, made, scale) == merge(now, made, scale)
    first = merge(graph, made, scale)
    check(merge(other, made, scale).graph, read)
    assert merge(graph, made, scale) == first  # what rested in between is back
    stored = msgspec.json.decode(msgspec.json.encode(made), type=list[Edit])
    assert merge(graph, stored, scale) == first
