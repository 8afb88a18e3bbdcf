"""Maps over HTTP: editing, exporting, thumbnails, totals by topic."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from mindhit.db import Database
from mindhit.insight import showing
from mindhit.insight.mindmap.merging import Draft
from mindhit.insight.model import Graph
from tests.accounts.kit import add
from tests.insight.kit import SPACE, Recorder, many, recorder


async def patch(
    it: Recorder, id_: object, revision: str, *ops: object
) -> tuple[int, dict[str, object]]:
    body = {"revision": revision, "ops": list(ops)}
    answer = await it.client.patch(f"/v1/sessions/{id_}/mindmap", json=body)
    return answer.status_code, answer.json()


async def test_a_map_is_edited_exported_and_counted(db: Database) -> None:
    async with recorder(db, await add(db)) as it:
        id_ = await it.processed([*many(6), *many(6, SPACE, "space.example")], "My title")
        shown = await it.map(id_)
        topic = next(node for node in shown["nodes"] if node["type"] == "topic")
        ops = (
            {"op": "rename", "id": topic["id"], "label": "Baking at home"},
            {"op": "add", "id": "mine", "parent": topic["id"], "label": "<Mine> & 내 것"},
        )
        status, answer = await patch(it, id_, shown["revision"], *ops)
        assert status == 200
        edited = answer["mindmap"]
        assert isinstance(edited, dict)
        assert {n["label"] for n in edited["nodes"] if n["by"] == "reader"} == {
            "Baking at home",
            "<Mine> & 내 것",
        }
        status, refused = await patch(it, id_, shown["revision"], ops[0])
        assert (status, refused["type"]) == (409, "urn:mindhit:problem:map-changed")
        status, refused = await patch(it, id_, edited["revision"], {"op": "delete", "id": "root"})
        assert (status, refused["type"]) == (422, "urn:mindhit:problem:bad-edit")
        for format_ in ("svg", "opml", "mm"):
            file = await it.client.get(f"/v1/sessions/{id_}/mindmap/export?format={format_}")
            assert "attachment" in file.headers["content-disposition"]
            text = "".join(ET.fromstring(file.content).itertext()) + file.text
            assert "Baking at home" in text
        outline = await it.client.get(f"/v1/sessions/{id_}/mindmap/export?format=md")
        assert "## Baking at home" in outline.text
        listed = await it.get("/sessions")
        assert listed["thumbnails"][str(id_)]
        query = {"by": "topic", "from": "2025-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}
        totals = await it.get("/totals", params=query)
        assert "Baking at home" in {each["topic"] for each in totals["topics"]}
        whole = await it.get("/totals", params={**query, "by": "domain"})
        assert totals["focused_ms"] == whole["focused_ms"]
        async with db.transaction() as tx:
            await tx._connection.execute(
                "insert into session_topics select session_id, 99, 'Also', url_ids from session_topics"
                " where place = 0"
            )
        assert await it.get("/totals", params=query) == totals  # a visit counts for the first alone
        plain = await it.client.delete(f"/v1/sessions/{id_}/mindmap/edits")
        assert plain.json()["mindmap"]["nodes"] == shown["nodes"]
        exported = await it.client.get(f"/v1/sessions/{id_}/export?format=md")
        assert "## Pages" in exported.text
        assert "Keywords:" in exported.text


async def test_a_map_that_others_edited_anew_is_another_one(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers of edits begin again when all are dropped: undoing "the first" would undo somebody else's."""
    async with recorder(db, await add(db)) as it:
        id_ = await it.processed(many(3))
        plain = (await it.map(id_))["revision"]
        _, first = await patch(it, id_, plain, {"op": "rename", "id": "root", "label": "One"})
        dropped = await it.client.delete(f"/v1/sessions/{id_}/mindmap/edits")
        assert dropped.json()["mindmap"]["revision"] == plain
        _, other = await patch(it, id_, plain, {"op": "rename", "id": "root", "label": "Other"})
        undo = {"op": "undo", "number": 1}
        status, _ = await patch(it, id_, first["mindmap"]["revision"], undo)  # type: ignore[index]
        assert status == 409
        status, last = await patch(it, id_, other["mindmap"]["revision"], undo)  # type: ignore[index]
        assert status == 200
        redo = {"op": "undo", "number": 2}
        monkeypatch.setattr(showing, "MOST_EDITS", 2)
        status, refused = await patch(it, id_, last["mindmap"]["revision"], redo)  # type: ignore[index]
        assert (status, refused["type"]) == (422, "urn:mindhit:problem:bad-edit")


async def test_many_edits_at_once_are_made_on_one_draft(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All edits before are applied to it: for each operation again, 200 of them held the server up for
    seconds."""
    drafts: list[Graph] = []

    def counted(graph: Graph) -> Draft:
        drafts.append(graph)
        return Draft(graph)

    async with recorder(db, await add(db)) as it:
        id_ = await it.processed(many(1))
        monkeypatch.setattr(showing, "Draft", counted)
        ops = [
            {"op": "add", "id": f"n{n}", "parent": f"n{n - 1}" if n else "root", "label": "Deep"}
            for n in range(20)
        ]
        more = (
            *({"op": "undo", "number": 20}, {"op": "undo", "number": 19}),
            {"op": "rename", "id": "n17", "label": "Last"},
            {"op": "rename", "id": "n18", "label": "Gone"},
        )
        revision = (await it.map(id_))["revision"]
        status, answer = await patch(it, id_, revision, *ops, *more[:3])
        assert status == 200
        assert len(drafts) == 2  # and another after what was undone
        shown: list[dict[str, object]] = answer["mindmap"]["nodes"]  # type: ignore[index]
        assert [node["id"] for node in shown if node["by"] == "reader"] == [
            f"n{n}" for n in range(18)
        ]
        status, _ = await patch(it, id_, answer["mindmap"]["revision"], more[3])  # type: ignore[index]
        assert status == 422


async def test_there_is_no_map_before_it_is_made(db: Database) -> None:
    async with recorder(db, await add(db)) as it:
        id_ = await it.record(many(1))
        assert (await it.get(f"/sessions/{id_}/mindmap")) == {"mindmap": None}
        status, answer = await patch(it, id_, "x", {"op": "delete", "id": "a"})
        assert (status, answer["type"]) == (404, "urn:mindhit:problem:map-not-found")
        file = await it.client.get(f"/v1/sessions/{id_}/mindmap/export?format=svg")
        assert file.status_code == 404
