"""The event protocol in other forms: TypeScript for browsers, tables for `docs/events.md`.

Both come from `mindhit.tracking.protocol`; `generated.py` writes them.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from mindhit.tracking import protocol

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "events.md"
WIDTH = 110
_TABLE = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_SCALARS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def typescript() -> str:
    return "\n".join(_typescript())


def document() -> str:
    """`docs/events.md` as it is, with its tables up to date."""
    tables = {"types": _types, "event": _event, "payload": _payload, "limits": _limits}
    return _TABLE.sub(
        lambda found: found[1] + "\n".join(tables[found[2]]()) + "\n" + found[3],
        DOCUMENT.read_text(encoding="utf-8"),
    )


def _typescript() -> Iterator[str]:
    yield "/**"
    yield " * The event protocol: what the recording browser and the server agree on. Generated from"
    yield " * `src/mindhit/tracking/protocol.py` by `make openapi`; do not edit."
    yield " */"
    for name, meaning in protocol.SHARED.items():
        yield ""
        yield f"/** {meaning} */"
        yield f"export const {name} = {_literal(getattr(protocol, name))};"
    schemas = msgspec.json.schema(protocol.EventBatch)["$defs"]
    for name, values in _enumerations(schemas).items():
        yield ""
        yield from _union(name, [json.dumps(value) for value in values])
    for name, schema in schemas.items():
        yield ""
        yield f"/** {schema['description']} */"
        yield f"export interface {name} {{"
        for field, value in schema["properties"].items():
            if "description" in value:
                yield f"  /** {value['description']} */"
            mark = "" if field in schema["required"] else "?"
            yield f"  readonly {field}{mark}: {_type(value)};"
        yield "}"
    yield ""


def _literal(value: int | str) -> str:
    return json.dumps(value) if isinstance(value, str) else f"{value:_}"


def _enumerations(schemas: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for schema in schemas.values():
        for field in schema["properties"].values():
            for value in [field, *field.get("anyOf", [])]:
                if "enum" in value:
                    found[value["title"]] = value["enum"]
    return found


def _union(name: str, values: list[str]) -> Iterator[str]:
    line = f"export type {name} = {' | '.join(values)};"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"export type {name} ="
    for number, value in enumerate(values, 1):
        yield f"  | {value}{';' if number == len(values) else ''}"


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    if "$ref" in schema:
        name: str = schema["$ref"].rsplit("/", 1)[1]
        return name
    if "enum" in schema:
        title: str = schema["title"]
        return title
    if schema["type"] == "array":
        return f"readonly {_type(schema['items'])}[]"
    return "null" if schema["type"] == "null" else _SCALARS[schema["type"]]


def _types() -> Iterator[str]:
    yield "| type | what happened | fields | payload |"
    yield "|---|---|---|---|"
    for type_, spec in protocol.EVENTS.items():
        fields = _names(protocol.SentEvent, spec.fields, spec.requires)
        payload = _names(protocol.SentPayload, spec.payload, spec.requires)
        yield f"| `{type_}` | {spec.meaning} | {fields} | {payload} |"


def _names(struct: Any, names: tuple[str, ...], required: tuple[str, ...]) -> str:
    sent = _sent_names(struct)
    return ", ".join(f"**{sent[name]}**" if name in required else sent[name] for name in names)


def _sent_names(struct: Any) -> dict[str, str]:
    return dict(zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True))


def _event() -> Iterator[str]:
    yield from _fields("SentEvent")


def _payload() -> Iterator[str]:
    yield from _fields("SentPayload")


def _fields(name: str) -> Iterator[str]:
    schemas = msgspec.json.schema(protocol.EventBatch)["$defs"]
    yield "| field | type | what it says |"
    yield "|---|---|---|"
    for field, value in schemas[name]["properties"].items():
        type_, meaning = _type(value).removesuffix(" | null"), value["description"]
        if type_ == "Presence":
            meaning += " One of " + ", ".join(f"`{each}`" for each in protocol.Presence) + "."
        if type_ == "PageMeta":
            meaning += f" {', '.join(schemas[type_]['properties'])}."
        yield f"| `{field}` | `{type_}` | {meaning} |"


def _limits() -> Iterator[str]:
    yield "| constant | value | what it says |"
    yield "|---|---|---|"
    for name, meaning in protocol.SHARED.items():
        value = getattr(protocol, name)
        shown = f"`{value}`" if isinstance(value, str) else f"{value:,}"
        yield f"| `{name}` | {shown} | {meaning} |"
