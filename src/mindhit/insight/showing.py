"""Maps as readers see them: generated, with their edits on top. Verbs that read and change them.

What grows with a map (its edits, the width of every label) is done in threads: a large one would hold the
event loop for a tenth of a second.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from mindhit import library, tracking
from mindhit.db import Database, ReadTx, Tx
from mindhit.insight import store
from mindhit.insight.mindmap import edits as rules
from mindhit.insight.mindmap.edits import MOST_EDITS, Edit, Op, Undo, Was, checked, effective
from mindhit.insight.mindmap.merging import Draft, Shown, merge
from mindhit.insight.mindmap.thumbnail import thumbnail
from mindhit.insight.mindmap.weighing import Scale
from mindhit.insight.model import (
    ROOT,
    BadEdit,
    Graph,
    MadeBy,
    MapChanged,
    MapNotFound,
    Mindmap,
    graph_of,
)
from mindhit.insight.processing.pages import read_pages
from mindhit.insight.store.maps import StoredMap
from mindhit.tracking import SessionId, shapes


@dataclass(frozen=True, slots=True)
class Loaded:
    """A map with all that it takes to show it."""

    stored: StoredMap
    graph: Graph
    edits: list[Edit]
    scale: Scale

    @property
    def title(self) -> str | None:
        """The reader's own; a generated one is what the root has anyway."""
        return self.stored.title if self.stored.title_by == "reader" else None

    def shown(self) -> Shown:
        return merge(self.graph, self.edits, self.scale, self.title)

    @property
    def revision(self) -> str:
        """Of the map and all that was done to it: numbers begin again after `drop_edits`, and the same
        pages may have been made into another map."""
        done = [(edit.number, edit.op) for edit in self.edits]
        facts = (self.stored.made_of, self.stored.created_at, done)
        return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:16]


async def show_map(tx: ReadTx, user_id: UUID, session_id: SessionId) -> Mindmap | None:
    """None until there is one. Raises `SessionNotFound`."""
    stored = await tx.maybe(store.maps.MAP, session_id, user_id)
    if stored is None:
        await tracking.summarise(tx, user_id, session_id)
        return None
    loaded = await _loaded(tx, user_id, session_id, stored)
    return await asyncio.to_thread(lambda: _answer(loaded, loaded.shown()))


async def edit_map(
    tx: Tx, user_id: UUID, session_id: SessionId, revision: str, ops: Sequence[Op]
) -> Mindmap:
    """Apply operations to the map that the reader saw. All of them or none; raises `MapChanged`,
    `BadEdit`, `MapNotFound`, `SessionNotFound`."""
    loaded = await _locked(tx, user_id, session_id)
    if loaded.revision != revision:
        raise MapChanged
    for edit in await asyncio.to_thread(_edited, loaded.graph, loaded.edits, ops):
        await tx.run(
            store.maps.ADD_EDIT,
            session_id,
            user_id,
            edit.number,
            msgspec.to_builtins(edit.op),
            msgspec.to_builtins(edit.was),
        )
    return _answer(*await refresh_shown(tx, user_id, session_id))


async def drop_edits(tx: Tx, user_id: UUID, session_id: SessionId) -> Mindmap:
    """The generated map again."""
    await _locked(tx, user_id, session_id)
    await tx.run(store.maps.DROP_EDITS, session_id, user_id)
    return _answer(*await refresh_shown(tx, user_id, session_id))


async def refresh_shown(tx: Tx, user_id: UUID, session_id: SessionId) -> tuple[Loaded, Shown]:
    """Keep what lists, totals and search take from the map as it is shown."""
    loaded = await _locked(tx, user_id, session_id)
    shown = await asyncio.to_thread(loaded.shown)
    graph = shown.graph
    await tx.run(store.maps.PUT_THUMBNAIL, session_id, user_id, thumbnail(graph))
    await tx.run(store.topics.DROP_TOPICS, session_id, user_id)
    topics = _topics(graph, loaded.scale)
    await tx.run(store.topics.ADD_TOPICS, session_id, user_id, topics)
    labels = [str(topic["label"]) for topic in topics]
    version = loaded.stored.timeline_version
    await library.put_topics(tx, user_id, session_id, labels, version)
    return loaded, shown


async def thumbnails(
    db: Database, user_id: UUID, session_ids: Sequence[UUID]
) -> dict[UUID, list[list[int]]]:
    """For a page of a list: those of the sessions that have a map."""
    if not session_ids:
        return {}
    found = await db.alone(store.maps.THUMBNAILS, user_id, list(session_ids))
    return {each.session_id: each.thumbnail for each in found if each.thumbnail}


async def forget_labels(tx: Tx, user_id: UUID, session_id: SessionId, known: set[str]) -> None:
    """Edits don't keep what a node was called of whose pages none is left: they were forgotten, or
    never were in focus."""
    for stored in await tx.all(store.maps.EDITS, session_id, user_id):
        edit = rules.read_edit(stored.number, stored.op, stored.was)
        kept = {
            id_: was
            if known.intersection(was.pages) or not was.label
            else msgspec.structs.replace(was, label="")
            for id_, was in edit.was.items()
        }
        if kept != edit.was:
            changed = msgspec.to_builtins(kept)
            await tx.run(store.maps.PUT_WAS, session_id, user_id, edit.number, changed)


async def _locked(tx: Tx, user_id: UUID, session_id: SessionId) -> Loaded:
    stored = await tx.maybe(store.maps.LOCK_MAP, session_id, user_id)
    if stored is None:
        await tracking.summarise(tx, user_id, session_id)
        raise MapNotFound
    return await _loaded(tx, user_id, session_id, stored)


async def _loaded(tx: ReadTx, user_id: UUID, session_id: SessionId, stored: StoredMap) -> Loaded:
    kept = await tx.all(store.maps.EDITS, session_id, user_id)
    return Loaded(
        stored,
        graph_of(stored.nodes, stored.edges),
        [rules.read_edit(each.number, each.op, each.was) for each in kept],
        Scale.of(await read_pages(tx, user_id, session_id)),
    )


def _edited(graph: Graph, before: Sequence[Edit], ops: Sequence[Op]) -> list[Edit]:
    """The next edits, if the map as it is by then allows each of them. Earlier edits are applied
    once, not again for each operation; from the start only after an undo, which may concern any of them."""
    made = [*before]
    draft: Draft | None = None
    for op in map(checked, ops):
        if len(made) >= MOST_EDITS:
            raise BadEdit(f"A mind map can have {MOST_EDITS} edits at most.")
        number = (made[-1].number if made else 0) + 1
        if isinstance(op, Undo):
            if op.number not in _standing(made):
                raise BadEdit("There is no such edit to undo.")
            made.append(Edit(number, op))
            draft = None
            continue
        draft = draft or _drafted(graph, made)
        made.append(Edit(number, op, _applied(draft, op)))
    return made[len(before) :]


def _drafted(graph: Graph, made: Sequence[Edit]) -> Draft:
    draft = Draft(graph)
    for edit in effective(made):
        draft.apply(edit.op, edit.was)
    return draft


def _applied(draft: Draft, op: Op) -> dict[str, Was]:
    """What the nodes it names were like."""
    missing = [id_ for id_ in rules.nodes_of(op) if id_ not in draft.nodes]
    was = draft.was(op)
    why = "There is no such node." if missing else draft.apply(op, was)
    if why is not None:
        raise BadEdit(why)
    return was


def _standing(made: Sequence[Edit]) -> set[int]:
    """Numbers of edits that were not undone; an undo is an edit too."""
    undone: set[int] = set()
    for edit in reversed(made):
        if isinstance(edit.op, Undo) and edit.number not in undone:
            undone.add(edit.op.number)
    return {edit.number for edit in made} - undone


def _topics(graph: Graph, scale: Scale) -> list[dict[str, object]]:
    """The root's children with their pages, in their order."""
    parents = graph.parents
    shown = [node for node in graph.nodes if parents.get(node.id) == ROOT]
    return [
        {
            "place": place,
            "label": node.label,
            "url_ids": list(
                dict.fromkeys(
                    str(scale.by_visit[visit])
                    for visit in node.related_page_visit_ids
                    if visit in scale.by_visit
                )
            ),
        }
        for place, node in enumerate(shown)
    ]


def _answer(loaded: Loaded, shown: Shown) -> Mindmap:
    return Mindmap(
        loaded.stored.id,
        loaded.stored.session_id,
        list(shown.graph.nodes),
        list(shown.graph.edges),
        shapes.iso(loaded.stored.created_at),
        msgspec.convert(loaded.stored.metadata, MadeBy),
        loaded.revision,
        shown.unplaced,
        len(loaded.edits),
    )
