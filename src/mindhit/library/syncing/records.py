"""What a client sends, checked. Pure.

Ids must be good; other values are corrected rather than refused, since a client that can't push is stuck:
texts are cut, unknown columns ignored, numbers and times that are none left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Any, Final, TypeGuard

import msgspec

from mindhit.errors import Conflict, Gone, Invalid, TooLarge
from mindhit.library.importing.entries import clean, moment, tidy_note, tidy_tags
from mindhit.library.model import LONGEST_ADDRESS, LONGEST_NAME, LONGEST_TITLE

MOST_RECORDS: Final = 10_000
_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_LARGEST_POSITION: Final = 1e15
_LARGEST_TIME_MS: Final = 1e15


class BadSync(Invalid):
    """The pushed data is not a valid set of changes."""


class SyncConflict(Conflict):
    """Some of this was changed elsewhere in the meantime. Pull, then push again."""


class SyncTooOld(Gone):
    """This device has not synced for too long. Sync it from the beginning."""


class SyncTooLarge(TooLarge):
    """This is more than can be pushed at once."""


@dataclass(frozen=True, slots=True)
class Record:
    """A folder or a page as the client has it. `values` has only what it sent and what is good."""

    id: str
    is_created: bool
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableChanges:
    records: list[Record] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Changes:
    folders: TableChanges
    pages: TableChanges


def read_changes(body: bytes) -> Changes:
    """Raises `BadSync`, `SyncTooLarge`."""
    try:
        sent = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadSync(f"This is not JSON: {error}.") from None
    if not isinstance(sent, dict):
        raise BadSync
    changes = Changes(
        _table(sent.get("folders"), _folder_values), _table(sent.get("pages"), _page_values)
    )
    tables = changes.folders, changes.pages
    if sum(len(each.records) + len(each.deleted) for each in tables) > MOST_RECORDS:
        raise SyncTooLarge(f"At most {MOST_RECORDS} records can be pushed at once.")
    return changes


def _table(sent: Any, values_of: Any) -> TableChanges:
    if sent is None:
        return TableChanges()
    if not isinstance(sent, dict):
        raise BadSync
    found: dict[str, Record] = {}
    for name in ("created", "updated"):
        for record in _list(sent.get(name)):
            if not isinstance(record, dict):
                raise BadSync
            id_ = _id(record.get("id"))
            is_created = name == "created" or (id_ in found and found[id_].is_created)
            found[id_] = Record(id_, is_created, values_of(record))
    deleted = dict.fromkeys(_id(each) for each in _list(sent.get("deleted")))
    return TableChanges(list(found.values()), list(deleted))


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadSync
    return value


def _id(value: Any) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise BadSync("An id has 1 to 64 letters, digits, dots, dashes or underscores.")
    return value


def _folder_values(record: Mapping[str, Any]) -> dict[str, Any]:
    values = _common(record, "parent_id")
    if isinstance(record.get("name"), str):
        values["name"] = " ".join(clean(record["name"]).split())[:LONGEST_NAME]
    return values


def _page_values(record: Mapping[str, Any]) -> dict[str, Any]:
    values = _common(record, "folder_id")
    if isinstance(record.get("address"), str):
        values["address"] = clean(record["address"]).strip()[:LONGEST_ADDRESS]
    if _text(record.get("kind")) in {"link", "other", "separator"}:
        values["kind"] = record["kind"]
    if "title" in record:
        values["title"] = " ".join(clean(_text(record["title"])).split())[:LONGEST_TITLE] or None
    if "note" in record:
        values["note"] = tidy_note(_text(record["note"]))
    if "tags" in record:
        values["tags"] = list(tidy_tags(_tags(record["tags"])))
    if "archived_at" in record:
        values["archived_at"] = _time(record["archived_at"])
    return values


def _common(record: Mapping[str, Any], above: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if above in record:
        values[above] = record[above] if isinstance(record[above], str) else None
    position = record.get("position")
    if _is_number(position):
        values["position"] = float(max(-_LARGEST_POSITION, min(position, _LARGEST_POSITION)))
    if (created_at := _time(record.get("created_at"))) is not None:
        values["created_at"] = created_at
    return values


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _time(value: Any) -> datetime | None:
    return moment(value / 1000) if _is_number(value) and abs(value) < _LARGEST_TIME_MS else None


def _is_number(value: Any) -> TypeGuard[int | float]:
    """An integer may be larger than any float."""
    is_float = isinstance(value, float) and isfinite(value)
    return is_float or (isinstance(value, int) and not isinstance(value, bool))


def _tags(value: Any) -> list[str]:
    """A list, or the JSON text of one: WatermelonDB has no lists."""
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except msgspec.DecodeError:
            return []
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
