"""The reader's operations on a map, as they are stored.

They are kept apart from the generated map and applied to it each time it is shown, so that a map may be
generated again without anything being lost. `Was` says what a node looked like when the operation was
made: after a regeneration that tells which node is meant (`merging.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from mindhit.insight.mindmap import labels
from mindhit.insight.model import ROOT, BadEdit, NodeType

MOST_EDITS: Final = 2_000  # of one map
MOST_AT_ONCE: Final = 200
LONGEST_LABEL: Final = 120
FARTHEST: Final = 100_000  # pixels from the root
_OWN_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_GENERATED: Final = (ROOT, *(f"{each.value}-" for each in NodeType))


class _Op(msgspec.Struct, frozen=True, tag_field="op", tag=str.lower):
    pass


class Add(_Op, frozen=True):
    """A node of the reader's, with an id of the client's making."""

    id: str
    parent: str
    label: str


class Rename(_Op, frozen=True):
    id: str
    label: str


class Move(_Op, frozen=True):
    """Under another node, with everything that hangs on it."""

    id: str
    parent: str


class Delete(_Op, frozen=True):
    """Its children and pages go to its parent."""

    id: str


class Connect(_Op, frozen=True):
    source: str
    target: str


class Disconnect(_Op, frozen=True):
    source: str
    target: str


class Place(_Op, frozen=True):
    """Where the reader put it; what hangs on it moves along."""

    id: str
    x: float
    y: float


class Undo(_Op, frozen=True):
    """An operation no longer counts; undoing that brings it back."""

    number: int


Op = Add | Rename | Move | Delete | Connect | Disconnect | Place | Undo


class Was(msgspec.Struct, frozen=True):
    """A generated node when an operation named it."""

    type: str
    label: str
    pages: tuple[str, ...]


class Edit(msgspec.Struct, frozen=True):
    number: int
    op: Op
    was: dict[str, Was] = {}


def nodes_of(op: Op) -> tuple[str, ...]:
    """The nodes that an operation names and that must be there."""
    match op:
        case Add():
            return (op.parent,)
        case Move():
            return (op.id, op.parent)
        case Connect() | Disconnect():
            return (op.source, op.target)
        case Rename() | Delete() | Place():
            return (op.id,)
    return ()


def effective(edits: Sequence[Edit]) -> list[Edit]:
    """Those that count: neither undone nor an undoing. One that was undone by an undoing that was
    itself undone counts again."""
    undone: set[int] = set()
    for edit in reversed(edits):
        if isinstance(edit.op, Undo) and edit.number not in undone:
            undone.add(edit.op.number)
    return [e for e in edits if e.number not in undone and not isinstance(e.op, Undo)]


def checked(op: Op) -> Op:
    """With its label cleaned. Raises `BadEdit` for what can be seen without the map."""
    match op:
        case Add():
            if not _OWN_ID.fullmatch(op.id) or op.id.startswith(_GENERATED):
                raise BadEdit(
                    "The id of a new node has letters, digits, - and _, and doesn't begin like"
                    " a generated one."
                )
            return msgspec.structs.replace(op, label=_label(op.label))
        case Rename():
            return msgspec.structs.replace(op, label=_label(op.label))
        case Place():
            if not (abs(op.x) <= FARTHEST and abs(op.y) <= FARTHEST):
                raise BadEdit("This position is too far away.")
            return msgspec.structs.replace(op, x=round(op.x, 1), y=round(op.y, 1))
    return op


def _label(text: str) -> str:
    text = labels.clean(text)
    if not 1 <= len(text) <= LONGEST_LABEL:
        raise BadEdit(f"A label has 1 to {LONGEST_LABEL} characters.")
    return text


def read_edit(number: int, op: Mapping[str, Any], was: Mapping[str, Any]) -> Edit:
    """From what the database holds."""
    return Edit(number, msgspec.convert(op, Op), msgspec.convert(was, dict[str, Was]))
